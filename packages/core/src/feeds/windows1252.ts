const C1 = /[\u0080-\u009f]/g
const CHARACTERS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009dž\u009f"

/** What a byte from 0x80 to 0x9f means in windows-1252, and what browsers take a C1 control for. */
export const windows1252Character = (code: number): string => CHARACTERS.charAt(code - 0x80)

/** The `TextDecoder` of some versions of Node reads windows-1252 as ISO 8859-1, without its quotes and dashes. */
export const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString("latin1").replace(C1, (control) => windows1252Character(control.charCodeAt(0)))
