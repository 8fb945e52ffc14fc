import { EndUpdate, ProgressUpdate, SegmentUpdate } from "@earmark/core/wire"
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
