import { formatPlace, parsePlace } from "@earmark/core/jobs"
import { decodeRequest, ExportRequest, JobUpdate, WaveformQuery } from "@earmark/core/wire"
import { Effect, Option, Schema, Stream } from "effect"
import { Following, type Update } from "../useCases/Following.js"
import { Recordings } from "../useCases/Recordings.js"
import { Transcriptions } from "../useCases/Transcriptions.js"
import { accountOf, type Door, type Wire } from "./door.js"

const showUpdate = (update: Update) => ({
  id: formatPlace(update.place),
  ...Schema.encodeSync(JobUpdate)(update),
})

/** The three operations whose answers are not JSON. */
export const filesAndEvents = (door: Door) => ({
  /**
   * What happens to a job until it ends: its progress, each line as soon as it is recognised, and the end. `after` is the `id` of the
   * last event that you have.
   */
  events: (account: string, id: string, { after }: { readonly after?: string } = {}) =>
    door.iterate(
      Stream.unwrap(
        Effect.gen(function* () {
          const following = yield* Following
          const place = Option.getOrNull(parsePlace(after ?? ""))
          const updates = yield* following.follow(yield* accountOf(account), id, place)
          return updates === null ? Stream.empty : Stream.map(updates, showUpdate)
        }),
      ),
    ),
  /** One byte a point, 0 to 255: the greatest sample of the part of the recording that it stands for. Seconds. */
  waveform: (
    account: string,
    id: string,
    query: { readonly from?: number; readonly to?: number; readonly points?: number } = {},
  ) =>
    door.run(
      Effect.gen(function* () {
        const recordings = yield* Recordings
        const owner = yield* accountOf(account)
        const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
        return yield* recordings.waveform(
          owner,
          id,
          yield* decodeRequest(WaveformQuery)(Object.fromEntries(texts)),
        )
      }),
    ),
  /** The bytes of a file. */
  export: (account: string, id: string, query: Wire<typeof ExportRequest>) =>
    door.run(
      Effect.gen(function* () {
        const jobs = yield* Transcriptions
        const owner = yield* accountOf(account)
        const made = yield* jobs.export(owner, id, yield* decodeRequest(ExportRequest)(query))
        const chunks = Array.from(made.chunks, (chunk) => Buffer.from(chunk))
        return { contentType: made.contentType, bytes: Buffer.concat(chunks) }
      }),
    ),
})
