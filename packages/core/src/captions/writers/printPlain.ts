import type { Cue } from "../../transcripts/Transcript.js"
import { isPlain } from "./cueText.js"

/** What stands before the number and after the text of a cue. */
export interface CueFrame {
  readonly before: "" | "\n"
  readonly after: "\n" | "\n\n"
}

const LINE_FEED = 10
const SPACE = 32
const HYPHEN = 45
const GREATER = 62

const FINE = 0
const ODD = 1
const BLANK = 2

/** What a byte is: nothing special, a blank (two of them never meet in plain text), or what no plain text has. */
const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code === SPACE || code === LINE_FEED) return BLANK
  return code === HYPHEN || code === GREATER || isPlain(`x${String.fromCharCode(code)}x`) ? FINE : ODD
})

interface Marks {
  readonly lineFeeds: number
  readonly emptyLines: number
  readonly arrows: number
}

/** Counts what frames are made of; null as soon as anything odd is met. */
const count = (bytes: Uint8Array): Marks | null => {
  let lineFeeds = 0
  let emptyLines = 0
  let heads = 0
  let shafts = 0
  let before = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const kind = CLASSES[byte] ?? ODD
    if (kind !== FINE) {
      if (kind === ODD) return null
      if (byte === LINE_FEED) {
        lineFeeds++
        if (before === LINE_FEED) emptyLines++
        else if (before === SPACE) return null
      } else if (CLASSES[before] === BLANK) return null
    } else if (byte === GREATER) heads++
    else if (byte === HYPHEN && before === HYPHEN) shafts++
    before = byte
  }
  return heads === shafts ? { lineFeeds, emptyLines, arrows: heads } : null
}

/**
 * Prints cues as if nothing in them needed care, and then looks at what came out: one look at the bytes of many cues takes a third
 * of the time of a look at each line. Text can only add to what the frames have of line feeds, blanks and arrows, so equal counts
 * prove that it has none. Null when a cue does need care.
 */
export const printPlain = (
  cues: ReadonlyArray<Cue>,
  first: number,
  { before, after }: CueFrame,
  stamp: (milliseconds: number) => string,
): string | null => {
  let printed = ""
  let lineFeeds = 0
  for (let index = 0; index < cues.length; index++) {
    const cue = cues[index]
    if (cue === undefined) return null
    const { lines } = cue
    let text = lines[0] ?? ""
    for (let line = 1; line < lines.length; line++) text += `\n${lines[line] ?? ""}`
    const end = Math.max(cue.end, cue.start + 1)
    printed += `${before}${first + index}\n${stamp(cue.start)} --> ${stamp(end)}\n${text}${after}`
    lineFeeds += lines.length + 1
  }
  const bytes = Buffer.from(printed)
  if (bytes.length !== printed.length) return null
  const marks = count(bytes)
  const frameFeeds = cues.length * (before.length + after.length)
  // Frames of two line feeds show one empty line each; where one of the two comes first, the first cue has no other before it.
  const emptyLines = before === "" ? cues.length : cues.length - 1
  const isPlainThroughout =
    marks !== null &&
    marks.lineFeeds === lineFeeds + frameFeeds &&
    marks.emptyLines === emptyLines &&
    marks.arrows === cues.length
  return isPlainThroughout ? printed : null
}
