/** Which transcripts a store has to look at for a query: the same words for every store. */
import { fold, foldGerman, type Piece, piecesOf } from "./fold.js"
import { nearFormsInQuery } from "./nearForms.js"
import { parseQuery } from "./searchQuery.js"

/** A longer word is indexed and looked up by its beginning. */
const LONGEST_WORD = 100
/** So that the words of one transcript fit into one row of an index, whatever they are. */
const MOST_WORDS = 30_000
const MOST_BYTES = 850_000
/** What an index adds to each word, and to each place that the word is at. */
const BYTES_BESIDE = 24
const BYTES_OF_PLACE = 2
/** An index says at which places of a transcript a word is. They are its lines, or more lines each where it has too many. */
const MOST_PLACES = 16_383
/** A word that is at more places is taken to be at all of them: in an hour of speech none is. */
const MOST_PLACES_OF_WORD = 1020
/** Indexed instead of the words for which there is no room: the transcript then has to be looked at for every query. */
const MORE_WORDS = "+"
const GERMAN_PAIR = /[aou]e/
const GERMAN_PAIRS = /([aou])e/g
const MOST_PAIRS = 4
const NONE: ReadonlySet<string> = new Set()
const BEYOND_ASCII = /[^\u0000-\u007f]/

/** One form of a word that is looked for. */
export interface WordForm {
  readonly word: string
  /** Also longer words that begin so. */
  readonly isBeginning: boolean
}

/** A word of a query: one of its forms must occur. */
export interface WantedWord {
  readonly forms: ReadonlyArray<WordForm>
  /** More forms, by which it is found where umlauts were indexed by one letter alone, and not by two as well. */
  readonly olderForms: ReadonlyArray<WordForm>
  /** Whether a phrase begins with it. All phrases begin in the same line, and may go on in the next. */
  readonly begins: boolean
}

export type WantedWords = ReadonlyArray<WantedWord>

/** The words of a transcript, each with the places that it is at: numbered from 1, ascending. None are named where it is at too many. */
export type IndexedWords = ReadonlyMap<string, ReadonlyArray<number>>

const bytesOf = (word: string): number => BYTES_BESIDE + word.length * (BEYOND_ASCII.test(word) ? 3 : 1)

const unitOf = ({ text, spaced }: Piece, next: Piece): string =>
  (spaced || next.spaced ? text : text + next.text).slice(0, LONGEST_WORD)

/** Words, and of scripts without spaces each two letters that follow one another, with the line in which each begins. Words with umlauts come twice. */
const unitsOf = function* (lines: ReadonlyArray<string>): Generator<readonly [string, number]> {
  let before: { readonly piece: Piece; readonly line: number } | undefined
  for (const [line, text] of lines.entries()) {
    const [plain, german] = [fold(text), foldGerman(text)]
    for (const piece of piecesOf(plain)) {
      if (before !== undefined) yield [unitOf(before.piece, piece), before.line]
      before = { piece, line }
    }
    if (german === plain) continue
    for (const { text: word, spaced } of piecesOf(german))
      if (spaced && GERMAN_PAIR.test(word)) yield [word.slice(0, LONGEST_WORD), line]
  }
  if (before !== undefined) yield [before.piece.text.slice(0, LONGEST_WORD), before.line]
}

/** What an index keeps of a transcript so that `mayHold` can answer. Ask again after each change of its text. */
export const indexedWords = (segments: ReadonlyArray<{ readonly text: string }>): IndexedWords => {
  const found = new Map<string, Array<number>>()
  const linesOfPlace = Math.ceil(segments.length / MOST_PLACES)
  let bytes = 0
  for (const [word, line] of unitsOf(segments.map(({ text }) => text))) {
    const place = Math.floor(line / linesOfPlace) + 1
    const places = found.get(word)
    if (places?.length === 0 || places?.at(-1) === place) continue
    bytes += places === undefined ? bytesOf(word) : BYTES_OF_PLACE
    if (bytes > MOST_BYTES || (places === undefined && found.size >= MOST_WORDS))
      return found.set(MORE_WORDS, [1])
    if (places === undefined) found.set(word, [place])
    else if (places.length < MOST_PLACES_OF_WORD) places.push(place)
    else places.length = 0
  }
  return found
}

