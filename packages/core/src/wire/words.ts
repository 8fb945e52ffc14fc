import * as Schema from "effect/Schema"
import { Count, integer } from "../jobs/fields.js"

const counts = (description: string) => Schema.Array(Count).annotations({ description })

/** The answer of `GET /transcriptions/{id}/words`: one entry a word in every column but `counts`. */
export const TranscriptWords = Schema.Struct({
  counts: counts("How many words each segment has"),
  offsets: counts(
    "Characters (UTF-16 units) between the end of the word before in the same segment, or the beginning of its text, and the word",
  ),
  lengths: counts("Characters (UTF-16 units) of the word; 0 where the text of the segment does not hold it"),
  starts: Schema.Array(Schema.Int).annotations({
    description:
      "1/100 s from the end of the word before to the start of the word; for the first word from 0; negative where they overlap",
  }),
  ends: Schema.Array(Schema.Int).annotations({
    description: "1/100 s from the start of the word to its end",
  }),
  confidence: Schema.Array(Schema.NullOr(integer(0, 100))).annotations({
    description: "0 to 100, or null where the engine gives none",
  }),
})
export type TranscriptWords = typeof TranscriptWords.Type
