/** What `GET /transcriptions/{id}/events` and `GET /events` send, one server-sent event each. */
import * as Schema from "effect/Schema"
import { SpokenSegment } from "../jobs/content.js"
import { FailureCode } from "../jobs/failures.js"
import { Count } from "../jobs/fields.js"
import { JobStatus, Phase } from "../jobs/states.js"
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

/** `job`: how a job of the account stands now. `phase` is null when it has ended; `deleted` jobs are gone. */
export const JobChange = Schema.Struct({
  id: Acknowledgement.fields.id,
  status: Schema.Literal(...JobStatus.literals, "deleted"),
  phase: Schema.NullOr(Phase),
  progress: ProgressUpdate.fields.progress,
})
export type JobChange = typeof JobChange.Type

/** `credits`: the balance of the account now. */
export const CreditsChange = Schema.Struct({ balance: Schema.Int, held: Count, available: Schema.Int })
export type CreditsChange = typeof CreditsChange.Type

/** An object without fields. */
const Nothing = Schema.Struct({}).annotations({ jsonSchema: { type: "object" } })

/** One event of an account. `missed`: more has changed than is sent one by one, so lists have to be read again. */
export const AccountUpdate = Schema.Union(
  Schema.Struct({ event: Schema.Literal("job"), data: JobChange }),
  Schema.Struct({ event: Schema.Literal("credits"), data: CreditsChange }),
  Schema.Struct({ event: Schema.Literal("missed"), data: Nothing }),
)
export type AccountUpdate = typeof AccountUpdate.Type