/** The folded forms of a word in which `ae`, `oe` and `ue` may stand for an umlaut. */
const umlautForms = (word: string, isBeginning: boolean): ReadonlyArray<WordForm> => {
  let forms = [""]
  let from = 0
  let pairs = 0
  for (const { index, 0: pair } of word.matchAll(GERMAN_PAIRS)) {
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
const formsOf = (plain: string, german: string, isBeginning: boolean) => {
  const formOf = (word: string): WordForm => ({ word: word.slice(0, LONGEST_WORD), isBeginning })
  const forms = plain === german ? [formOf(plain)] : [formOf(plain), formOf(german)]
  const older = umlautForms(german, isBeginning).map((form) => ({
    ...form,
    word: form.word.slice(0, LONGEST_WORD),
  }))
  return { forms, olderForms: older.filter(({ word }) => !forms.some((form) => form.word === word)) }
}

/**
 * What a transcript must hold to be looked at for a query. With `near`, words of five letters and more may also have one
 * letter more, less, another, or two in the other order.
 */
export const wantedWords = (query: string, { near }: { readonly near: boolean }): WantedWords => {
  const wanted: Array<WantedWord> = []
  /** A word that is typed again asks for nothing more. */
  const asked = new Set<string>()
  const nearForms = near ? nearFormsInQuery() : () => NONE
  const plain = parseQuery(query, fold)
  const german = parseQuery(query, foldGerman)
  for (const [index, { pieces, prefix, quoted }] of plain.entries()) {
    for (const [at, piece] of pieces.entries()) {
      const next = pieces[at + 1]
      const before = pieces[at - 1]
      const begins = at === 0
      if (piece.spaced) {
        const other = german[index]?.pieces[at]?.text ?? piece.text
        const isBeginning = prefix && next === undefined
        const key = `${piece.text} ${other} ${isBeginning} ${quoted} ${begins}`
        if (asked.has(key)) continue
        asked.add(key)
        const { forms, olderForms } = formsOf(piece.text, other, isBeginning)
        const others = quoted ? NONE : nearForms(piece.text)
        const near = Array.from(others, (word) => ({ word, isBeginning: false }))
        wanted.push({ forms: [...forms, ...near], olderForms, begins })
      } else if (next !== undefined && !next.spaced) {
        wanted.push({ forms: [{ word: piece.text + next.text, isBeginning: false }], olderForms: [], begins })
      } else if (before === undefined || before.spaced) {
        wanted.push({ forms: [{ word: piece.text, isBeginning: true }], olderForms: [], begins })
      }
    }
  }
  return wanted
}

/** The words of a query that may be written otherwise, each as a search of its own. */
export const wordsWithNear = (query: string): ReadonlyArray<WantedWords> => {
  const near = wantedWords(query, { near: true })
  return wantedWords(query, { near: false }).flatMap((word, index) =>
    (near[index]?.forms.length ?? 0) > word.forms.length ? [[word]] : [],
  )
}

/** The words that make a transcript a candidate whatever is looked for. */
export const ALWAYS_FOUND: WordForm = { word: MORE_WORDS, isBeginning: false }

/** The places at which one of the forms is; null when these are all, or too many to be named. */
const placesWith = (found: IndexedWords, forms: ReadonlyArray<WordForm>): ReadonlySet<number> | null => {
  const lists = forms.flatMap(({ word }) => {
    const places = found.get(word)
    return places === undefined ? [] : [places]
  })
  const beginnings = forms.filter(({ isBeginning }) => isBeginning)
  if (beginnings.length > 0)
    for (const [word, places] of found)
      if (beginnings.some((form) => word.startsWith(form.word))) lists.push(places)
  return lists.some(({ length }) => length === 0) ? null : new Set(lists.flat())
}

const hasBeginning = (found: IndexedWords, beginning: string): boolean => {
  for (const word of found.keys()) if (word.startsWith(beginning)) return true
  return false
}

/** Whether one of the forms is anywhere. */
const isAnywhere = (found: IndexedWords, forms: ReadonlyArray<WordForm>): boolean =>
  forms.some(({ word }) => found.has(word)) ||
  forms.some(({ word, isBeginning }) => isBeginning && hasBeginning(found, word))

/** Whether a transcript with these indexed words may hold what is looked for. A search for nothing finds nothing. */
export const mayHold = (found: IndexedWords, wanted: WantedWords): boolean => {
  if (wanted.length === 0 || found.has(MORE_WORDS)) return wanted.length > 0
  if (!wanted.every(({ forms }) => isAnywhere(found, forms))) return false
  if (wanted.length === 1) return true
  const common: Array<ReadonlySet<number>> = []
  for (const { forms, begins } of wanted) {
    const places = begins ? placesWith(found, forms) : null
    if (places !== null) common.push(places)
  }
  const [first, ...others] = common
  return first === undefined || [...first].some((place) => others.every((places) => places.has(place)))
}
