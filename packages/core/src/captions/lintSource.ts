export interface SourceFinding {
  readonly code: "bom" | "crlf" | "unescaped"
  /** How many line ends of that kind, or which line of the file, counted from 1. */
  readonly value: number
}

const BYTE_ORDER_MARK = "\ufeff"
const TIMING = /^\s*[\d:.,]+\s*-->\s*[\d:.,]+(?:\s.*)?$/
const BARE_AMPERSAND = /&(?!#?[0-9A-Za-z]{1,32};)/
const BARE_LESS_THAN = /<(?![A-Za-z/\d])/

const isUnescaped = (line: string, isWebVtt: boolean) => {
  if (TIMING.test(line)) return false
  if (line.includes("-->")) return true
  return isWebVtt && (BARE_AMPERSAND.test(line) || BARE_LESS_THAN.test(line))
}

const lineEnds = (text: string) => {
  let count = 0
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2)) count++
  return count
}

/** What can only be seen in the text of a caption file, not in the cues read from it. */
export function* lintSource(source: string): Generator<SourceFinding, void> {
  const isMarked = source.startsWith(BYTE_ORDER_MARK)
  if (isMarked) yield { code: "bom", value: 1 }
  const crlf = lineEnds(source)
  if (crlf > 0) yield { code: "crlf", value: crlf }
  const isWebVtt = source.startsWith("WEBVTT", isMarked ? 1 : 0)
  let isBlock = true
  let number = 0
  for (const line of source.split(/\r\n|\r|\n/)) {
    number++
    // The header, and what is no cue: notes, styles and regions.
    if (isBlock && isWebVtt && /^(?:\ufeff?WEBVTT|NOTE|STYLE|REGION)(?:\s|$)/.test(line)) isBlock = false
    else if (line === "") isBlock = true
    if (isBlock && isUnescaped(line, isWebVtt)) yield { code: "unescaped", value: number }
  }
}
