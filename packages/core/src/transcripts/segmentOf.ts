import { joinUnits } from "../text/units.js"
import type { Segment, Word } from "./Transcript.js"

/** The segment that words of one speaker make. */
export const segmentOf = (words: ReadonlyArray<Word>): Segment => {
  let start = Number.POSITIVE_INFINITY
  let end = 0
  for (const word of words) {
    start = Math.min(start, word.start)
    end = Math.max(end, word.end)
  }
  return {
    start,
    end: Math.max(start, end),
    speaker: words[0]?.speaker ?? null,
    text: joinUnits(words.map(({ text }) => text)),
    words,
  }
}
