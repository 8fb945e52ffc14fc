/** What webhooks tell: a summary only; the job itself is read with a GET. */
import * as Schema from "effect/Schema"
import { FailureCode } from "../jobs/failures.js"
import { Count, sometimes } from "../jobs/fields.js"
import { EndpointId, JobId } from "../jobs/ids.js"
import { transcriptionPath } from "./CreateTranscription.js"

/** The kinds of events that an endpoint can ask for. */
export const SubscribedEvent = Schema.Literal("transcription.completed", "transcription.failed")
export type SubscribedEvent = typeof SubscribedEvent.Type

export const EventType = Schema.Literal(...SubscribedEvent.literals, "webhook.test")
export type EventType = typeof EventType.Type

const EndedTranscription = <Status extends "done" | "failed">(status: Status) =>
  Schema.Struct({
    id: JobId,
    status: Schema.Literal(status),
    url: Schema.String,
    failure: sometimes(Schema.Struct({ code: FailureCode })),
  })

export const CompletedEvent = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("transcription.completed"),
  created: Count,
  data: Schema.Struct({ transcription: EndedTranscription("done") }),
})

export const FailedEvent = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("transcription.failed"),
  created: Count,
  data: Schema.Struct({ transcription: EndedTranscription("failed") }),
})

export const TestEvent = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("webhook.test"),
  created: Count,
  data: Schema.Struct({ webhook: Schema.Struct({ id: EndpointId }) }),
})

/** The body of a delivery. `created` is in unix seconds. */
export const Event = Schema.Union(CompletedEvent, FailedEvent, TestEvent)
export type Event = typeof Event.Type

/** A job that ended, as far as an event tells of it. */
export interface EndedJob {
  readonly id: JobId
  /** 0 for the first run. */
  readonly run: number
  /** Null when the job is done. */
  readonly failure: FailureCode | null
  /** In milliseconds. */
  readonly completedAt: number
}

/** One id for each end of a job: a job that failed again after a retry has another one, since receivers dedupe on it. */
export const eventIdOf = (job: Pick<EndedJob, "id" | "run" | "failure">): string => {
  if (job.failure === null) return `${job.id}.done`
  return job.run === 0 ? `${job.id}.failed` : `${job.id}.failed.${job.run + 1}`
}

/** The job that an event tells of: what its id begins with. */
export const jobOfEvent = (eventId: string): string => eventId.split(".", 1).join("")

export const endedEvent = (job: EndedJob, baseUrl: string): Event => {
  const id = eventIdOf(job)
  const created = Math.floor(job.completedAt / 1000)
  const url = baseUrl.replace(/\/$/, "") + transcriptionPath(job.id)
  return job.failure === null
    ? {
        id,
        type: "transcription.completed",
        created,
        data: { transcription: { id: job.id, status: "done", url } },
      }
    : {
        id,
        type: "transcription.failed",
        created,
        data: { transcription: { id: job.id, status: "failed", url, failure: { code: job.failure } } },
      }
}

/** `now` in milliseconds. */
export const testEvent = (endpoint: EndpointId, uuid: string, now: number): Event => ({
  id: `test_${uuid}`,
  type: "webhook.test",
  created: Math.floor(now / 1000),
  data: { webhook: { id: endpoint } },
})

const encodeEvent = Schema.encodeSync(Event)

/** The bytes of an event. They are made once, stored, and sent unchanged in every attempt. */
export const eventBody = (event: Event): string => JSON.stringify(encodeEvent(event))
