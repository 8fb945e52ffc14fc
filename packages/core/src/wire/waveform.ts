import * as Schema from "effect/Schema"
import { integerText, optionalParameter, SecondsText } from "../jobs/fields.js"

/** The query of `GET /transcriptions/{id}/waveform`. */
export const WaveformQuery = Schema.Struct({
  /** The beginning of the recording when left out. */
  from: optionalParameter(SecondsText),
  /** Its end when left out. */
  to: optionalParameter(SecondsText),
  points: Schema.optionalWith(integerText(1, 20_000), { default: () => 2000 }),
})
export type WaveformQuery = typeof WaveformQuery.Type
