import * as Schema from "effect/Schema"
import { Count, field, Seconds } from "./wire.js"

export const IntegrityFlag = Schema.Literal(
  "low_coverage",
  "text_in_silence",
  "impossible_rate",
  "time_disorder",
  "ends_early",
  "interpolated_words",
  "looping",
  "language_switch",
  "no_audio",
)
export type IntegrityFlag = typeof IntegrityFlag.Type

const span = { start: Seconds, end: Seconds }

/** How far the transcript covers the speech, and where it looks wrong. Null numbers: there was no audio to measure. */
export const Integrity = Schema.Struct({
  speechSeconds: field("speech_seconds", Schema.NullOr(Schema.NonNegative)),
  transcribedSeconds: field("transcribed_seconds", Schema.NullOr(Schema.NonNegative)),
  coverage: Schema.NullOr(Schema.Number.pipe(Schema.between(0, 1))),
  gaps: Schema.Array(Schema.Struct(span)),
  repeats: Schema.Array(Schema.Struct({ ...span, count: Count, text: Schema.String })),
  lowConfidence: field(
    "low_confidence",
    Schema.Array(Schema.Struct({ ...span, confidence: Schema.Number.pipe(Schema.between(0, 1)) })),
  ),
  flags: Schema.Array(IntegrityFlag),
})
export type Integrity = typeof Integrity.Type
