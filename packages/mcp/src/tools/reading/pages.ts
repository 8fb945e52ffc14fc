/** Pages of a view: whole pieces, nothing twice, and joined they are the view. */
import { createHash } from "node:crypto"
import { ToolRefused } from "../ToolRefused.js"
import type { Piece } from "./pieces.js"

export interface Window {
  /** Milliseconds. */
  readonly from: number
  readonly to: number
}

/** The pieces of a view, with how many characters of it come before each. */
export interface View {
  readonly pieces: ReadonlyArray<Piece>
  /** One more than there are pieces: the last is the length of the view. */
  readonly offsets: ReadonlyArray<number>
}

export const viewOf = (pieces: ReadonlyArray<Piece>): View => {
  const offsets = [0]
  for (const { text } of pieces) offsets.push((offsets.at(-1) ?? 0) + text.length)
  return { pieces, offsets }
}

/** Where a view begins and ends, as numbers of pieces. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** The pieces that are said within a window. */
export const rangeOf = ({ pieces }: View, { from, to }: Window): Range => {
  const first = pieces.findIndex(({ start, end }) => end > from || start >= from)
  if (first < 0) return { first: pieces.length, last: pieces.length }
  let last = first
  while (last < pieces.length && (pieces[last]?.start ?? to) < to) last += 1
  return { first, last }
}

/** A number of a page: bound to the view that it was given out for, so that it leads nowhere else. */
export const cursorAt = (view: string, piece: number): string =>
  `${piece.toString(36)}.${createHash("sha256").update(`${view} ${piece}`).digest("base64url").slice(0, 12)}`

const CURSOR = /^([0-9a-z]{1,8})\.[\w-]{12}$/

/** The piece that a cursor names; null when it was given out for something else, or never. */
export const openCursor = (view: string, cursor: string): number | null => {
  const [, digits = ""] = CURSOR.exec(cursor) ?? []
  const piece = Number.parseInt(digits, 36)
  return Number.isSafeInteger(piece) && cursorAt(view, piece) === cursor ? piece : null
}

export const cursorRefused = new ToolRefused({
  code: "invalid_request",
  detail: "cursor: This cursor belongs to another call, or to an older state of the transcription",
  action: "Repeat the call that returned it with the same arguments, or begin again without a cursor.",
})

/** The page that begins at a piece: as many as fit, and at least one. */
export const pageEnd = ({ pieces }: View, { first, last }: Range, characters: number): number => {
  let used = 0
  let end = first
  while (end < last) {
    used += pieces[end]?.cost ?? 0
    if (used > characters && end > first) break
    end += 1
  }
  return end
}
