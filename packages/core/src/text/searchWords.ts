/** Which transcripts a store has to look at for a query: the same words for every store. */
import { fold, foldGerman, type Piece, piecesOf } from "./fold.js"
import { nearFormsInQuery } from "./nearForms.js"
import { parseQuery } from "./searchQuery.js"

/** A longer word is indexed and looked up by its beginning. */
const LONGEST_WORD = 100
/** So that the words of one transcript fit into one row of an index, whatever they are. */
const MOST_WORDS = 30_000
const MOST_BYTES = 850_000
/** What an index adds to each word. */
const BYTES_BESIDE = 20
/** Indexed instead of the words for which there is no room: the transcript then has to be looked at for every query. */
const MORE_WORDS = "+"
const GERMAN_PAIR = /([aou])e/g
const MOST_PAIRS = 4
const NONE: ReadonlySet<string> = new Set()
const BEYOND_ASCII = /[^\u0000-\u007f]/

/** One form of a word that is looked for. */
export interface WordForm {
  readonly word: string
  /** Also longer words that begin so. */
  readonly isBeginning: boolean
}

/** For each word of a query the forms of which one must occur. */
export type WantedWords = ReadonlyArray<ReadonlyArray<WordForm>>

const bytesOf = (word: string): number => BYTES_BESIDE + word.length * (BEYOND_ASCII.test(word) ? 3 : 1)

/** Words, and of scripts without spaces each two letters that follow one another. */
const unitsOf = function* (pieces: ReadonlyArray<Piece>): Generator<string> {
  for (const [index, { text, spaced }] of pieces.entries()) {
    const next = pieces[index + 1]
    yield (spaced || next === undefined || next.spaced ? text : text + next.text).slice(0, LONGEST_WORD)
  }
}

/** What an index keeps of a transcript so that `mayHold` can answer. Ask again after each change of its text. */
export const indexedWords = (segments: ReadonlyArray<{ readonly text: string }>): ReadonlySet<string> => {
  const found = new Set<string>()
  let bytes = 0
  for (const word of unitsOf(piecesOf(fold(segments.map(({ text }) => text).join("\n"))))) {
    if (found.has(word)) continue
    bytes += bytesOf(word)
    if (found.size >= MOST_WORDS || bytes > MOST_BYTES) return found.add(MORE_WORDS)
    found.add(word)
  }
  return found
}

/** The folded forms of a word in which `ae`, `oe` and `ue` may stand for an umlaut. */
const umlautForms = (word: string, isBeginning: boolean): ReadonlyArray<WordForm> => {
  let forms = [""]
  let from = 0
  let pairs = 0
  for (const { index, 0: pair } of word.matchAll(GERMAN_PAIR)) {
    if (pairs === MOST_PAIRS)
      return forms.map((form) => ({ word: form + word.slice(from, index + 1), isBeginning: true }))
    const before = word.slice(from, index)
    forms = forms.flatMap((form) => [form + before + pair, form + before + pair.charAt(0)])
    from = index + pair.length
    pairs += 1
  }
  return forms.map((form) => ({ word: form + word.slice(from), isBeginning }))
}

/** The forms of one piece of a query, by both ways to fold it. */
const formsOf = (plain: string, german: string, isBeginning: boolean): ReadonlyArray<WordForm> => {
  const forms = umlautForms(german, isBeginning)
  const all = forms.some(({ word }) => word === plain) ? forms : [{ word: plain, isBeginning }, ...forms]
  return all.map((form) => ({ ...form, word: form.word.slice(0, LONGEST_WORD) }))
}

/**
 * What a transcript must hold to be looked at for a query. With `near`, words of five letters and more may also have one
 * letter more, less, another, or two in the other order.
 */
export const wantedWords = (query: string, { near }: { readonly near: boolean }): WantedWords => {
  const wanted: Array<ReadonlyArray<WordForm>> = []
  /** A word that is typed again asks for nothing more. */
  const asked = new Set<string>()
  const nearForms = near ? nearFormsInQuery() : () => NONE
  const plain = parseQuery(query, fold)
  const german = parseQuery(query, foldGerman)
  for (const [index, { pieces, prefix, quoted }] of plain.entries()) {
    for (const [at, piece] of pieces.entries()) {
      const next = pieces[at + 1]
      const before = pieces[at - 1]
      if (piece.spaced) {
        const other = german[index]?.pieces[at]?.text ?? piece.text
        const isBeginning = prefix && next === undefined
        const key = `${piece.text} ${other} ${isBeginning} ${quoted}`
        if (asked.has(key)) continue
        asked.add(key)
        const forms = formsOf(piece.text, other, isBeginning)
        const others = quoted ? NONE : nearForms(piece.text)
        wanted.push([...forms, ...Array.from(others, (word) => ({ word, isBeginning: false }))])
      } else if (next !== undefined && !next.spaced) {
        wanted.push([{ word: piece.text + next.text, isBeginning: false }])
      } else if (before === undefined || before.spaced) {
        wanted.push([{ word: piece.text, isBeginning: true }])
      }
    }
  }
  return wanted
}

/** The words of a query that may be written otherwise, each as a search of its own. */
export const wordsWithNear = (query: string): ReadonlyArray<WantedWords> => {
  const near = wantedWords(query, { near: true })
  return wantedWords(query, { near: false }).flatMap((forms, index) =>
    (near[index]?.length ?? 0) > forms.length ? [[forms]] : [],
  )
}

/** The words that make a transcript a candidate whatever is looked for. */
export const ALWAYS_FOUND: WordForm = { word: MORE_WORDS, isBeginning: false }

const holdsOneOf = (found: ReadonlySet<string>, forms: ReadonlyArray<WordForm>): boolean => {
  if (forms.some(({ word }) => found.has(word))) return true
  const beginnings = forms.filter(({ isBeginning }) => isBeginning)
  if (beginnings.length === 0) return false
  for (const word of found) if (beginnings.some((form) => word.startsWith(form.word))) return true
  return false
}

/** Whether a transcript with these indexed words may hold what is looked for. A search for nothing finds nothing. */
export const mayHold = (found: ReadonlySet<string>, wanted: WantedWords): boolean =>
  wanted.length > 0 && (found.has(MORE_WORDS) || wanted.every((forms) => holdsOneOf(found, forms)))
