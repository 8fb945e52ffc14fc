import { wordSegments } from "./segmenters.js"

/** Letters of scripts written without spaces between words, as the inside of a character class. */
export const UNSPACED_LETTERS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ーｰ\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}"

const LETTER = "[\\p{L}\\p{N}\\p{M}]"
const SPACED_LETTER = `(?:(?![${UNSPACED_LETTERS}])${LETTER})`
const WORD_OR_RUN = new RegExp(
  `(?:[${UNSPACED_LETTERS}]\\p{M}*)+|${SPACED_LETTER}+(?:['’\\-.·]${SPACED_LETTER}+)*`,
  "gu",
)
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, "u")
const LATIN_WORD = /[a-z0-9]+(?:['.-][a-z0-9]+)*/gi
const BEYOND_ASCII = /[^\u0000-\u007f]/

const isLowSurrogate = (text: string, index: number) => {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}

/** Pieces of at most `length` UTF-16 units that never split a surrogate pair. */
export const slicesOf = (text: string, length: number): ReadonlyArray<string> => {
  const slices: Array<string> = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + length)
    if (to < text.length && isLowSurrogate(text, to)) to += 1
    slices.push(text.slice(from, to))
    from = to
  }
  return slices
}

/** The words of a text without its punctuation: at spaces where the script has them, else by dictionary. */
export const wordsOf = (text: string): ReadonlyArray<string> => {
  if (!BEYOND_ASCII.test(text)) return text.match(LATIN_WORD) ?? []
  const found = text.match(WORD_OR_RUN) ?? []
  if (!UNSPACED.test(text)) return found
  const words: Array<string> = []
  for (const run of found) {
    if (!UNSPACED.test(run)) words.push(run)
    else for (const word of wordSegments(run, null)) words.push(word)
  }
  return words
}
