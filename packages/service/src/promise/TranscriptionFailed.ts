import { FailureCode, JobId } from "@earmark/core/jobs"
import { Schema } from "effect"

/** A job that was waited for has failed. */
export class TranscriptionFailed extends Schema.TaggedError<TranscriptionFailed>()("TranscriptionFailed", {
  id: JobId,
  code: FailureCode,
  /** What happened and what to do. */
  detail: Schema.String,
}) {
  override get message() {
    return this.detail
  }
}
