/** A library in front of a person: what pages ask of it, in the words and with the refusals of a server. */
import { createReadStream } from "node:fs"
import { open, stat } from "node:fs/promises"
import { basename } from "node:path"
import type { Transcription } from "@earmark/api/client"
import type { EditOperation } from "@earmark/core/edits"
import { JobId, JobNotFound, mediaTypeOf } from "@earmark/core/jobs"
import {
  type AccountUpdate,
  type EditRevision,
  type ExportQuery,
  type ExtrasRequest,
  type JobUpdate,
  type ListQuery,
  type PatchTranscription,
  type ReadQuery,
  type SearchAllQuery,
  type SearchQuery,
  transcriptionPath,
} from "@earmark/core/wire"
import {
  canTranslate,
  type ExtraStaff,
  hasExactSeek,
  ObjectMissing,
  type OpenedRecording,
  problemOf,
  RecordingNotKept,
  RevisionConflict,
  TimeLimit,
  type ToldProblem,
} from "@earmark/service"
import type { FileSystem, Path } from "@effect/platform"
import { DateTime, Duration, Effect, Stream } from "effect"
import { isAddress } from "../sources/named.js"
import type { Answering } from "./askEntries.js"
import type { StoredRevision } from "./editsFile.js"
import type { Library } from "./Library.js"
import type { LibraryDesk } from "./LibraryDesk.js"
import { LibraryRefused } from "./LibraryRefused.js"

/** What a library needs beside its files. */
export interface DeskParts {
  /** Answers questions; the passages that fit best do without. */
  readonly answering?: Answering<ToldProblem> | undefined
  /** Gives those who make extras to some work. */
  readonly withStaff: <Made, E>(
    work: (staff: ExtraStaff) => Effect.Effect<Made, E>,
  ) => Effect.Effect<Made, E | ToldProblem>
  /** Draws the waveform of a file: the greatest sample of each twentieth of a second. */
  readonly waveformOf: (path: string) => Effect.Effect<Uint8Array, ToldProblem>
}

const toldOf = (refused: Parameters<typeof problemOf>[0]): ToldProblem => problemOf(refused, "")

const notKept = toldOf(new RecordingNotKept({ part: "sound" }))

const movedFrom = (path: string): ToldProblem => ({
  code: "recording_not_kept",
  detail: `There is no recording at ${path} any more. Put it back there to play it.`,
})

/** A refusal as a server would tell it. */
const problemIn = ({ reason, subject, message, code, revision = 0 }: LibraryRefused): ToldProblem => {
  switch (reason) {
    case "refused":
      return { code: code ?? "internal_error", detail: message }
    case "not_found":
      return toldOf(new JobNotFound({ id: subject }))
    case "revision_conflict":
      return toldOf(new RevisionConflict({ revision }))
    case "edit_refused":
      return { code: code ?? "invalid_edit", detail: message }
    case "damaged":
    case "library_unreadable":
    case "library_unwritable":
    case "being_edited":
      return { code: "unavailable", detail: message }
    default:
      return { code: "invalid_state", detail: message }
  }
}

/** Everything that is refused, as a server would tell it. */
const told = <A, R>(work: Effect.Effect<A, LibraryRefused | ToldProblem, R>) =>
  Effect.mapError(work, (failure) => (failure instanceof LibraryRefused ? problemIn(failure) : failure))

const timeOf = (time: DateTime.Utc | undefined): string | undefined =>
  time === undefined ? undefined : DateTime.formatIso(time)

const shownRevision = (stored: StoredRevision): EditRevision => ({
  revision: stored.revision,
  operations: "operations" in stored ? stored.operations.length : 0,
  undoes: "undo" in stored ? stored.undo : null,
  madeAt: DateTime.unsafeMake(stored.made_at),
  madeBy: null,
})

/** How often is looked at what other processes do. */
const LOOK_EVERY = Duration.seconds(1)

