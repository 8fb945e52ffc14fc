import * as Schema from "effect/Schema"
import { doubtReasons } from "../transcripts/doubts.js"
import { integrityFlags } from "../transcripts/integrity.js"
import { Count, field, Seconds, sometimes } from "./fields.js"

export const IntegrityFlag = Schema.Literal(...integrityFlags)
export type IntegrityFlag = typeof IntegrityFlag.Type

export const DoubtReason = Schema.Literal(...doubtReasons)
export type DoubtReason = typeof DoubtReason.Type

const span = { start: Seconds, end: Seconds }

/** How far the transcript covers the speech, and where it looks wrong. Null numbers: there was no audio to measure. */
export const Integrity = Schema.Struct({
  speechSeconds: field("speech_seconds", Schema.NullOr(Schema.NonNegative)),
  transcribedSeconds: field("transcribed_seconds", Schema.NullOr(Schema.NonNegative)),
  coverage: Schema.NullOr(Schema.Number.pipe(Schema.between(0, 1))),
  gaps: Schema.Array(Schema.Struct(span)),
  repeats: Schema.Array(Schema.Struct({ ...span, count: Count, text: Schema.String })),
  /** Text of an engine that may not be what was said; absent in reports that were made before there was such a list. */
  doubts: sometimes(Schema.Array(Schema.Struct({ ...span, reason: DoubtReason }))),
  lowConfidence: field(
    "low_confidence",
    Schema.Array(Schema.Struct({ ...span, confidence: Schema.Number.pipe(Schema.between(0, 1)) })),
  ),
  flags: Schema.Array(IntegrityFlag),
})
export type Integrity = typeof Integrity.Type
