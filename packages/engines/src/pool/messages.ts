import { Warning } from "@earmark/core/jobs"
import { Schema } from "effect"

const SharedWord = Schema.Struct({
  text: Schema.String,
  start: Schema.Number,
  end: Schema.Number,
  confidence: Schema.NullOr(Schema.Number),
})

/** An answer that is words already. */
export const HeardMessage = Schema.Struct({
  words: Schema.Array(SharedWord),
  language: Schema.NullOr(Schema.Struct({ code: Schema.String, confidence: Schema.Number })),
  warnings: Schema.Array(Warning),
})

/** What a child says to whoever started it. */
export const FromChild = Schema.Union(
  Schema.Struct({ type: Schema.Literal("loaded") }),
  Schema.Struct({ type: Schema.Literal("unloadable"), message: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("result"),
    id: Schema.Number,
    answer: Schema.Unknown,
    residentBytes: Schema.Number,
  }),
  Schema.Struct({ type: Schema.Literal("failed"), id: Schema.Number, message: Schema.String }),
)
export type FromChild = typeof FromChild.Type
