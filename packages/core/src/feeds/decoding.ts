import { decodeEntities } from "../text/entities.js"
import { decodeWindows1252 } from "../text/windows1252.js"
import {
  afterSpecial,
  BANG,
  CUT,
  cdataContent,
  isCdata,
  isNameStart,
  QUESTION,
  SLASH,
  SPACE,
} from "./scanning.js"

/** A stretch of a feed, twice: `text` has one character for each byte of `bytes`. */
export interface Source {
  readonly text: string
  readonly bytes: Buffer
}

const REPLACEMENT = "\ufffd"

/** The text of some bytes: UTF-8, or windows-1252 when they are not UTF-8 whatever the feed declares. */
export const decodeBytes = (bytes: Buffer, from: number, to: number): string => {
  const text = bytes.toString("utf8", from, to)
  if (text.indexOf(REPLACEMENT) < 0) return text
  const raw = bytes.subarray(from, to)
  return Buffer.from(text).equals(raw) ? text : decodeWindows1252(raw)
}

/** The text of an element as a person reads it: entities decoded once, CDATA joined, tags and comments dropped. */
export const plainText = (source: Source, start: number, end: number): string => {
  // Blanks go first, so that a short text does not keep alive the long one it was cut from.
  let from = start
  let to = end
  while (from < to && source.text.charCodeAt(from) <= SPACE) from++
  while (to > from && source.text.charCodeAt(to - 1) <= SPACE) to--
  const mark = source.text.indexOf("<", from)
  if (mark < 0 || mark >= to) return decodeEntities(decodeBytes(source.bytes, from, to)).trim()
  return joinPieces(source, from, to).trim()
}

/** The notes of an episode: HTML written as text or CDATA is decoded once, HTML written as elements stays as it is. */
export const markupText = (source: Source, from: number, to: number): string =>
  hasElements(source.text, from, to)
    ? decodeBytes(source.bytes, from, to).trim()
    : plainText(source, from, to)

/** The text of HTML: no tags, entities decoded. */
export const textOfHtml = (html: string): string => decodeEntities(html.replace(/<[^<>]*>/g, "")).trim()

const hasElements = (text: string, from: number, to: number): boolean => {
  let at = text.indexOf("<", from)
  while (at >= 0 && at < to) {
    if (isNameStart(text.charCodeAt(at + 1))) return true
    const end = isSpecial(text, at) ? afterSpecial(text, at) : at + 1
    if (end === CUT) return false
    at = text.indexOf("<", end)
  }
  return false
}

const joinPieces = ({ text, bytes }: Source, from: number, to: number): string => {
  let joined = ""
  let at = from
  let mark = text.indexOf("<", from)
  let close = -1
  while (mark >= 0 && mark < to) {
    let end = CUT
    let verbatim = ""
    if (isCdata(text, mark)) {
      const [contentFrom, contentTo] = cdataContent(text, mark, to)
      verbatim = decodeBytes(bytes, contentFrom, contentTo)
      end = Math.min(contentTo + 3, to)
    } else if (isSpecial(text, mark)) end = afterSpecial(text, mark)
    else if (text.charCodeAt(mark + 1) === SLASH || isNameStart(text.charCodeAt(mark + 1))) {
      if (close < mark) close = orEnd(text.indexOf(">", mark), text)
      const next = orEnd(text.indexOf("<", mark + 1), text)
      end = close < next ? close + 1 : CUT
    }
    if (end === CUT || end > to) {
      // A bare "<" is text.
      mark = text.indexOf("<", mark + 1)
      continue
    }
    joined += decodeEntities(decodeBytes(bytes, at, mark)) + verbatim
    at = end
    mark = text.indexOf("<", at)
  }
  return joined + decodeEntities(decodeBytes(bytes, at, to))
}

const isSpecial = (text: string, at: number) => {
  const code = text.charCodeAt(at + 1)
  return code === BANG || code === QUESTION
}

const orEnd = (at: number, text: string) => (at < 0 ? text.length : at)
