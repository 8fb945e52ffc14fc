/** What can be wrong with a request about a job. Hosts translate these; they know no HTTP. */
import * as Schema from "effect/Schema"
import { JobStatus } from "./states.js"

export class JobNotFound extends Schema.TaggedError<JobNotFound>()("JobNotFound", { id: Schema.String }) {
  override get message() {
    return `No transcription with id ${this.id}`
  }
}

export class BatchNotFound extends Schema.TaggedError<BatchNotFound>()("BatchNotFound", {
  id: Schema.String,
}) {
  override get message() {
    return `No batch with id ${this.id}`
  }
}

export class EndpointNotFound extends Schema.TaggedError<EndpointNotFound>()("EndpointNotFound", {
  id: Schema.String,
}) {
  override get message() {
    return `No webhook endpoint with id ${this.id}`
  }
}

export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  id: Schema.String,
}) {
  override get message() {
    return `No delivery with id ${this.id}`
  }
}

export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { id: Schema.String }) {
  override get message() {
    return `No key with id ${this.id}`
  }
}

export class GrantNotFound extends Schema.TaggedError<GrantNotFound>()("GrantNotFound", {
  id: Schema.String,
}) {
  override get message() {
    return `The account has let in no app under ${this.id}`
  }
}

export class PurchaseNotFound extends Schema.TaggedError<PurchaseNotFound>()("PurchaseNotFound", {
  id: Schema.String,
}) {
  override get message() {
    return `No purchase with id ${this.id}`
  }
}

export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  id: Schema.String,
}) {
  override get message() {
    return `No account with id ${this.id}`
  }
}

/** The job is done or failed, and that is final. */
export class JobAlreadyEnded extends Schema.TaggedError<JobAlreadyEnded>()("JobAlreadyEnded", {
  status: JobStatus,
}) {
  override get message() {
    return `The transcription is ${this.status} already`
  }
}

/** Only a failed job whose media may still be there can be retried. */
export class JobNotRetryable extends Schema.TaggedError<JobNotRetryable>()("JobNotRetryable", {
  reason: Schema.Literal("queued", "done", "expired"),
}) {
  override get message() {
    return this.reason === "expired"
      ? "The transcription is past its retention; create a new one"
      : `Only a failed transcription can be retried; this one is ${this.reason}`
  }
}

/** Nothing can be done for the job before its credits are there. */
export class JobWaitsForCredits extends Schema.TaggedError<JobWaitsForCredits>()("JobWaitsForCredits", {}) {
  override get message() {
    return "The transcription waits for credits"
  }
}

/** The job was told that its credits are there, but it does not wait for them. */
export class JobNotWaiting extends Schema.TaggedError<JobNotWaiting>()("JobNotWaiting", {}) {
  override get message() {
    return "The transcription does not wait for credits"
  }
}

/** The transcript was deleted at the end of its retention. */
export class JobExpired extends Schema.TaggedError<JobExpired>()("JobExpired", { id: Schema.String }) {
  override get message() {
    return `The transcription ${this.id} is past its retention`
  }
}
