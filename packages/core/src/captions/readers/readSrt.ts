import type { Cue } from "../../transcripts/Transcript.js"
import { NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { type Cursor, NO_TIME, readLooseStamp } from "../timestamps.js"
import { tidyLines } from "./vttText.js"

const TAG = /<\/?(?:i|b|u|s|font|c)(?:[ .][^<>]*)?>|\{\\[^{}]*\}/gi
/** What our writer puts between a `<` or `{` that was spoken and what would make it a tag. */
const GUARD = /(?<=[<{])\u2060/g
const MARKUP = /[<{]/

const plain = (text: string): string => (MARKUP.test(text) ? text.replace(TAG, "").replace(GUARD, "") : text)

const skipSpaces = (text: string, cursor: Cursor): void => {
  while (text.charCodeAt(cursor.at) === 32 || text.charCodeAt(cursor.at) === 9) cursor.at++
}

interface Timing {
  readonly start: number
  readonly end: number
  /** Where the line before the timing ends and where its text begins. */
  readonly lineStart: number
  readonly lineEnd: number
}

/**
 * SubRip as it is found: the index is optional, `,` or `.` before one to three digits, empty lines inside a cue.
 * A cue reaches up to the index or the timing of the next one. The text has `\n` line ends only.
 */
export const readSrt = (text: string, problems: Problems): Reading => {
  const cues: Array<Cue> = []
  const cursor: Cursor = { at: 0 }
  let open: Timing | null = null
  let index = 0

  const close = (timing: Timing, next: Timing | null): void => {
    let end = next === null ? text.length : next.lineStart
    if (next !== null) {
      const before = indexBefore(text, timing.lineEnd, next.lineStart)
      if (before !== null && (before.alone || before.index === index + 1)) {
        end = before.start
        index = before.index
      }
    }
    const lines = tidyLines(plain(text.slice(timing.lineEnd, end)))
    cues.push({ start: timing.start, end: timing.end, speaker: null, lines, words: NO_WORDS })
  }

  let from = 0
  for (;;) {
    const arrow = text.indexOf("-->", from)
    if (arrow < 0) break
    const lineStart = Math.max(from, text.lastIndexOf("\n", arrow) + 1)
    const newline = text.indexOf("\n", arrow)
    const lineEnd = newline < 0 ? text.length : newline
    cursor.at = lineStart
    const timing = readTiming(text, cursor, lineStart, lineEnd)
    if (timing === null) problems.add("bad_timing", lineStart)
    else {
      if (timing.end <= timing.start) problems.add("end_before_start", lineStart)
      if (open === null) index = indexBefore(text, 0, lineStart)?.index ?? 0
      else close(open, timing)
      open = timing
    }
    from = lineEnd
  }
  if (open !== null) close(open, null)
  return { cues, language: null }
}

const readTiming = (text: string, cursor: Cursor, lineStart: number, lineEnd: number): Timing | null => {
  skipSpaces(text, cursor)
  const start = readLooseStamp(text, cursor)
  if (start === NO_TIME) return null
  skipSpaces(text, cursor)
  if (!text.startsWith("-->", cursor.at)) return null
  cursor.at += 3
  skipSpaces(text, cursor)
  const end = readLooseStamp(text, cursor)
  return end === NO_TIME ? null : { start, end, lineStart, lineEnd }
}

/** The number alone on the line before a timing, and whether an empty line (or the start of the file) is before it. */
const indexBefore = (text: string, from: number, timing: number) => {
  let at = timing - 2
  while (at >= from && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at--
  const digitsEnd = at + 1
  while (at >= from && digitsEnd - at <= 9 && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at--
  const start = at + 1
  if (start === digitsEnd) return null
  while (at >= from && text.charCodeAt(at) === 32) at--
  if (at >= from && text.charCodeAt(at) !== 10) return null
  const before = text.charCodeAt(at - 1)
  const alone = at <= from || before === 10
  return { index: Number(text.slice(start, digitsEnd)), start, alone }
}
