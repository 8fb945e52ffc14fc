import * as Data from "effect/Data"

/** Nothing in the input is a caption file. */
export class NotCaptions extends Data.TaggedError("NotCaptions")<{ readonly message: string }> {}
