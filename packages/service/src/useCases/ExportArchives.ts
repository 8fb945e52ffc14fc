import { Archive, exportName, makeArchiveNames } from "@earmark/core/captions"
import { type AccountId, BatchId, BatchNotFound, type JobId, parseId } from "@earmark/core/jobs"
import { type ArchiveRequest, MOST_ARCHIVED, RequestInvalid } from "@earmark/core/wire"
import { Chunk, Context, Effect, Layer, Option, Stream } from "effect"
import { JobStore, type Position } from "../ports/JobStore.js"
import type { StorageError } from "../ports/StorageError.js"
import { StoreSettings } from "../ports/StoreSettings.js"
import { problemOf } from "./problemOf.js"
import { Transcriptions } from "./Transcriptions.js"

const PROBLEMS = "problems.txt"
const PAGE = 100

const FULL = "The archive is full: it has 4 GB. Export the rest in another one."

/** Many transcripts as one file. */
export class ExportArchives extends Context.Tag("@earmark/service/ExportArchives")<
  ExportArchives,
  {
    /** A zip archive, made while it is read: one transcript at a time is held. What cannot be exported is a line in `problems.txt`. */
    readonly create: (
      account: AccountId,
      request: ArchiveRequest,
    ) => Effect.Effect<Stream.Stream<Uint8Array, StorageError>, BatchNotFound | RequestInvalid | StorageError>
  }
>() {
  static readonly layer = Layer.effect(
    ExportArchives,
    Effect.gen(function* () {
      const store = yield* JobStore
      const transcriptions = yield* Transcriptions
      const { baseUrl } = yield* StoreSettings

      const jobsOf = (account: AccountId, batch: BatchId): Stream.Stream<JobId, StorageError> =>
        Stream.paginateChunkEffect(null, (after: Position | null) =>
          Effect.map(
            store.list(account, { batch, limit: PAGE, after, order: "asc" }),
            ({ items, next }) =>
              [Chunk.fromIterable(items.map(({ id }) => id)), Option.fromNullable(next)] as const,
          ),
        )

      const requireBatch = Effect.fnUntraced(function* (account: AccountId, text: string) {
        const id = yield* Effect.mapError(
          parseId(BatchId)(text),
          () => new BatchNotFound({ id: text.slice(0, 64) }),
        )
        const found = yield* store.batch(account, id)
        if (found === null) return yield* new BatchNotFound({ id })
        if (found.total <= MOST_ARCHIVED) return id
        const detail = `This batch has ${found.total} transcriptions, and an archive takes ${MOST_ARCHIVED}. Name them as ids, some at a time.`
        return yield* new RequestInvalid({
          code: "invalid_request",
          problems: [{ pointer: "#/batch_id", detail }],
        })
      })

      const create = Effect.fn("ExportArchives.create")(function* (
        account: AccountId,
        { of, ...query }: ArchiveRequest,
      ) {
        const ids: Stream.Stream<string, StorageError> =
          "ids" in of ? Stream.fromIterable(of.ids) : jobsOf(account, yield* requireBatch(account, of.batch))
        // Only once it is read: a client that reads twice gets two archives.
        return Stream.suspend(() => {
          const archive = new Archive()
          const nameOf = makeArchiveNames([PROBLEMS])
          const problems: Array<string> = []

          const entryOf = (id: string): Effect.Effect<Iterable<Uint8Array>, StorageError> =>
            transcriptions.export(account, id, query).pipe(
              Effect.map((file) => {
                const content = [Buffer.concat([...file.chunks].map((part) => Buffer.from(part)))]
                const added = archive.add({ name: nameOf(exportName(file, id), file.extension), content })
                if (added === null) problems.push(`${id}: ${FULL}`)
                return added ?? []
              }),
              Effect.catchAll((error) => {
                if (error._tag === "StorageError") return Effect.fail(error)
                problems.push(`${id}: ${problemOf(error, baseUrl).detail}`)
                return Effect.succeed([])
              }),
            )

          const end = Stream.suspend(() => {
            const content = problems.map((line) => `${line}\n`)
            const told = problems.length === 0 ? null : archive.add({ name: PROBLEMS, content })
            return Stream.fromIterable([...(told ?? []), ...archive.end()])
          })
          return Stream.concat(
            Stream.flatMap(Stream.mapEffect(ids, entryOf), (parts) => Stream.fromIterable(parts)),
            end,
          )
        })
      })

      return ExportArchives.of({ create })
    }),
  )
}
