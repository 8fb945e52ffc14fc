import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { type Cursor, NO_TIME, readVttStamp } from "../timestamps.js"
import { forwardSearch } from "./forwardSearch.js"
import type { Piece } from "./stampedWords.js"
import { tidyLines } from "./tidyLines.js"
import { readCueText } from "./vttText.js"

/** A reading whose stamped cues still have their pieces: rolling captions are undone before words are made. */
export interface StampedReading extends Reading {
  /** By index of the cue. */
  readonly pieces: Map<number, ReadonlyArray<Piece>>
}

const LANGUAGE = /^Language:[ \t]*([A-Za-z0-9-]{2,35})[ \t]*$/m

/** Whether the text begins as every WebVTT file must. */
export const hasVttSignature = (text: string): boolean => /^WEBVTT(?:[ \t\n]|$)/.test(text)

const skipWhiteSpace = (text: string, cursor: Cursor): void => {
  for (;;) {
    const code = text.charCodeAt(cursor.at)
    if (code !== 32 && code !== 9 && code !== 12) return
    cursor.at++
  }
}

/**
 * WebVTT read as a browser reads it: the block algorithm of the standard, so a bad block costs that block, never the file.
 * The text has `\n` line ends only. Its callers have seen the signature.
 */
export function* readVtt(text: string, problems: Problems): InTurns<StampedReading> {
  const cues: Array<Cue> = []
  const pieces = new Map<number, ReadonlyArray<Piece>>()
  const cursor: Cursor = { at: 0 }
  const length = text.length
  const nextArrow = forwardSearch(text, "-->")
  const nextTag = forwardSearch(text, "<")
  const nextReference = forwardSearch(text, "&")

  const lineEnd = (from: number): number => {
    const end = text.indexOf("\n", from)
    return end < 0 ? length : end
  }
  const hasArrow = (from: number, to: number): boolean => nextArrow(from) < to
  const isMarked = (from: number, to: number): boolean => nextTag(from) < to || nextReference(from) < to

  const addCue = (start: number, end: number, from: number, to: number): void => {
    if (!isMarked(from, to)) {
      cues.push({ start, end, speaker: null, lines: tidyLines(text, from, to), words: NO_WORDS })
      return
    }
    const voices = readCueText(text.slice(from, to), { start, end })
    if (voices.length === 0) cues.push({ start, end, speaker: null, lines: [], words: NO_WORDS })
    for (const voice of voices) {
      if (voice.pieces.length > 0) pieces.set(cues.length, voice.pieces)
      cues.push({ start, end, speaker: voice.speaker, lines: voice.lines, words: NO_WORDS })
    }
  }

  /** Where the header ends: an empty line, or a line with an arrow, which already belongs to a cue. */
  const skipHeader = (): number => {
    let at = lineEnd(0) + 1
    while (at < length) {
      const end = lineEnd(at)
      if (end === at || hasArrow(at, end)) return at
      at = end + 1
    }
    return length
  }

  let at = skipHeader()
  const language = LANGUAGE.exec(text.slice(0, at))?.[1] ?? null

  for (let blocks = 1; at < length; blocks++) {
    if (blocks % BLOCKS_IN_A_TURN === 0) yield
    if (text.charCodeAt(at) === 10) {
      at++
      continue
    }
    // A block: at most one line (the id) before the timing line, then text up to an empty line or another arrow.
    const blockStart = at
    let timing = at
    let timingEnd = lineEnd(at)
    if (!hasArrow(timing, timingEnd)) {
      timing = timingEnd + 1
      timingEnd = lineEnd(timing)
    }
    if (timing >= length || timingEnd === timing || !hasArrow(timing, timingEnd)) {
      at = skipBlock(timing)
      if (!isComment(text, blockStart)) problems.add("bad_block", blockStart)
      continue
    }
    cursor.at = timing
    const start = readStart(text, cursor)
    const end = start === NO_TIME ? NO_TIME : readVttStamp(text, cursor)
    const textStart = timingEnd + 1
    let textEnd = textStart
    let next = textStart
    while (next < length) {
      const stop = lineEnd(next)
      if (stop === next || hasArrow(next, stop)) break
      textEnd = stop
      next = stop + 1
    }
    if (end === NO_TIME) problems.add("bad_timing", timing)
    else {
      if (end <= start) problems.add("end_before_start", timing)
      addCue(start, end, textStart, textEnd)
    }
    at = next
  }
  return { cues, language, pieces }

  /** The end of a block without timing. A line with an arrow later on begins a block of its own. */
  function skipBlock(from: number): number {
    let place = from
    while (place < length) {
      const end = lineEnd(place)
      if (end === place || hasArrow(place, end)) return place
      place = end + 1
    }
    return length
  }
}

/** The start time and the arrow; leaves the cursor before the end time. */
const readStart = (text: string, cursor: Cursor): number => {
  skipWhiteSpace(text, cursor)
  const start = readVttStamp(text, cursor)
  if (start === NO_TIME) return NO_TIME
  skipWhiteSpace(text, cursor)
  if (!text.startsWith("-->", cursor.at)) return NO_TIME
  cursor.at += 3
  skipWhiteSpace(text, cursor)
  return start
}

const COMMENT = /(?:NOTE(?:[ \t\n]|$)|STYLE[ \t]*(?:\n|$)|REGION[ \t]*(?:\n|$))/y

const isComment = (text: string, at: number): boolean => {
  COMMENT.lastIndex = at
  return COMMENT.test(text)
}
