const C1 = /[\u0080-\u009f]/g
const CHARACTERS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

/** The character that a byte, or a number that was meant as one, stands for in windows-1252; browsers read `&#146;` so, too. */
export const windows1252Character = (code: number): string =>
  code >= 0x80 && code <= 0x9f ? CHARACTERS.charAt(code - 0x80) : String.fromCodePoint(code)

/** The `TextDecoder` of some versions of Node reads windows-1252 as ISO 8859-1, without its quotes and dashes. */
export const decodeWindows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .replace(C1, (control) => windows1252Character(control.charCodeAt(0)))
