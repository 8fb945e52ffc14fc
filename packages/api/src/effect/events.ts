import { CreditsChange, EndUpdate, JobChange, ProgressUpdate, SegmentUpdate } from "@earmark/core/wire"
import { Effect, Stream } from "effect"
import type { AnswerError } from "../client/errors.js"
import type { FollowOptions } from "../client/follow.js"
import type { Transport } from "../client/Transport.js"
import { transcriptions } from "../client/transcriptions.js"
import { decoded, iterated } from "./operation.js"

interface Told<Type, Data> {
  readonly type: Type
  /** What `lastEventId` takes to go on after this event. */
  readonly id: string | undefined
  readonly data: Data
}

/** What happens to a transcription while it runs. */
export type TranscriptionEvent =
  | Told<"progress", ProgressUpdate>
  | Told<"segment", SegmentUpdate>
  | Told<"done" | "failed", EndUpdate>

const progress = decoded(ProgressUpdate)
const segment = decoded(SegmentUpdate)
const end = decoded(EndUpdate)

/** What happens to a transcription, until it is done or failed. */
export const events = (transport: Transport) => (id: string, options?: FollowOptions) =>
  Stream.mapEffect(
    iterated(transport, (during) => transcriptions(during).events(id, options)),
    (event): Effect.Effect<TranscriptionEvent, AnswerError> => {
      const { id: eventId, type } = event
      switch (type) {
        case "progress":
          return Effect.map(progress(event.data), (data) => ({ type, id: eventId, data }))
        case "segment":
          return Effect.map(segment(event.data), (data) => ({ type, id: eventId, data }))
        default:
          return Effect.map(end(event.data), (data) => ({ type, id: eventId, data }))
      }
    },
  )

/** What happens in an account. */
export type AccountEvent =
  | Told<"job", JobChange>
  | Told<"credits", CreditsChange>
  | Told<"missed", Readonly<Record<never, never>>>

const job = decoded(JobChange)
const credits = decoded(CreditsChange)

/** What happens in the account, without an end. */
export const eventsAll = (transport: Transport) => (options?: FollowOptions) =>
  Stream.mapEffect(
    iterated(transport, (during) => transcriptions(during).eventsAll(options)),
    (event): Effect.Effect<AccountEvent, AnswerError> => {
      const { id, type } = event
      switch (type) {
        case "job":
          return Effect.map(job(event.data), (data) => ({ type, id, data }))
        case "credits":
          return Effect.map(credits(event.data), (data) => ({ type, id, data }))
        default:
          return Effect.succeed({ type, id, data: {} })
      }
    },
  )
