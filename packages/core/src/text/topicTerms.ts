import { stopWordsOf } from "./commonWords.js"
import { hasUnspaced, wordsOf } from "./words.js"

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
/** A word in a larger share of the sentences than this tells nothing. Without a list of stop words it must tell more. */
const COMMON_SHARE = { listed: 0.2, unlisted: 0.06 } as const
/** Shares mean nothing in a handful of sentences. */
const FEWEST_SENTENCES = 20
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
  const spread: Array<number> = []
  const lastSentence: Array<number> = []

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
      if (lastSentence[term] !== index) {
        lastSentence[term] = index
        spread[term] = (spread[term] ?? 0) + 1
      }
    }
    return terms
  })
  const share = stopWords.size > 1 ? COMMON_SHARE.listed : COMMON_SHARE.unlisted
  const most = texts.length < FEWEST_SENTENCES ? Number.POSITIVE_INFINITY : Math.max(3, share * texts.length)
  const isTelling = (term: number) => term >= 0 && (spread[term] ?? 0) <= most
  return {
    sentences: all.map((terms) => Int32Array.from(terms.filter(isTelling))),
    vocabulary: numbers.size,
    termOf: (word) => {
      const term = byWord.get(word) ?? -1
      return isTelling(term) ? term : -1
    },
  }
}
