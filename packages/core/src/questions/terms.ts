import { stopWordsOf } from "../text/commonWords.js"
import { fold, type Piece, piecesOf } from "../text/fold.js"
import { identifyLanguage } from "../text/identifyLanguage.js"
import { wordsOf } from "../text/words.js"

/** A telling word of a question. */
export interface Term {
  /** What all its forms begin with, as search compares text. */
  readonly stem: string
  readonly pieces: ReadonlyArray<Piece>
}

/** More words tell nothing more about what is asked. */
const MOST_TERMS = 24
/** Words longer than this are compared by their beginning. */
const STEM_LETTERS = 6
const SHORTEST_STEM = 4
const LATIN = /^[a-z]+$/
/** Endings of European languages; the longest that fits goes, then the next. */
const ENDINGS = ["ies", "ing", "ed", "en", "er", "es", "s", "e", "n", "y"]
/** A Korean word of three syllables and more mostly ends with a particle. */
const HANGUL = /^\p{Script=Hangul}{3}/u
const KOREAN_SYLLABLES = 2
const NUMBER = /^[\p{N}.,]+$/u
const NOT_IN_WORDS = /[^\p{L}\p{N}\p{M}]+/u

/** What the forms of a word have in common: never longer than the word, and always its beginning. */
export const stemOf = (word: string): string => {
  if (HANGUL.test(word)) return word.slice(0, KOREAN_SYLLABLES)
  let stem = word
  if (LATIN.test(word)) {
    for (;;) {
      const { length } = stem
      const ending = ENDINGS.find((each) => stem.endsWith(each) && length - each.length >= SHORTEST_STEM)
      if (ending === undefined) break
      stem = stem.slice(0, length - ending.length)
    }
  }
  return NUMBER.test(stem) ? stem : stem.slice(0, STEM_LETTERS)
}

/** The form in which words are compared. */
const comparable = (text: string): string => fold(text).normalize("NFKC")

/** A contraction is its longest part: `what's` is `what`. */
const partsOf = (word: string): ReadonlyArray<string> =>
  word.split(NOT_IN_WORDS).filter((part) => part !== "")

const wordsIn = (question: string): ReadonlyArray<string> => wordsOf(comparable(question)).flatMap(partsOf)

const foldedStopWords = new Map<string | null, ReadonlyArray<string>>()

const stopWordsIn = (language: string | null): ReadonlyArray<string> => {
  const known = foldedStopWords.get(language)
  if (known !== undefined) return known
  const words = [...stopWordsOf(language)].flatMap((word) => partsOf(comparable(word)))
  foldedStopWords.set(language, words)
  return words
}

/** Stop words of the language of the question, and of English, which short questions are easily taken not to be in. */
const stopWordsFor = (question: string): ReadonlySet<string> =>
  new Set([identifyLanguage(question)?.code ?? null, "en"].flatMap(stopWordsIn))

/** The telling words of a question, each once. A question of nothing but common words is searched by those. */
export const termsOf = (question: string): ReadonlyArray<Term> => {
  const words = wordsIn(question)
  const stopWords = stopWordsFor(question)
  const telling = words.filter((word) => !stopWords.has(word) && (word.length > 1 || !LATIN.test(word)))
  const stems = new Set((telling.length > 0 ? telling : words).map(stemOf))
  return [...stems].slice(0, MOST_TERMS).map((stem) => ({ stem, pieces: piecesOf(fold(stem)) }))
}
