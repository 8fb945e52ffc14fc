/**
 * The lowest level: finding marks in a byte string (one character is one byte, so that `indexOf` is a memory scan).
 * A position of `CUT` says that the text ends before the mark does; more text may bring it.
 */
export const CUT = -1

export const APOSTROPHE = 39
export const BANG = 33
export const EQUALS = 61
export const GREATER = 62
export const LESS = 60
export const QUESTION = 63
export const QUOTE = 34
export const SLASH = 47
export const SPACE = 32

const CDATA_OPEN = "<![CDATA["
const CDATA_CLOSE = "]]>"
const COMMENT_OPEN = "<!--"
const COMMENT_CLOSE = "-->"

/** Whether a name may begin with this byte: a letter, `_`, `:` or a part of a character outside ASCII. */
export const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58 || code >= 128

export const isCdata = (text: string, at: number): boolean => text.startsWith(CDATA_OPEN, at)

/** The content of a CDATA section that begins at `at`. One that is never closed goes on to `limit`. */
export const cdataContent = (
  text: string,
  at: number,
  limit: number,
): readonly [from: number, to: number] => {
  const from = Math.min(at + CDATA_OPEN.length, limit)
  const to = text.indexOf(CDATA_CLOSE, from)
  return [from, to < 0 || to > limit ? limit : to]
}

/** Where the text goes on after what begins with `<!` or `<?` at `at`: CDATA, a comment, a declaration, an instruction. */
export const afterSpecial = (text: string, at: number): number => {
  // Too short to tell what it is.
  if (text.length - at < CDATA_OPEN.length) return CUT
  if (text.charCodeAt(at + 1) === QUESTION) return after(text, ">", at + 2)
  if (isCdata(text, at)) return after(text, CDATA_CLOSE, at + CDATA_OPEN.length)
  if (text.startsWith(COMMENT_OPEN, at)) return after(text, COMMENT_CLOSE, at + COMMENT_OPEN.length)
  return at + 2
}

const after = (text: string, mark: string, from: number) => {
  const at = text.indexOf(mark, from)
  return at < 0 ? CUT : at + mark.length
}
