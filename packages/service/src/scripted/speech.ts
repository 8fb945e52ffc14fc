import type { Word } from "@earmark/core/transcripts"
import { numbersOf } from "./chance.js"

const WORDS =
  "the a of and to in that we it was on for with people time light water road house small river night every story question answer garden paper window music early train across letter winter memory ear mark sound voice city open table morning".split(
    " ",
  )
const WORD_MILLISECONDS = 400
const SENTENCE_WORDS = 9

/** What is said between two moments: follows from a text or from bytes, and always the same. */
export const speak = (seed: string | Uint8Array, start: number, end: number): ReadonlyArray<Word> => {
  const numbers = numbersOf(seed)
  const count = Math.max(1, Math.floor((end - start) / WORD_MILLISECONDS))
  const length = Math.floor((end - start) / count)
  return Array.from({ length: count }, (_, index) => {
    const number = numbers.next().value
    const word = WORDS[number % WORDS.length] ?? "a"
    const isFirst = index % SENTENCE_WORDS === 0
    const isLast = index % SENTENCE_WORDS === SENTENCE_WORDS - 1 || index === count - 1
    return {
      text: (isFirst ? word.charAt(0).toUpperCase() + word.slice(1) : word) + (isLast ? "." : ""),
      start: start + index * length,
      end: start + (index + 1) * length,
      confidence: 0.8 + (number % 20) / 100,
      speaker: null,
    }
  })
}
