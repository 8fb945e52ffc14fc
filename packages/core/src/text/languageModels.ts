import { sharedAlphabets } from "./commonWords.js"

/** How likely words are in each language of an alphabet, learnt from the lists of common words alone. */
export interface LanguageModels {
  readonly codes: ReadonlyArray<string>
  /** Log likelihood of the lower-case words in each language, in the order of `codes`. */
  readonly scoresOf: (words: ReadonlyArray<string>) => Float64Array
}

/** The share of running text that comes from the list of common words. */
const LISTED_SHARE = 0.45
/** The flattening of word frequencies: the first words of a list are not that much more common than the next. */
const RANK_OFFSET = 4
/** A letter is guessed from the two before it, from one, from none, and then any letter is as good. */
const TRUST = [0.17, 0.3, 0.5] as const
const ANY_LETTER = 0.03 / 120
const LETTERS_READ = 12

/** For each string one number for each language. */
class Table {
  readonly rows = new Map<string, Float64Array>()
  readonly languages: number

  constructor(languages: number) {
    this.languages = languages
  }

  add(key: string, language: number, amount: number): void {
    let row = this.rows.get(key)
    if (row === undefined) {
      row = new Float64Array(this.languages)
      this.rows.set(key, row)
    }
    row[language] = (row[language] ?? 0) + amount
  }
}

/** Each letter of a word with the letters before it: none, one and two. Words begin after two spaces and end with one. */
const eachLetter = (word: string, visit: (letter: string, before: string, order: number) => void) => {
  const padded = `  ${word.slice(0, LETTERS_READ)} `
  for (let at = 2; at < padded.length; at++)
    for (let order = 0; order < TRUST.length; order++)
      visit(padded.charAt(at), padded.slice(at - order, at), order)
}

/** Counts become the share of each letter after what came before it, weighed by how much that says. */
const learnLetters = (lists: ReadonlyArray<ReadonlyArray<string>>): Table => {
  const letters = new Table(lists.length)
  const before = new Table(lists.length)
  lists.forEach((words, language) => {
    for (const word of words)
      eachLetter(word, (letter, context) => {
        letters.add(context + letter, language, 1)
        before.add(context, language, 1)
      })
  })
  for (const [gram, counts] of letters.rows) {
    const contexts = before.rows.get(gram.slice(0, -1))
    const trust = TRUST[gram.length - 1] ?? 0
    counts.forEach((count, language) => {
      counts[language] = count === 0 ? 0 : (trust * count) / (contexts?.[language] ?? 1)
    })
  }
  return letters
}

const learnWords = (lists: ReadonlyArray<ReadonlyArray<string>>): Table => {
  const table = new Table(lists.length)
  lists.forEach((words, language) => {
    const total = words.reduce((sum, _, rank) => sum + 1 / (rank + RANK_OFFSET), 0)
    words.forEach((word, rank) => {
      table.add(word, language, LISTED_SHARE / ((rank + RANK_OFFSET) * total))
    })
  })
  return table
}

const learn = (alphabet: SharedAlphabet): LanguageModels => {
  const codes = Object.keys(sharedAlphabets[alphabet])
  const lists = Object.values(sharedAlphabets[alphabet]).map((words) => [...new Set(words.split(/\s+/))])
  const letters = learnLetters(lists).rows
  const listed = learnWords(lists).rows

  const spelled = (word: string) => {
    const logs = new Float64Array(codes.length)
    const chances = new Float64Array(codes.length)
    eachLetter(word, (letter, before, order) => {
      if (order === 0) chances.fill(ANY_LETTER)
      const row = letters.get(before + letter)
      if (row !== undefined)
        for (let at = 0; at < row.length; at++) chances[at] = (chances[at] ?? 0) + (row[at] ?? 0)
      if (order === TRUST.length - 1)
        for (let at = 0; at < logs.length; at++) logs[at] = (logs[at] ?? 0) + Math.log(chances[at] ?? 0)
    })
    return logs
  }
  return {
    codes,
    scoresOf: (words) => {
      const scores = new Float64Array(codes.length)
      for (const word of words) {
        const row = listed.get(word)
        spelled(word).forEach((log, at) => {
          const likelihood = (row?.[at] ?? 0) + (1 - LISTED_SHARE) * Math.exp(log)
          scores[at] = (scores[at] ?? 0) + Math.log(likelihood)
        })
      }
      return scores
    },
  }
}

export type SharedAlphabet = keyof typeof sharedAlphabets

const learnt = new Map<SharedAlphabet, LanguageModels>()

/** The models of an alphabet. Learnt when first asked for: most programs never do. */
export const modelsOf = (alphabet: SharedAlphabet): LanguageModels => {
  const known = learnt.get(alphabet)
  if (known !== undefined) return known
  const models = learn(alphabet)
  learnt.set(alphabet, models)
  return models
}
