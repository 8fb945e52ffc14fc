import type { Segment } from "./Transcript.js"

/** This share of the text must have real word times for an answer at word level. */
const LEAST_TIMED = 0.95

/** Whether enough of a transcript has times of words to show it word by word. */
export const hasWordTimes = (segments: ReadonlyArray<Pick<Segment, "text" | "words">>): boolean => {
  let all = 0
  let timed = 0
  for (const { text, words } of segments) {
    all += text.length
    if (words.length > 0) timed += text.length
  }
  return timed >= all * LEAST_TIMED
}
