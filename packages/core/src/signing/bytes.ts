/** Texts as bytes and bytes as texts, wherever the program runs. */

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

export const joinBytes = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

export const hexOf = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += DIGITS[byte]
  return text
}

/** The bytes of an even number of hex digits. */
export const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))

export const base64Of = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** The bytes of whole base64. */
export const bytesOfBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (one) => one.charCodeAt(0))

export const base64urlOf = (bytes: Uint8Array): string =>
  base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** The bytes of whole base64 as addresses have it: without an end of its own. */
export const bytesOfBase64url = (text: string): Uint8Array =>
  bytesOfBase64(text.replaceAll("-", "+").replaceAll("_", "/"))
