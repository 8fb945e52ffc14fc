import { onUse } from "../onUse.js"
import { UNSPACED_LETTERS } from "./scripts.js"

/**
 * Accents, points and harakat that people leave out when they type. Not every mark: the vowel signs of Indic scripts, of
 * Thai and the voicing of Kana are letters to their readers, and stay.
 */
const LATIN_ACCENTS = "\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f"
const HEBREW_POINTS = "\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7"
const ARABIC_MARKS =
  "\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed"
const ACCENTS = new RegExp(`[${LATIN_ACCENTS}${HEBREW_POINTS}${ARABIC_MARKS}]+`, "g")
/** Letters that have no accent to take off, and that people type as others all the same. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  // The final sigma is a matter of place in the word, which a prefix would get wrong.
  ς: "σ",
}
const TYPED_AS_OTHERS = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g")
const BEYOND_ASCII = /[^\u0000-\u007f]/
const CLUSTER = /[\s\S]\p{M}*/gu
const PIECE = new RegExp(
  `[${UNSPACED_LETTERS}]\\p{M}*|(?:(?![${UNSPACED_LETTERS}])[\\p{L}\\p{N}\\p{M}])+`,
  "gu",
)
const UNSPACED_START = new RegExp(`^[${UNSPACED_LETTERS}]`, "u")

/** Text as search compares it: compatibility forms, accents and case no longer differ. */
export const fold = (text: string): string => {
  if (isPlain(text)) return text.toLowerCase()
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "")
    .toLowerCase()
    .replace(TYPED_AS_OTHERS, (letter) => PLAIN[letter] ?? letter)
}

/** From so many letters on it pays to write them as bytes. */
const LONG_TEXT = 2048
const BYTES_AT_ONCE = 65_536
const encoder = new TextEncoder()
const bytes = onUse(() => new Uint8Array(BYTES_AT_ONCE))

/** Written as UTF-8, letters of ASCII alone are a byte each: ten times as quick as looking at one letter after the other. */
const isAsciiThroughout = (text: string): boolean => {
  for (let from = 0; from < text.length; ) {
    const { read, written } = encoder.encodeInto(text.slice(from, from + BYTES_AT_ONCE), bytes())
    if (read < written) return false
    from += read
  }
  return true
}

/** Whether folding a text changes nothing but its case, so that every letter stays where it is. */
export const isPlain = (text: string): boolean =>
  text.length < LONG_TEXT ? !BEYOND_ASCII.test(text) : isAsciiThroughout(text)

/** How a text is made comparable. */
export type Folding = (text: string) => string

const UMLAUT = /[äöü]/gi
const UMLAUT_PAIRS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" }

/** As `fold`, with umlauts as people write them who have none on their keyboard. */
export const foldGerman: Folding = (text) =>
  isPlain(text)
    ? fold(text)
    : fold(text.normalize("NFC").replace(UMLAUT, (letter) => UMLAUT_PAIRS[letter.toLowerCase()] ?? letter))

/** One piece of a folded text: a word where the script has spaces, else one letter. */
export interface Piece {
  readonly text: string
  readonly spaced: boolean
}

const PLAIN_PIECE = /[a-z0-9]+/gi

/** The texts of the pieces of a folded text, in order. */
export const textsOf = (folded: string): ReadonlyArray<string> =>
  folded.match(isPlain(folded) ? PLAIN_PIECE : PIECE) ?? []

/** The pieces of a folded text, in order, without its punctuation. */
export const piecesOf = (folded: string): ReadonlyArray<Piece> =>
  textsOf(folded).map((text) => ({ text, spaced: !UNSPACED_START.test(text) }))

/** Where the pieces of a folded text stand in the text it was folded from. */
export interface FoldMap {
  readonly folded: string
  /** The original range, in UTF-16 units, that a non-empty range of `folded` came from: whole letters with their marks. */
  readonly original: (from: number, to: number) => readonly [number, number]
}

const identityMap = (text: string): FoldMap => ({
  folded: text.toLowerCase(),
  original: (from, to) => [from, to],
})

/** Folds a text and remembers where each unit came from; folding changes lengths. */
export const foldMapped = (text: string, folding: Folding): FoldMap => {
  if (isPlain(text)) return identityMap(text)
  let folded = ""
  const starts: Array<number> = []
  const ends: Array<number> = []
  for (const match of text.matchAll(CLUSTER)) {
    const part = folding(match[0])
    folded += part
    for (let unit = 0; unit < part.length; unit++) {
      starts.push(match.index)
      ends.push(match.index + match[0].length)
    }
  }
  return { folded, original: (from, to) => [starts[from] ?? text.length, ends[to - 1] ?? text.length] }
}