const readPart = async (path: string, from: number, to: number): Promise<Uint8Array> => {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(to - from)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** A file of this machine for a player. It may be gone, or be another one by now. */
const openRecording = (path: string) =>
  Effect.tryPromise({
    try: async () => {
      const { size, mtimeMs } = await stat(path)
      return { bytes: size, etag: `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}` }
    },
    catch: () => movedFrom(path),
  }).pipe(
    Effect.filterOrFail(
      ({ bytes }) => bytes > 0,
      () => movedFrom(path),
    ),
    Effect.bind("hasExactSeek", ({ bytes }) =>
      hasExactSeek(bytes, (from, to) =>
        Effect.tryPromise({ try: () => readPart(path, from, to), catch: () => movedFrom(path) }),
      ),
    ),
    Effect.map((found) => ({
      ...found,
      contentType: mediaTypeOf(basename(path)) ?? "application/octet-stream",
      read: (from: number, to: number): ReturnType<OpenedRecording["read"]> =>
        Stream.fromAsyncIterable(
          createReadStream(path, { start: from, end: to - 1 }),
          () => new ObjectMissing({ key: basename(path) }),
        ),
    })),
  )

const progressOf = ({ phase, progress }: Pick<Transcription, "phase" | "progress">): JobUpdate => ({
  event: "progress",
  data: { phase: phase ?? "waiting", progress },
})

const endOf = ({ id, status, failure }: Transcription): JobUpdate => ({
  event: status === "done" ? "done" : "failed",
  data: {
    id: JobId.make(id),
    status: status === "done" ? "done" : "failed",
    url: transcriptionPath(id),
    failure: failure === null ? null : { code: failure.code },
  },
})

const missed: AccountUpdate = { event: "missed", data: {} }

/** The desk of a library. */
export const makeDesk = Effect.fnUntraced(function* (
  library: Library,
  { answering, withStaff, waveformOf }: DeskParts,
) {
  const files = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  // Where those who make extras cannot be had, whoever asks for one is told why.
  const hasTranslator = yield* withStaff(({ translator }) => Effect.succeed(canTranslate(translator))).pipe(
    Effect.orElseSucceed(() => true),
  )

  const pathOf = (id: string) =>
    told(library.sourceOf(id)).pipe(
      Effect.filterOrFail(
        (source) => source !== null && !isAddress(source),
        () => notKept,
      ),
      Effect.map((source) => source ?? ""),
    )

  /** Files that were written from it are brought up to date; where one cannot be, the correction stands all the same. */
  const thenRewrite = <A, E, R>(id: string, work: Effect.Effect<A, E, R>) =>
    Effect.tap(work, () => Effect.ignoreLogged(Effect.provide(library.rewrite(id), files)))

  const get = (id: string, { wait = 0, include, revision, translation }: ReadQuery) => {
    const parts = { words: include === "words", revision, translation }
    const ended = wait === 0 ? Effect.void : TimeLimit.option(library.show(id, true), Duration.seconds(wait))
    return told(Effect.zipRight(ended, library.show(id, false, parts)))
  }

  const list = ({ limit, cursor, status, language, feed, q }: ListQuery) =>
    told(library.list({ limit, cursor, status, language, feed, q }))

  const update = (id: string, { title, speakers }: PatchTranscription) =>
    told(
      Effect.gen(function* () {
        // Names may be refused: nothing is changed then.
        if (speakers !== undefined && speakers !== null) yield* library.name(id, speakers)
        if (title !== undefined) yield* library.retitle(id, title)
        return yield* thenRewrite(id, library.show(id, false))
      }),
    )

  const exportFile = (id: string, query: ExportQuery) =>
    told(
      library.exportFile(id, {
        format: query.format,
        word_level: query.wordLevel ?? false,
        speakers: query.speakers ?? true,
        profile: query.profile,
        max_chars_per_line: query.maxCharsPerLine,
        max_lines: query.maxLines,
        language: query.language,
        revision: query.revision,
      }),
    )

  const search = (id: string, { from: _, to: __, ...query }: SearchQuery) => told(library.search(id, query))

  const searchAll = ({ createdAfter, createdBefore, ...query }: SearchAllQuery) =>
    told(
      library.search(null, {
        ...query,
        created_after: timeOf(createdAfter),
        created_before: timeOf(createdBefore),
      }),
    )

  const edits = (id: string) =>
    told(Effect.map(library.edits(id), (revisions) => revisions.map(shownRevision)))

  const recording = (id: string) =>
    Effect.flatMap(pathOf(id), (path) =>
      Effect.zipWith(openRecording(path), told(library.show(id, false)), (opened, { duration_seconds }) => ({
        ...opened,
        durationSeconds: duration_seconds,
      })),
    )

  const state = Effect.option(library.state)

  /** Told each time that something is different, and at first: it may be since the page was read. */
  const changes = Stream.concat(
    Stream.fromEffect(state),
    Stream.repeatEffect(Effect.delay(state, LOOK_EVERY)),
  ).pipe(
    Stream.filterMap((found) => found),
    Stream.changes,
    Stream.map((): AccountUpdate => missed),
  )

  const follow = (id: string) =>
    told(
      Effect.map(library.show(id, false), (first) =>
        Stream.concat(
          Stream.make(first),
          Stream.repeatEffect(Effect.delay(library.show(id, false), LOOK_EVERY)),
        ).pipe(
          Stream.takeUntil(({ status }) => status !== "queued"),
          Stream.map((job) => (job.status === "queued" ? progressOf(job) : endOf(job))),
          Stream.changesWith((one, other) => JSON.stringify(one) === JSON.stringify(other)),
          // It was taken away: whoever comes back is told so.
          Stream.catchAll(() => Stream.empty),
        ),
      ),
    )

  const desk: LibraryDesk = {
    canTranslate: hasTranslator,
    list,
    counts: told(library.counts),
    get,
    words: (id: string) => told(library.words(id)),
    update,
    remove: (id: string) => told(library.remove(id)),
    export: exportFile,
    search,
    searchAll,
    ask: (id: string | null, question: string) => told(library.ask(id, question, answering)),
    edit: (id: string, base: number, operations: ReadonlyArray<EditOperation>) =>
      told(thenRewrite(id, library.edit(id, base, operations))),
    undoEdit: (id: string, revision: number) => told(thenRewrite(id, library.undoEdit(id, revision))),
    edits,
    addExtras: (id: string, request: ExtrasRequest) =>
      withStaff((staff) => told(library.addExtras(id, request, staff))),
    recording,
    waveform: (id: string) => Effect.flatMap(pathOf(id), waveformOf),
    follow,
    changes,
  }
  return desk
})
