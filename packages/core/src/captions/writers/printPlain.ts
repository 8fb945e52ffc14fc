import type { Cue } from "../../transcripts/Transcript.js"
import { printable } from "../timestamps.js"
import { isPlain } from "./cueText.js"

/** What stands between the cues, and between seconds and milliseconds. */
export interface CueFrame {
  readonly emptyLine: "before" | "after"
  readonly separator: "," | "."
}

const LINE_FEED = 10
const ZERO = 48
const COLON = 58
const ARROW = Buffer.from(" --> ")
const HUNDRED_HOURS = 360_000_000
/** More than the number, the times and the frame of a cue take. */
const FRAME_BYTES = 64

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

/** Where the times of a cue end in a store that has room for them; -1 when they need care. */
const putFrame = (
  store: Uint8Array,
  from: number,
  { start, end }: Cue,
  number: number,
  { emptyLine, separator }: CueFrame,
): number => {
  const first = printable(start)
  const last = printable(Math.max(end, start + 1))
  if (first >= HUNDRED_HOURS || last >= HUNDRED_HOURS) return -1
  const point = separator.charCodeAt(0)
  let at = from
  if (emptyLine === "before") store[at++] = LINE_FEED
  at = putNumber(store, at, number)
  store[at++] = LINE_FEED
  at = putStamp(store, at, first, point)
  for (let index = 0; index < ARROW.length; index++) store[at++] = ARROW[index] ?? 0
  at = putStamp(store, at, last, point)
  store[at++] = LINE_FEED
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
 * Prints cues of which nothing needs care: all their text is judged, and made bytes, at once. Null when a cue does need care.
 */
export const printPlain = (cues: ReadonlyArray<Cue>, firstNumber: number, frame: CueFrame): string | null => {
  const all: Array<string> = []
  for (const { lines } of cues) {
    if (lines.length === 0) return null
    for (let line = 0; line < lines.length; line++) all.push(lines[line] ?? "")
  }
  // Plain only if every line is: a line that is empty, or has a space at an end, makes two spaces here.
  const text = all.join(" ")
  if (!isPlain(text)) return null
  let from = cues.length * FRAME_BYTES + text.length
  const store = storeOf(from + text.length + 1)
  store.write(text, from, "latin1")
  let at = 0
  let number = firstNumber
  for (const cue of cues) {
    at = putFrame(store, at, cue, number++, frame)
    if (at < 0) return null
    let end = from
    for (let line = 0; line < cue.lines.length; line++) {
      end += cue.lines[line]?.length ?? 0
      store[end++] = LINE_FEED
    }
    store.copyWithin(at, from, end)
    at += end - from
    from = end
    if (frame.emptyLine === "after") store[at++] = LINE_FEED
  }
  return store.toString("latin1", 0, at)
}
