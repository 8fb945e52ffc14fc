import { isSpaced } from "../../text/units.js"
import type { Word } from "../../transcripts/Transcript.js"
import { NO_TIME } from "../timestamps.js"

/** A stretch of cue text that was given one time; `NO_TIME` before the first stamp of the cue. */
export interface Piece {
  readonly line: number
  readonly start: number
  readonly text: string
}

interface Unit {
  text: string
  readonly start: number
}

const WHITE_SPACE = /\s+/u

/** Units of the pieces; a piece that goes on where the one before broke off inside a word belongs to that word. */
const unitsOf = (pieces: ReadonlyArray<Piece>): Array<Unit> => {
  const units: Array<Unit> = []
  let tail = ""
  let line = 0
  for (const piece of pieces) {
    if (piece.line !== line) tail = ""
    line = piece.line
    for (const [index, text] of piece.text.split(WHITE_SPACE).entries()) {
      const last = units.at(-1)
      const joins = index === 0 && tail !== "" && text !== "" && isSpaced(tail, text.slice(0, 2))
      if (joins && last !== undefined) last.text += text
      else if (text !== "") units.push({ text, start: piece.start })
      // The end of what came last, or nothing after white space. (Cutting it off the growing text would be slow.)
      tail = text.slice(-2)
    }
  }
  return units
}

/** The words of stamped text: each begins at its stamp; words that share a stamp share the time by their length. */
export const wordsOfPieces = (
  pieces: ReadonlyArray<Piece>,
  cue: { readonly start: number; readonly end: number; readonly speaker: string | null },
): ReadonlyArray<Word> => {
  const units = unitsOf(pieces)
  const words: Array<Word> = []
  let first = 0
  while (first < units.length) {
    const stamp = units[first]?.start ?? NO_TIME
    let next = first
    let characters = 0
    while (next < units.length && units[next]?.start === stamp) characters += units[next++]?.text.length ?? 0
    const start = stamp === NO_TIME ? cue.start : stamp
    const end = Math.max(start, units[next]?.start ?? cue.end)
    let passed = 0
    for (const unit of units.slice(first, next)) {
      const from = Math.round(start + ((end - start) * passed) / characters)
      passed += unit.text.length
      const to = Math.round(start + ((end - start) * passed) / characters)
      words.push({ text: unit.text, start: from, end: to, confidence: null, speaker: cue.speaker })
    }
    first = next
  }
  return words
}
