import { type Folding, type Piece, piecesOf } from "./fold.js"

/** Words that must stand one after the other; between them only spaces and punctuation. */
export interface Phrase {
  readonly pieces: ReadonlyArray<Piece>
  /** The last piece may be the beginning of a longer word. */
  readonly prefix: boolean
  /** In quotes it is meant as it is written, and no word of it nearly so. */
  readonly quoted: boolean
}

/** What a person is taken to type at most. */
const QUERY_CHARACTERS = 1000
const QUOTES = /["“”„«»]/

/**
 * Reads what a person typed: each word must occur, words in quotes must occur as a phrase, and the last word may be
 * unfinished unless it is quoted. `*` at the end of a word or phrase makes any of them a beginning. There are no other
 * operators, and nothing typed is an error.
 */
export const parseQuery = (query: string, folding: Folding): ReadonlyArray<Phrase> => {
  const phrases: Array<Phrase> = []
  const add = (text: string, prefix: boolean, quoted: boolean) => {
    const pieces = piecesOf(folding(text))
    if (pieces.length > 0) phrases.push({ pieces, prefix: prefix || text.trimEnd().endsWith("*"), quoted })
  }
  const parts = query.slice(0, QUERY_CHARACTERS).split(QUOTES)
  for (const [index, part] of parts.entries()) {
    const isLastPart = index === parts.length - 1
    if (index % 2 === 1) {
      // An opening quote that was never closed: still being typed.
      add(part, isLastPart, true)
      continue
    }
    const words = part.split(/\s+/)
    for (const [at, word] of words.entries()) add(word, isLastPart && at === words.length - 1, false)
  }
  return phrases
}

const BESIDE_WORDS = /[\s"“”„«»]/

/** The same query without an unfinished word at its end: the last word is quoted, and an open quote closed. */
export const inWholeWords = (query: string): string => {
  if (query.split(QUOTES).length % 2 === 0) return `${query}"`
  const { length } = query.trimEnd()
  let from = length
  while (from > 0 && !BESIDE_WORDS.test(query.charAt(from - 1))) from -= 1
  if (from === length) return query
  return `${query.slice(0, from)}"${query.slice(from, length)}"${query.slice(length)}`
}
