import type { Cue } from "../../transcripts/Transcript.js"
import { printable } from "../timestamps.js"
import { isPlain } from "./cueText.js"

/** What stands before the number and after the text of a cue, and between seconds and milliseconds. */
export interface CueFrame {
  readonly before: "" | "\n"
  readonly after: "\n" | "\n\n"
  readonly separator: "," | "."
}

const LINE_FEED = 10
const SPACE = 32
const HYPHEN = 45
const ZERO = 48
const COLON = 58
const ARROW = Buffer.from(" --> ")
const HUNDRED_HOURS = 360_000_000
/** More than the number, the times and the frame of a cue take. */
const FRAME_BYTES = 64

/** Bits: what a plain line has not at all, and what it never has twice in a row. */
const ODD = 1
const BLANK = 2
const DASH = 4
const ASCII = 127

/** What a character is in a plain line; 0 for nearly all. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === SPACE) return BLANK
  if (code === HYPHEN) return DASH
  return isPlain(String.fromCharCode(code)) ? 0 : ODD
})

/** Copies a line, and says where it ends; -1 when it is not plain. The bits are looked at once, at the end. */
const putLine = (bytes: Uint8Array, from: number, line: string): number => {
  // As if a blank stood before: a line that is empty, or begins with one, is not plain.
  let before = BLANK
  let faults = 0
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index)
    const kind = KINDS[code & ASCII] ?? ODD
    faults |= (kind & (before | ODD)) | (code & ~ASCII)
    bytes[from + index] = code
    before = kind
  }
  return faults !== 0 || before === BLANK ? -1 : from + line.length
}

const putTwoDigits = (bytes: Uint8Array, at: number, value: number): void => {
  const tens = (value / 10) | 0
  bytes[at] = ZERO + tens
  bytes[at + 1] = ZERO + value - tens * 10
}

const putStamp = (bytes: Uint8Array, at: number, time: number, separator: number): number => {
  const seconds = (time / 1000) | 0
  const minutes = (seconds / 60) | 0
  const hours = (minutes / 60) | 0
  const rest = time - seconds * 1000
  const hundreds = (rest / 100) | 0
  putTwoDigits(bytes, at, hours)
  bytes[at + 2] = COLON
  putTwoDigits(bytes, at + 3, minutes - hours * 60)
  bytes[at + 5] = COLON
  putTwoDigits(bytes, at + 6, seconds - minutes * 60)
  bytes[at + 8] = separator
  bytes[at + 9] = ZERO + hundreds
  putTwoDigits(bytes, at + 10, rest - hundreds * 100)
  return at + 12
}

const putNumber = (bytes: Uint8Array, at: number, value: number): number => {
  let end = at + 1
  for (let rest = value; rest >= 10; rest = (rest / 10) | 0) end++
  let rest = value
  for (let place = end - 1; place >= at; place--) {
    const tens = (rest / 10) | 0
    bytes[place] = ZERO + rest - tens * 10
    rest = tens
  }
  return end
}

const lengthOf = (cue: Cue | undefined): number => {
  const lines = cue?.lines ?? []
  let length = FRAME_BYTES
  for (let line = 0; line < lines.length; line++) length += 1 + (lines[line]?.length ?? 0)
  return length
}

/** Where a cue ends in a store that has room for it; -1 when it needs care. */
const putCue = (
  store: Uint8Array,
  from: number,
  { start, end, lines }: Cue,
  number: number,
  { before, after, separator }: CueFrame,
): number => {
  const first = printable(start)
  const last = printable(Math.max(end, start + 1))
  if (first >= HUNDRED_HOURS || last >= HUNDRED_HOURS || lines.length === 0) return -1
  const point = separator.charCodeAt(0)
  let at = from
  if (before !== "") store[at++] = LINE_FEED
  at = putNumber(store, at, number)
  store[at++] = LINE_FEED
  at = putStamp(store, at, first, point)
  for (let index = 0; index < ARROW.length; index++) store[at++] = ARROW[index] ?? 0
  at = putStamp(store, at, last, point)
  for (let line = 0; line < lines.length; line++) {
    store[at] = LINE_FEED
    at = putLine(store, at + 1, lines[line] ?? "")
    if (at < 0) return -1
  }
  for (let index = 0; index < after.length; index++) store[at++] = LINE_FEED
  return at
}

const SCRATCH_BYTES = 256 * 1024
// One for all: what is printed is copied out at once, and code that the engine made fast stays so between two files.
let scratch: Buffer | null = null

/** At least so many bytes to write into. */
const storeOf = (needed: number): Buffer => {
  if (needed > SCRATCH_BYTES) return Buffer.allocUnsafe(needed)
  scratch ??= Buffer.alloc(SCRATCH_BYTES)
  return scratch
}

/**
 * Prints cues of which nothing needs care, byte by byte: no text is put together from pieces, and each character is
 * looked at once. Null when a cue does need care.
 */
export const printPlain = (cues: ReadonlyArray<Cue>, firstNumber: number, frame: CueFrame): string | null => {
  let needed = 0
  for (let index = 0; index < cues.length; index++) needed += lengthOf(cues[index])
  const store = storeOf(needed)
  let at = 0
  for (let index = 0; index < cues.length; index++) {
    const cue = cues[index]
    at = cue === undefined ? -1 : putCue(store, at, cue, firstNumber + index, frame)
    if (at < 0) return null
  }
  return store.toString("latin1", 0, at)
}
