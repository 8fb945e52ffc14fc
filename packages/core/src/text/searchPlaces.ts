import { UNSPACED_LETTERS } from "./scripts.js"
import type { Phrase } from "./searchQuery.js"

/** A range of a folded text. */
export interface Place {
  readonly from: number
  readonly to: number
}

const WORD_UNIT = /^[\p{L}\p{N}\p{M}]/u
const MARK = /^\p{M}/u
const UNSPACED = new RegExp(`^[${UNSPACED_LETTERS}]`, "u")
/** How far two words of a phrase may be apart: punctuation and a border between segments. */
const LONGEST_GAP = 64

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number) => code >= 0xdc00 && code <= 0xdfff

const letterAt = (text: string, at: number) =>
  isHighSurrogate(text.charCodeAt(at)) ? text.slice(at, at + 2) : text.charAt(at)

const letterBefore = (text: string, at: number) =>
  isLowSurrogate(text.charCodeAt(at - 1)) ? text.slice(Math.max(0, at - 2), at) : text.charAt(at - 1)

const isAscii = (letter: string) => letter < "\u0080"

/** Whether a letter belongs to a word that is written with spaces around it. */
const isSpaced = (letter: string) => {
  if (isAscii(letter)) return (letter >= "a" && letter <= "z") || (letter >= "0" && letter <= "9")
  return WORD_UNIT.test(letter) && !UNSPACED.test(letter)
}

const isMark = (letter: string) => !isAscii(letter) && MARK.test(letter)

/** A mark belongs to the letter before it, in every script. */
const startsPiece = (text: string, from: number, spaced: boolean) => {
  if (!spaced) return true
  let at = from
  let letter = letterBefore(text, at)
  while (isMark(letter)) {
    at -= letter.length
    letter = letterBefore(text, at)
  }
  return !isSpaced(letter)
}

const endsPiece = (text: string, at: number, spaced: boolean) => {
  const letter = letterAt(text, at)
  return spaced ? !isSpaced(letter) : !isMark(letter)
}

/** The next letter or digit, or -1 when the gap is too long for one phrase. */
const nextWord = (text: string, from: number): number => {
  for (let at = from; at < Math.min(text.length, from + LONGEST_GAP); ) {
    const letter = letterAt(text, at)
    if (isSpaced(letter) || (!isAscii(letter) && WORD_UNIT.test(letter))) return at
    at += letter.length
  }
  return -1
}

/** The end of the phrase when it stands at `from`, else -1. */
const endOfPhrase = (text: string, phrase: Phrase, from: number): number => {
  let at = from
  for (const [index, piece] of phrase.pieces.entries()) {
    if (index > 0) at = nextWord(text, at)
    if (at < 0 || !text.startsWith(piece.text, at)) return -1
    at += piece.text.length
    const mayGoOn = phrase.prefix && piece.spaced && index === phrase.pieces.length - 1
    if (!mayGoOn && !endsPiece(text, at, piece.spaced)) return -1
  }
  return at
}

/** The first place of a phrase in a folded text that begins at `from` or behind; null when there is none. */
export const nextPlace = (text: string, phrase: Phrase, from: number): Place | null => {
  const lead = phrase.pieces[0]
  if (lead === undefined) return null
  for (let at = text.indexOf(lead.text, from); at >= 0; at = text.indexOf(lead.text, at + 1)) {
    const to = startsPiece(text, at, lead.spaced) ? endOfPhrase(text, phrase, at) : -1
    if (to >= 0) return { from: at, to }
  }
  return null
}

/** Every place of a phrase in a folded text, ascending and apart. */
export const placesOf = function* (text: string, phrase: Phrase): Generator<Place> {
  for (let place = nextPlace(text, phrase, 0); place !== null; place = nextPlace(text, phrase, place.to))
    yield place
}
