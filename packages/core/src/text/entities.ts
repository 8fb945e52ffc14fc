import { characterNamed } from "./characterNames.js"
import { windows1252Character } from "./windows1252.js"

/** Of a reference, from after the `&` to its semicolon. */
const LONGEST = 33
const SEMICOLON = 59
const HASH = 35
const NUMBER = /^#(?:(\d{1,10})|x([0-9a-f]{1,8}))$/i
const LONE_SURROGATES = /\p{Surrogate}/gu
/**
 * Decodes character references once. Names of HTML are known; unknown ones and bare `&` stay as they stand.
 * References to what is no character are dropped; a pair of surrogates written as two references is joined.
 */
export const decodeEntities = (text: string): string => {
  let mark = text.indexOf("&")
  if (mark < 0) return text
  let decoded = ""
  let from = 0
  let mayHoldHalves = false
  while (mark >= 0) {
    const end = referenceEnd(text, mark + 1)
    const character = end < 0 ? undefined : referredTo(text.slice(mark + 1, end))
    if (character !== undefined) {
      decoded += text.slice(from, mark) + character
      from = end + 1
      mayHoldHalves ||= character >= "\ud800" && character <= "\udfff"
    }
    mark = text.indexOf("&", character === undefined ? mark + 1 : from)
  }
  decoded += text.slice(from)
  return mayHoldHalves ? decoded.replace(LONE_SURROGATES, "") : decoded
}

/** The semicolon of a reference, when one is near enough. */
const referenceEnd = (text: string, from: number): number => {
  const limit = Math.min(text.length, from + LONGEST)
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === SEMICOLON) return at
    if (code <= 32 || code === 38 || code === 60) return -1
  }
  return -1
}

const referredTo = (reference: string): string | undefined => {
  if (reference.charCodeAt(0) !== HASH) return characterNamed(reference)
  const digits = NUMBER.exec(reference)
  if (digits === null) return undefined
  return characterOf(digits[1] === undefined ? Number.parseInt(digits[2] ?? "", 16) : Number(digits[1]))
}

const characterOf = (code: number): string => {
  const isControl = code < 0x20 && code !== 0x9 && code !== 0xa && code !== 0xd
  if (isControl || code > 0x10ffff || code === 0xfffe || code === 0xffff) return ""
  return windows1252Character(code)
}
