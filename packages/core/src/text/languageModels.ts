import { sharedAlphabets } from "./commonWords.js"

/** Log likelihoods of words in one language, learnt from its list of common words alone. */
export interface LanguageModel {
  readonly code: string
  /** Log probability of a whole lower-case word. */
  readonly logOf: (word: string) => number
  /** Whether the word is on the list. */
  readonly has: (word: string) => boolean
}

/** The share of running text that comes from the list of common words. */
const LISTED_SHARE = 0.45
/** Letters are guessed from the two before them, else one, else none, else any letter. */
const TRUST = { three: 0.5, two: 0.3, one: 0.17, any: 0.03 } as const
const ALPHABET = 120
/** A word is one of so many words of its length: what a list word is compared with. */
const LETTERS_READ = 12

type Counts = Map<string, number>

const add = (counts: Counts, key: string, amount: number) => counts.set(key, (counts.get(key) ?? 0) + amount)

const learn = (code: string, words: ReadonlyArray<string>): LanguageModel => {
  const ranks = new Map<string, number>()
  const grams: Counts = new Map()
  for (const word of words) {
    if (ranks.has(word)) continue
    ranks.set(word, ranks.size)
    const padded = `  ${word} `
    for (let at = 2; at < padded.length; at++) {
      for (const length of [0, 1, 2]) {
        const before = padded.slice(at - length, at)
        add(grams, `${length}<${before}`, 1)
        add(grams, `${length}=${before}${padded.charAt(at)}`, 1)
      }
    }
  }
  let weights = 0
  for (let rank = 0; rank < ranks.size; rank++) weights += 1 / (rank + 4)

  const share = (length: number, before: string, letter: string) => {
    const seen = grams.get(`${length}<${before}`)
    return seen === undefined ? 0 : (grams.get(`${length}=${before}${letter}`) ?? 0) / seen
  }
  const spelled = (word: string) => {
    const padded = `  ${word.slice(0, LETTERS_READ)} `
    let log = 0
    for (let at = 2; at < padded.length; at++) {
      const letter = padded.charAt(at)
      log += Math.log(
        TRUST.three * share(2, padded.slice(at - 2, at), letter) +
          TRUST.two * share(1, padded.slice(at - 1, at), letter) +
          TRUST.one * share(0, "", letter) +
          TRUST.any / ALPHABET,
      )
    }
    return log
  }
  return {
    code,
    has: (word) => ranks.has(word),
    logOf: (word) => {
      const rank = ranks.get(word)
      const listed = rank === undefined ? 0 : LISTED_SHARE / ((rank + 4) * weights)
      return Math.log(listed + (1 - LISTED_SHARE) * Math.exp(spelled(word)))
    },
  }
}

export type SharedAlphabet = keyof typeof sharedAlphabets

const models = new Map<SharedAlphabet, ReadonlyArray<LanguageModel>>()

/** The models of all languages of an alphabet. Learnt when first asked for: most programs never do. */
export const modelsOf = (alphabet: SharedAlphabet): ReadonlyArray<LanguageModel> => {
  const known = models.get(alphabet)
  if (known !== undefined) return known
  const learnt = Object.entries(sharedAlphabets[alphabet]).map(([code, words]) =>
    learn(code, words.split(/\s+/)),
  )
  models.set(alphabet, learnt)
  return learnt
}
