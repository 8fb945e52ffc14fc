import type { Cue } from "../../transcripts/Transcript.js"
import type { StampedReading } from "./readVtt.js"
import type { Piece } from "./stampedWords.js"

/** Cues that are this close follow each other without the screen being cleared. */
const TOUCH = 50

/** No file rolls more lines than a screen has. */
const MOST_CARRIED = 20

const touches = (before: Cue, cue: Cue): boolean =>
  cue.start <= before.end + TOUCH && cue.start >= before.start

/** How many lines at the top of a cue were the last ones on the screen before it. */
const carriedLines = (screen: ReadonlyArray<string>, lines: ReadonlyArray<string>): number => {
  for (let count = Math.min(screen.length, lines.length, MOST_CARRIED); count > 0; count--) {
    let same = true
    for (let line = 0; line < count && same; line++)
      same = lines[line] === screen[screen.length - count + line]
    if (same) return count
  }
  return 0
}

/**
 * Whether a file shows each line several times while it rolls up, as automatic captions do. Someone who says the same
 * word again and again repeats whole cues; a rolling file also adds new lines below the repeated ones.
 */
const isRolling = (reading: StampedReading): boolean => {
  const { cues, pieces } = reading
  let carried = 0
  let grown = 0
  for (let index = 1; index < cues.length; index++) {
    const before = cues[index - 1]
    const cue = cues[index]
    if (before === undefined || cue === undefined || cue.lines.length === 0 || !touches(before, cue)) continue
    if (cue.lines[0] !== before.lines.at(-1)) continue
    carried++
    if (cue.lines.length > carriedLines(before.lines, cue.lines)) grown++
  }
  if (cues.length < 3) return false
  return (
    (carried > cues.length / 2 && grown > carried * 0.3) ||
    (pieces.size > cues.length * 0.3 && grown > cues.length * 0.2)
  )
}

/** Rolling captions with every line once, at the time it first appears; any other file as it is. */
export const undoRolling = (reading: StampedReading): StampedReading => {
  if (!isRolling(reading)) return reading
  const cues: Array<Cue> = []
  const pieces = new Map<number, ReadonlyArray<Piece>>()
  let before: Cue | undefined
  reading.cues.forEach((cue, index) => {
    const screen = before !== undefined && touches(before, cue) ? before.lines : []
    const carried = carriedLines(screen, cue.lines)
    const lines = cue.lines.slice(carried)
    if (cue.lines.length > 0) before = cue
    if (lines.length === 0) {
      const last = cues.at(-1)
      if (carried > 0 && last !== undefined)
        cues[cues.length - 1] = { ...last, end: Math.max(last.end, cue.end) }
      return
    }
    const stamped = reading.pieces.get(index)?.filter((piece) => piece.line >= carried)
    if (stamped !== undefined) pieces.set(cues.length, stamped)
    cues.push({ ...cue, lines })
  })
  return { ...reading, cues: endsCapped(cues), pieces }
}

/** No cue outlasts the start of the next. */
const endsCapped = (cues: ReadonlyArray<Cue>): Array<Cue> =>
  cues.map((cue, index) => {
    const next = cues[index + 1]
    return next === undefined || cue.end <= next.start
      ? cue
      : { ...cue, end: Math.max(cue.start, next.start) }
  })
