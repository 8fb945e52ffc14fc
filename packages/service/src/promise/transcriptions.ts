import { formatPlace, parsePlace } from "@earmark/core/jobs"
import {
  AccountUpdate,
  type ArchiveQuery,
  decodeArchiveQuery,
  decodeRequest,
  ExportRequest,
  JobUpdate,
  WaveformQuery,
} from "@earmark/core/wire"
import { Effect, Option, Schema, Stream } from "effect"
import { type AccountEvent, AccountEvents } from "../useCases/AccountEvents.js"
import { ExportArchives } from "../useCases/ExportArchives.js"
import { Following, type Update } from "../useCases/Following.js"
import { Recordings } from "../useCases/Recordings.js"
import { Transcriptions } from "../useCases/Transcriptions.js"
import { accountOf, type Door, type Wire } from "./door.js"

const showUpdate = (update: Update) => ({
  id: formatPlace(update.place),
  ...Schema.encodeSync(JobUpdate)(update),
})

const showAccountEvent = ({ place, ...update }: AccountEvent) => ({
  id: String(place),
  ...Schema.encodeSync(AccountUpdate)(update),
})

const MOMENT = /^\d{1,15}$/

/** As an address has it. */
const textsOf = (query: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

/** The operations whose answers are not JSON. */
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
  /**
   * What changes in an account: how its jobs stand, and its balance. It never ends by itself. `after` is the `id` of the last event that you
   * have.
   */
  eventsAll: (account: string, { after = "" }: { readonly after?: string } = {}) =>
    door.iterate(
      Stream.unwrap(
        Effect.gen(function* () {
          const events = yield* AccountEvents
          const place = MOMENT.test(after) ? Number(after) : null
          const updates = events.follow(yield* accountOf(account), { after: place, credits: true })
          return Stream.map(updates, showAccountEvent)
        }),
      ),
    ),
  /** A zip archive of transcripts, in pieces. */
  exportAll: (
    account: string,
    query: Omit<Wire<typeof ArchiveQuery>, "ids"> & { readonly ids?: ReadonlyArray<string> },
  ) =>
    door.iterate(
      Stream.unwrap(
        Effect.gen(function* () {
          const archives = yield* ExportArchives
          return yield* archives.create(yield* accountOf(account), yield* decodeArchiveQuery(textsOf(query)))
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
        return yield* recordings.waveform(owner, id, yield* decodeRequest(WaveformQuery)(textsOf(query)))
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
