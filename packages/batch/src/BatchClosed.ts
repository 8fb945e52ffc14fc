import { Data } from "effect"

/** A method was called after `close()`, or was under way when it was called. */
export class BatchClosed extends Data.TaggedError("BatchClosed") {
  override get message() {
    return "This batch runner is closed. Make another one with makeBatch."
  }
}
