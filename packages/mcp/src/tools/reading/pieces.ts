/** A view of a transcript as pieces that are never cut: what pages are made of. */
import type { DoneJob } from "@earmark/core/jobs"
import { jsonLength } from "../fitting.js"
import { clock } from "../foreignText.js"

type Line = Pick<DoneJob["segments"][number], "start" | "end" | "speaker" | "text">

/** A line of a transcript as data. */
interface TimedLine {
  readonly start: number
  readonly end: number
  readonly speaker?: string
  readonly text: string
}

export interface Piece {
  /** When it is said; milliseconds. Extras that stand for all of it have no time. */
  readonly start: number
  readonly end: number
  /** As people read it, with what stands between it and the next one. */
  readonly text: string
  readonly line: TimedLine | null
  /** Characters that it takes of a page: of the longer of its two forms. */
  readonly cost: number
}

const timedLine = ({ start, end, speaker, text }: Line): TimedLine => ({
  start: start / 1000,
  end: end / 1000,
  ...(speaker !== null && { speaker }),
  text,
})

const readable = ({ start, speaker, text }: Line): string =>
  `[${clock(start)}] ${speaker === null ? text : `${speaker}: ${text}`}\n`

/** Longer pieces are cut all the same: at spaces where there are some, and never inside a character. */
const LONGEST_TEXT = 500
const LONGEST_LINE = 4000

const cutAt = (text: string, from: number, most: number): number => {
  const space = text.lastIndexOf(" ", from + most - 1)
  if (space > from + most / 2) return space + 1
  const unit = text.charCodeAt(from + most - 1)
  return from + (unit >= 0xd800 && unit <= 0xdbff ? most - 1 : most)
}

const cut = (text: string, most: number): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let from = 0
  while (text.length - from > most) {
    const to = cutAt(text, from, most)
    parts.push(text.slice(from, to))
    from = to
  }
  parts.push(text.slice(from))
  return parts
}

const textPieces = (text: string, { start, end }: Pick<Line, "start" | "end">): ReadonlyArray<Piece> =>
  cut(text, LONGEST_TEXT).map((part) => ({ start, end, text: part, line: null, cost: jsonLength(part) - 2 }))

/** A text cut where its lines begin. Joined, the pieces are the text. */
export const piecesOfText = (text: string, lines: ReadonlyArray<Line>): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let from = 0
  lines.forEach((line, index) => {
    const next = lines[index + 1]
    const after = text.indexOf(line.text, from)
    const searched = (after < 0 ? from : after) + line.text.length
    const found = next === undefined ? -1 : text.indexOf(next.text, searched)
    const to = next === undefined || found < 0 ? (next === undefined ? text.length : searched) : found
    pieces.push(...textPieces(text.slice(from, to), line))
    from = to
  })
  return lines.length === 0 ? textPieces(text, { start: 0, end: 0 }) : pieces
}

/** Timed lines, one piece each; one that is longer than a piece is cut into several of the same time. */
export const piecesOfLines = (lines: ReadonlyArray<Line>): ReadonlyArray<Piece> =>
  lines.flatMap((line) =>
    cut(line.text, LONGEST_LINE).map((text) => {
      const part = { ...line, text }
      const shown = timedLine(part)
      const told = readable(part)
      return {
        start: line.start,
        end: line.end,
        text: told,
        line: shown,
        cost: Math.max(jsonLength(shown) + 1, told.length),
      }
    }),
  )
