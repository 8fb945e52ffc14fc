/** What `GET /transcriptions/{id}/events` sends while a job runs, one server-sent event each. */
import * as Schema from "effect/Schema"
import { SpokenSegment } from "../jobs/content.js"
import { FailureCode } from "../jobs/failures.js"
import { Count } from "../jobs/fields.js"
import { Phase } from "../jobs/states.js"
import { Acknowledgement } from "./CreateTranscription.js"

/** `progress`: what the job is doing, and how far it is. */
export const ProgressUpdate = Schema.Struct({
  phase: Phase,
  progress: Schema.Number.pipe(Schema.between(0, 1)),
})
export type ProgressUpdate = typeof ProgressUpdate.Type

/** `segment`: a line as soon as it is recognised. `index` counts the lines of the job from 0. */
export const SegmentUpdate = Schema.Struct({ index: Count, ...SpokenSegment.fields })
export type SegmentUpdate = typeof SegmentUpdate.Type

/** `done` or `failed`: the last event of a stream. */
export const EndUpdate = Schema.Struct({
  id: Acknowledgement.fields.id,
  status: Schema.Literal("done", "failed"),
  url: Acknowledgement.fields.url,
  failure: Schema.NullOr(Schema.Struct({ code: FailureCode })),
})
export type EndUpdate = typeof EndUpdate.Type

/** One event of a stream: its name, and what it says. */
export const JobUpdate = Schema.Union(
  Schema.Struct({ event: Schema.Literal("progress"), data: ProgressUpdate }),
  Schema.Struct({ event: Schema.Literal("segment"), data: SegmentUpdate }),
  Schema.Struct({ event: Schema.Literal("done", "failed"), data: EndUpdate }),
)
export type JobUpdate = typeof JobUpdate.Type
