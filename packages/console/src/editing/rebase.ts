/** Moves a correction over what others have corrected meanwhile. Loaded when one was refused; no document is touched here. */
import type { DoneTranscription } from "@earmark/api/client"
import { isSame } from "../transcript/differences.js"
import type { Line } from "../transcript/lines.js"
import type { Own } from "./moves.js"
import type { Touched } from "./operations.js"

/** The number that each line has among others; null where one is not there as it was, or lines are no more beside one another. */
const placesIn = (touched: Touched, lines: ReadonlyArray<Line>): ReadonlyMap<number, number> | null => {
  const places = new Map<number, number>()
  for (const [line, own] of touched) {
    const place = isSame(lines[line], own) ? line : lines.findIndex((each) => isSame(each, own))
    if (place < 0) return null
    places.set(line, place)
  }
  const isBeside = [...places].every(([line, place]) => (places.get(line + 1) ?? place + 1) === place + 1)
  return isBeside ? places : null
}

/** False where they have changed a line that it is about: it is as it was then. */
export const rebase = (
  own: Own,
  { revision = 0, segments }: Pick<DoneTranscription, "revision" | "segments">,
): boolean => {
  const places = placesIn(own.touched, segments)
  if (places === null || revision <= own.known) return false
  const placed = <Of extends object>(each: Of): Of =>
    "line" in each && typeof each.line === "number" ? { ...each, line: places.get(each.line) } : each
  own.operations = own.operations.map(placed)
  own.known = revision
  own.lines = segments.length
  own.touched = new Map([...own.touched].map(([line, each]) => [places.get(line) ?? line, each]))
  own.draft = own.draft === null ? null : placed(own.draft)
  return true
}
