import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { type Cursor, NO_TIME, readLooseStamp } from "../timestamps.js"
import { type ForwardSearch, forwardSearch, nextPlace } from "./forwardSearch.js"
import { tidyLines } from "./tidyLines.js"

const TAG = /<\/?(?:i|b|u|s|font|c)(?:[ .][^<>]*)?>|\{\\[^{}]*\}/gi
/** What our writer puts between a `<` or `{` that was spoken and what would make it a tag. */
const GUARD = /(?<=[<{])\u2060/g

const plain = (text: string): string => text.replace(TAG, "").replace(GUARD, "")

const HYPHEN = 45

const isBlank = (text: string, at: number): boolean => text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9

const skipSpaces = (text: string, cursor: Cursor): void => {
  while (isBlank(text, cursor.at)) cursor.at++
}

/** What stands for the arrow; the first is the right one and a part of longer ones. */
const ARROW_MARKS = ["->", "=>", "–>", "—>", "→"] as const
const ARROW = /(?<!-)-+>|(?<![=–—])[=–—]+>|→/y
/** An arrow of any kind behind a time with a fraction: `9:00 -> 17:00` is spoken. */
const ODD_TIMING = /^[ \t]*(?:\d+:){1,2}\d+[.,]\d+[ \t]*(?:-+>|[=–—]+>|→)/my

/** Where the first of several comes next; the length of the text when there is none. */
const nearestPlace = (searches: ReadonlyArray<ForwardSearch>, from: number, length: number): number => {
  let nearest = length
  for (const search of searches) nearest = Math.min(nearest, nextPlace(search, from))
  return nearest
}

/** What is read so far. The last cue stays open: the next one shows where its text ends. */
interface Progress {
  readonly text: string
  readonly problems: Problems
  readonly cues: Array<Cue>
  readonly tags: ForwardSearch
  readonly braces: ForwardSearch
  readonly gaps: ForwardSearch
  start: number
  end: number
  textStart: number
  /** The last that was read; 0 in a file without numbers. */
  index: number
}

const closeCue = (progress: Progress, until: number): void => {
  const { text, start, end, textStart } = progress
  if (start === NO_TIME) return
  const broken = startOfBroken(progress, until)
  if (broken !== NO_TIME) progress.problems.add("bad_block", broken)
  const textEnd = broken === NO_TIME ? until : broken
  const isMarked =
    nextPlace(progress.tags, textStart) < textEnd || nextPlace(progress.braces, textStart) < textEnd
  const lines = isMarked
    ? tidyLines(plain(text.slice(textStart, textEnd)))
    : tidyLines(text, textStart, textEnd)
  progress.cues.push({ start, end, speaker: null, lines, words: NO_WORDS })
}

/**
 * SubRip as it is found: the index is optional, `,` or `.` before one to three digits, empty lines inside a cue,
 * other arrows than `-->` where they stand between two times.
 * A cue reaches up to the index or the timing of the next one. The text has `\n` line ends only.
 */
export function* readSrt(text: string, problems: Problems): InTurns<Reading> {
  const progress: Progress = {
    text,
    problems,
    cues: [],
    tags: forwardSearch(text, "<"),
    braces: forwardSearch(text, "{"),
    gaps: forwardSearch(text, "\n\n"),
    start: NO_TIME,
    end: NO_TIME,
    textStart: 0,
    index: 0,
  }
  const cursor: Cursor = { at: 0 }
  // Few files have other arrows than the right one.
  const arrows = ARROW_MARKS.filter((mark) => text.includes(mark)).map((mark) => forwardSearch(text, mark))
  let from = 0
  for (let blocks = 1; ; blocks++) {
    if (blocks % BLOCKS_IN_A_TURN === 0) yield
    const arrow = nearestPlace(arrows, from, text.length)
    if (arrow === text.length) break
    const lineStart = startOfLine(text, from, arrow)
    const newline = text.indexOf("\n", arrow)
    from = newline < 0 ? text.length : newline
    const isOdd = !text.startsWith("-->", arrow - 1) || text.charCodeAt(arrow - 2) === HYPHEN
    if (isOdd && !isTiming(text, lineStart)) continue
    cursor.at = lineStart
    const start = readStart(text, cursor)
    const end = start === NO_TIME ? NO_TIME : readLooseStamp(text, cursor)
    const indexStart = startOfIndex(text, progress.textStart, lineStart)
    const number = indexStart < lineStart ? numberAt(text, indexStart) : NO_TIME
    // A number below text may be spoken; it is an index after an empty line, in a file with numbers, or when it begins them.
    const isIndex =
      number !== NO_TIME &&
      (indexStart - 1 <= progress.textStart ||
        text.charCodeAt(indexStart - 2) === 10 ||
        progress.index > 0 ||
        number === 1)
    const blockStart = isIndex ? indexStart : lineStart
    if (end === NO_TIME) {
      const isBroken = isBrokenBlock(text, lineStart, isIndex)
      // Within a cue the arrow is a part of what is said.
      if (isBroken || progress.start === NO_TIME) problems.add("bad_timing", lineStart)
      if (isBroken) {
        closeCue(progress, blockStart)
        if (isIndex) progress.index = number
        progress.start = NO_TIME
      }
      continue
    }
    closeCue(progress, blockStart)
    if (isIndex) progress.index = number
    if (isOdd) problems.add("bad_arrow", lineStart)
    if (end <= start) problems.add("end_before_start", lineStart)
    progress.start = start
    progress.end = end
    progress.textStart = from
  }
  closeCue(progress, text.length)
  return { cues: progress.cues, language: null }
}

const isTiming = (text: string, at: number): boolean => {
  ODD_TIMING.lastIndex = at
  return ODD_TIMING.test(text)
}

/** The start time and the arrow; leaves the cursor before the end time. */
const readStart = (text: string, cursor: Cursor): number => {
  skipSpaces(text, cursor)
  const start = readLooseStamp(text, cursor)
  if (start === NO_TIME) return NO_TIME
  skipSpaces(text, cursor)
  if (text.startsWith("-->", cursor.at)) cursor.at += 3
  else {
    ARROW.lastIndex = cursor.at
    if (!ARROW.test(text)) return NO_TIME
    cursor.at = ARROW.lastIndex
  }
  skipSpaces(text, cursor)
  return start
}

/** A time, or an arrow, at the begin of a line. */
const LIKE_TIMING = /[ \t]{0,9}(?:\d{1,9}:|-{1,9}>|[=–—]{1,9}>|→)/y

/** Whether a line with an arrow and no readable time begins a block all the same: what follows is no text of the cue before. */
const isBrokenBlock = (text: string, lineStart: number, hasIndex: boolean): boolean => {
  LIKE_TIMING.lastIndex = lineStart
  const isApart = lineStart < 2 || text.charCodeAt(lineStart - 2) === 10
  return (hasIndex || isApart) && LIKE_TIMING.test(text)
}

/** Where a block begins that counts on and has no line with times; `NO_TIME` when there is none. */
const startOfBroken = ({ text, textStart, index, gaps }: Progress, until: number): number => {
  if (index === 0) return NO_TIME
  for (let at = nextPlace(gaps, textStart); at + 2 < until; at = nextPlace(gaps, at + 1)) {
    const number = String(index + 1)
    const begin = at + 2
    const end = begin + number.length
    if (end >= until || !text.startsWith(number, begin)) continue
    if (text.charCodeAt(end) === 10 && text.charCodeAt(end + 1) !== 10) return begin
  }
  return NO_TIME
}

const MAX_DIGITS = 9

/** Where the number that stands alone on the line before a timing begins; the timing itself when there is none. */
const startOfIndex = (text: string, from: number, timing: number): number => {
  let at = timing - 2
  while (at >= from && isBlank(text, at)) at--
  const last = at
  while (at >= from && last - at <= MAX_DIGITS && text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at--
  if (at === last) return timing
  while (at >= from && isBlank(text, at)) at--
  return at < from || text.charCodeAt(at) === 10 ? at + 1 : timing
}

const numberAt = (text: string, from: number): number => {
  let number = 0
  const cursor: Cursor = { at: from }
  skipSpaces(text, cursor)
  for (let { at } = cursor; text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57; at++)
    number = number * 10 + text.charCodeAt(at) - 48
  return number
}

const startOfLine = (text: string, from: number, within: number): number => {
  let at = within
  while (at > from && text.charCodeAt(at - 1) !== 10) at--
  return at
}
