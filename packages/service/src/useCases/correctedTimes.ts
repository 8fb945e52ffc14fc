import type { IntegrityFlag, Warning, WordTiming } from "@earmark/core/jobs"
import type { Content } from "../ports/records.js"
import { MOST_ESTIMATED } from "./mostEstimated.js"

type Corrected = Pick<Content, "segments" | "estimatedWords">

/** What a record says about the times of its words. */
interface Timed {
  readonly wordTiming: WordTiming | null
  readonly warnings: ReadonlyArray<Warning>
  readonly integrity: { readonly flags: ReadonlyArray<IntegrityFlag> } | null
}

const ESTIMATED: Warning = {
  code: "word_times_estimated",
  detail: "A correction added or moved words; their times are estimated from the words around them.",
}

/** Where the word times of a transcript come from, as it is corrected. */
export const correctedTiming = (
  heard: WordTiming | null,
  { segments, estimatedWords = 0 }: Corrected,
): WordTiming | null => {
  const all = segments.reduce((sum, { words }) => sum + words.length, 0)
  return heard !== null && estimatedWords > all * MOST_ESTIMATED ? "estimated" : heard
}

/** A record that says so where corrections left words with estimated times. */
export const withCorrectedTimes = <Shown extends Timed>(record: Shown, content: Corrected): Shown => {
  if ((content.estimatedWords ?? 0) === 0) return record
  const { warnings, integrity } = record
  const isWarned = warnings.some(({ code }) => code === ESTIMATED.code)
  const isFlagged = integrity === null || integrity.flags.includes("interpolated_words")
  return {
    ...record,
    wordTiming: correctedTiming(record.wordTiming, content),
    warnings: isWarned ? warnings : [...warnings, ESTIMATED],
    integrity: isFlagged ? integrity : { ...integrity, flags: [...integrity.flags, "interpolated_words"] },
  }
}
