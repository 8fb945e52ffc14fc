import type { Word } from "../transcripts/Transcript.js"

/** The most that a turn waits for the one before it. */
const LONGEST_WAIT = 500

const isTurnStart = (words: ReadonlyArray<Word>, index: number) =>
  index > 0 && words[index]?.speaker !== words[index - 1]?.speaker

/**
 * When two talk at once, the turn that is cut short would flash by. Here the next turn waits for it, up to half a
 * second, and never so long that its own first word is over. The words must be in repaired order.
 */
export const yieldTurns = (words: ReadonlyArray<Word>, minDuration: number): ReadonlyArray<Word> => {
  const yielded = words.slice()
  let turnStart = words[0]?.start ?? 0
  for (let index = 1; index < words.length; index++) {
    const word = words[index]
    if (word === undefined || !isTurnStart(words, index)) continue
    const next = words[index + 1]
    const latest = Math.min(word.end, next?.start ?? word.end) - 1
    const wanted = Math.min(turnStart + minDuration, word.start + LONGEST_WAIT, latest)
    const start = Math.max(word.start, wanted)
    if (start > word.start) yielded[index] = { ...word, start }
    turnStart = start
  }
  return yielded
}
