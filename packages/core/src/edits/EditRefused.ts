import { TaggedError } from "effect/Data"

/** Why an edit was not applied. Nothing of its list is applied then. */
export class EditRefused extends TaggedError("EditRefused")<{
  readonly reason:
    | "too_many_operations"
    | "too_many_revisions"
    | "unknown_line"
    | "unknown_speaker"
    | "unknown_revision"
    | "invalid_text"
    | "invalid_speaker"
    | "invalid_split"
    | "invalid_times"
    | "last_line"
    | "changed_later"
  /** The operation that failed, counted from 0; null when the list as a whole is refused. */
  readonly operation: number | null
  readonly detail: string
}> {
  override get message() {
    return this.operation === null ? this.detail : `Operation ${this.operation + 1}: ${this.detail}`
  }
}
