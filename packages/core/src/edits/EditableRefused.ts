import { TaggedError } from "effect/Data"

/** Why an edited file was not understood. Nothing of it is applied then. */
export class EditableRefused extends TaggedError("EditableRefused")<{
  /** The line of the file, counted from 1; null when the file as a whole is refused. */
  readonly line: number | null
  readonly detail: string
}> {
  override get message() {
    return this.line === null ? this.detail : `Line ${this.line}: ${this.detail}`
  }
}
