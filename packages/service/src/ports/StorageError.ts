import { Schema } from "effect"

/**
 * A failure of the storage technology itself. Callers cannot repair it, only repeat or report it.
 * - `unavailable`: nothing was done; the store cannot be reached, takes no writes or is overloaded.
 * - `unknown`: the answer to a write was lost; repeating it under the same keys is safe and tells what happened.
 * - `broken`: the store answered something it never should; repeating does not help.
 */
export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  operation: Schema.String,
  reason: Schema.Literal("unavailable", "unknown", "broken"),
  cause: Schema.Defect,
}) {
  override get message(): string {
    return `${this.operation} failed (${this.reason})`
  }

  get isTransient(): boolean {
    return this.reason !== "broken"
  }
}
