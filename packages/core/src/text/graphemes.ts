import { graphemeSegments } from "./segmenters.js"

/** Code points that join with a neighbour to one grapheme. Without any of them graphemes are code points. */
const JOINING =
  /[\p{M}\p{Cf}\p{Cc}\p{Grapheme_Extend}\p{Emoji_Modifier}\p{Regional_Indicator}\u0d4e\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\u{111c2}\u{111c3}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}\u{113d1}\u{16d63}\u{16d67}-\u{16d6a}]/u
const EMOJI = /^\p{Emoji_Presentation}/u
const WIDTHLESS = /^[\p{M}\p{Cf}\p{Cc}]/u
const EMOJI_SELECTOR = "\ufe0f"

/** First and last code points of the East Asian wide and full-width ranges, in order. */
const WIDE_RANGES = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
] as const

/** The length of a text that is all one-cell, one-grapheme characters (Latin without marks); -1 for any other. */
const plainLength = (text: string): number => {
  const { length } = text
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code >= 0x300 || (code >= 0x7f && (code < 0xa0 || code === 0xad))) return -1
  }
  return length
}

const codePointCount = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const codePointWidth = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return WIDTHLESS.test(character) ? 0 : 1
  for (const [first, last] of WIDE_RANGES) {
    if (code < first) break
    if (code <= last) return WIDTHLESS.test(character) ? 0 : 2
  }
  if (WIDTHLESS.test(character)) return 0
  return EMOJI.test(character) ? 2 : 1
}

const graphemeWidth = (grapheme: string): number => {
  let cells = 0
  for (const character of grapheme) {
    if (character === EMOJI_SELECTOR) return 2
    cells += codePointWidth(character)
    if (cells >= 2) return 2
  }
  return cells
}

/** The characters of a text as readers see them. */
export const graphemes = (text: string): ReadonlyArray<string> =>
  JOINING.test(text) ? graphemeSegments(text) : Array.from(text)

/** How many characters a reader sees. */
export const countGraphemes = (text: string): number => {
  const plain = plainLength(text)
  if (plain >= 0) return plain
  return JOINING.test(text) ? graphemeSegments(text).length : codePointCount(text)
}

/** Width on a screen: 2 cells for East Asian wide characters and emoji, none for marks, 1 for the rest. */
export const cellWidth = (text: string): number => {
  const plain = plainLength(text)
  if (plain >= 0) return plain
  let cells = 0
  for (const grapheme of graphemes(text)) cells += graphemeWidth(grapheme)
  return cells
}
