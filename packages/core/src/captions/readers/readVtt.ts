import type { InTurns } from "../../text/inTurns.js"
import type { Cue } from "../../transcripts/Transcript.js"
import { BLOCKS_IN_A_TURN, NO_WORDS, type Problems, type Reading } from "../CaptionFile.js"
import { type Cursor, NO_TIME, readVttStamp } from "../timestamps.js"
import { type ForwardSearch, forwardSearch, nextPlace } from "./forwardSearch.js"
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

/** What is read so far, and where the marks of the text come next. */
interface Progress {
  readonly text: string
  readonly cues: Array<Cue>
  readonly pieces: Map<number, ReadonlyArray<Piece>>
  readonly arrows: ForwardSearch
  readonly tags: ForwardSearch
  readonly references: ForwardSearch
}

const addCue = (progress: Progress, start: number, end: number, from: number, to: number): void => {
  const { text, cues, pieces, tags, references } = progress
  if (nextPlace(tags, from) >= to && nextPlace(references, from) >= to) {
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

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end < 0 ? text.length : end
}

/** The next line that is empty, or that has an arrow and so belongs to another cue; behind the text when there is none. */
const endOfBlock = ({ text, arrows }: Progress, from: number): number => {
  let at = from
  while (at < text.length) {
    const end = lineEnd(text, at)
    if (end === at || nextPlace(arrows, at) < end) return at
    at = end + 1
  }
  return at
}

/**
 * WebVTT read as a browser reads it: the block algorithm of the standard, so a bad block costs that block, never the file.
 * The text has `\n` line ends only. Its callers have seen the signature.
 */
export function* readVtt(text: string, problems: Problems): InTurns<StampedReading> {
  const cues: Array<Cue> = []
  const pieces = new Map<number, ReadonlyArray<Piece>>()
  const cursor: Cursor = { at: 0 }
  const arrows = forwardSearch(text, "-->")
  const [tags, references] = [forwardSearch(text, "<"), forwardSearch(text, "&")]
  const progress: Progress = { text, cues, pieces, arrows, tags, references }
  let at = endOfBlock(progress, lineEnd(text, 0) + 1)
  const language = LANGUAGE.exec(text.slice(0, at))?.[1] ?? null

  for (let blocks = 1; at < text.length; blocks++) {
    if (blocks % BLOCKS_IN_A_TURN === 0) yield
    if (text.charCodeAt(at) === 10) {
      at++
      continue
    }
    // A block: at most one line (the id) before the timing line, then text up to an empty line or another arrow.
    const blockStart = at
    let timing = at
    let timingEnd = lineEnd(text, at)
    if (nextPlace(arrows, timing) >= timingEnd) {
      timing = timingEnd + 1
      timingEnd = lineEnd(text, timing)
    }
    if (timing >= text.length || nextPlace(arrows, timing) >= timingEnd) {
      at = endOfBlock(progress, timing)
      if (!isComment(text, blockStart)) problems.add("bad_block", blockStart)
      continue
    }
    cursor.at = timing
    const start = readStart(text, cursor)
    const end = start === NO_TIME ? NO_TIME : readVttStamp(text, cursor)
    const textStart = timingEnd + 1
    at = endOfBlock(progress, textStart)
    if (end === NO_TIME) problems.add("bad_timing", timing)
    else {
      if (end <= start) problems.add("end_before_start", timing)
      addCue(progress, start, end, textStart, Math.max(textStart, at - 1))
    }
  }
  return { cues, language, pieces }
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
