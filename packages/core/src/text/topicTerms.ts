import { stopWordsOf } from "./commonWords.js"
import { hasUnspaced } from "./units.js"
import { wordsOf } from "./words.js"

/** The telling words of a list of sentences, as numbers. */
export interface TopicTerms {
  /** For each sentence the terms in it, in order, repeats kept. */
  readonly sentences: ReadonlyArray<Int32Array>
  /** How many different terms there are. */
  readonly vocabulary: number
  /** The number of a word as it is written, or -1 when it tells nothing about a topic. */
  readonly termOf: (word: string) => number
}

/** Words longer than this count as one when they begin alike: endings differ, the topic does not. */
const STEM_LETTERS = 6
const SHORTEST = 3
/** A word is common when it is in a larger share of the sentences than this, and in most parts of the recording. */
const COMMON_SHARE = { listed: 0.15, unlisted: 0.04 } as const
const PARTS = 16
const COMMON_PARTS = 12
const NUMBER = /^[\p{N}.,]+$/u

const stemOf = (word: string) => (word.length > STEM_LETTERS ? word.slice(0, STEM_LETTERS) : word)

const isTooShort = (word: string) => word.length < (hasUnspaced(word) ? 2 : SHORTEST)

/** Whether a lower-case word may carry a topic in any language. */
const isContent = (word: string, stopWords: ReadonlySet<string>) =>
  !isTooShort(word) && !NUMBER.test(word) && !stopWords.has(word)

/** Finds the telling words: stop words of the language, where it has a list, and words that are everywhere are left out. */
export const topicTermsOf = (texts: ReadonlyArray<string>, language: string | null): TopicTerms => {
  const stopWords = stopWordsOf(language)
  const numbers = new Map<string, number>()
  const byWord = new Map<string, number>()
  const spread: Array<{ sentences: number; parts: number; sentence: number; part: number }> = []

  const numberOf = (written: string) => {
    const known = byWord.get(written)
    if (known !== undefined) return known
    const word = written.toLowerCase().replaceAll("’", "'")
    let number = -1
    if (isContent(word, stopWords)) {
      const stem = stemOf(word)
      number = numbers.get(stem) ?? numbers.size
      numbers.set(stem, number)
    }
    byWord.set(written, number)
    return number
  }
  const all = texts.map((text, index) => {
    const terms: Array<number> = []
    for (const word of wordsOf(text)) {
      const term = numberOf(word)
      if (term < 0) continue
      terms.push(term)
      const seen = spread[term] ?? { sentences: 0, parts: 0, sentence: -1, part: -1 }
      const part = Math.floor((PARTS * index) / texts.length)
      if (seen.sentence !== index) seen.sentences += 1
      if (seen.part !== part) seen.parts += 1
      seen.sentence = index
      seen.part = part
      spread[term] = seen
    }
    return terms
  })
  const share = stopWords.size > 1 ? COMMON_SHARE.listed : COMMON_SHARE.unlisted
  const isCommon = (term: number) =>
    (spread[term]?.sentences ?? 0) > share * texts.length && (spread[term]?.parts ?? 0) >= COMMON_PARTS
  const isTelling = (term: number) => term >= 0 && !isCommon(term)
  return {
    sentences: all.map((terms) => Int32Array.from(terms.filter(isTelling))),
    vocabulary: numbers.size,
    termOf: (word) => {
      const term = byWord.get(word) ?? -1
      return isTelling(term) ? term : -1
    },
  }
}
