import { Schema } from "effect"

/** A method was called after `close()`, or was still waiting when it was called. */
export class EarmarkClosed extends Schema.TaggedError<EarmarkClosed>()("EarmarkClosed", {}) {
  override get message() {
    return "This Earmark is closed. Make another one with makeEarmark."
  }
}
