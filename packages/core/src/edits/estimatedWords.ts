import type { Segment, Word } from "../transcripts/Transcript.js"

const byStart = (left: Word, right: Word): number => left.start - right.start

const wordsOutside = (lines: ReadonlyArray<Segment>, others: ReadonlyArray<Segment>): ReadonlyArray<Word> => {
  const known = new Set(others)
  return lines.filter((line) => !known.has(line)).flatMap(({ words }) => words)
}

/** How many words of corrected lines were given a time in which no word was heard. Lines that stay are the same objects. */
export const estimatedWords = (heard: ReadonlyArray<Segment>, now: ReadonlyArray<Segment>): number => {
  const words = wordsOutside(now, heard)
  if (words.length === 0) return 0
  const measured = wordsOutside(heard, now).toSorted(byStart)
  let at = 0
  return words.toSorted(byStart).filter(({ start, end }) => {
    while ((measured[at]?.start ?? start) < start) at += 1
    // What replaces a word has its time, and mostly the pauses beside it.
    const within = measured[at]
    return within === undefined || within.end > end
  }).length
}
