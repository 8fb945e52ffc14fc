import { entityNames } from "./entityNames.js"

const REFERENCE = /&(?:#(\d{1,10})|#x([0-9a-f]{1,8})|([a-z][a-z0-9]{1,9}));/gi
/** What the C1 controls mean to every browser: the bytes of windows-1252. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009dž\u009f"

/**
 * Decodes character references once. Names of HTML are known; unknown ones and bare `&` stay as they stand.
 * References to what is no character are dropped; a pair of surrogates written as two references is joined.
 */
export const decodeEntities = (text: string): string => {
  if (text.indexOf("&") < 0) return text
  const decoded = text.replace(REFERENCE, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entityNames.get(name) ?? whole
    return characterOf(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal))
  })
  return LONE_SURROGATE.test(decoded) ? decoded.replace(LONE_SURROGATES, "") : decoded
}

const LONE_SURROGATE = /\p{Surrogate}/u
const LONE_SURROGATES = /\p{Surrogate}/gu

const characterOf = (code: number): string => {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80)
  const isControl = code < 0x20 && code !== 0x9 && code !== 0xa && code !== 0xd
  if (isControl || code > 0x10ffff || code === 0xfffe || code === 0xffff) return ""
  return String.fromCodePoint(code)
}
