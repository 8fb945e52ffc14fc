/** Moves a correction over what others have corrected meanwhile. Loaded when one was refused; no document is touched here. */
import type { DoneTranscription, EditRevision } from "@earmark/api/client"
import { joinUnits } from "@earmark/core/text"
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

type Wanted = Pick<Line, "start" | "speaker" | "text"> & { readonly end?: number }

/** What a correction makes of the lines that it is about; null where that cannot be told. */
const wantedBy = ({ operations, touched }: Own): ReadonlyArray<ReadonlyArray<Wanted>> | null => {
  const wanted = new Map<number, ReadonlyArray<Wanted>>(
    [...touched].map(([line, { start, speaker, text }]) => [line, [{ start, speaker, text }]]),
  )
  for (const each of operations) {
    if (!("line" in each)) continue
    const line = wanted.get(each.line)?.[0]
    if (line === undefined) return null
    if (each.type === "split") {
      const halves = [line.text.slice(0, each.at), line.text.slice(each.at)]
      wanted.set(
        each.line,
        halves.map((half) => ({ ...line, text: half.trim() })),
      )
    } else if (each.type === "merge") {
      const next = wanted.get(each.line + 1)?.[0]
      if (next === undefined) return null
      wanted.set(each.line, [{ ...line, text: joinUnits([line.text, next.text]) }])
      wanted.delete(each.line + 1)
    } else {
      const { type: _, line: at, ...changed } = each
      wanted.set(at, [{ ...line, ...changed }])
    }
  }
  return [...wanted.values()]
}

/** Whether the text has a correction already: it was saved, and the answer was lost. */
export const isMade = (own: Own, lines: ReadonlyArray<Line>): boolean => {
  const [first] = own.operations
  if (first?.type === "remove") {
    const removed = own.touched.get(first.line)
    // In its place is nothing any more: not its words in a neighbour either.
    return (
      removed !== undefined && lines.every(({ start, end }) => end <= removed.start || start >= removed.end)
    )
  }
  const hasSpeakers = own.operations.every(
    (each) =>
      !("from" in each) ||
      (lines.every(({ speaker }) => speaker !== each.from) &&
        lines.some(({ speaker }) => speaker === ("into" in each ? each.into : each.to))),
  )
  const wanted = wantedBy(own)
  if (!hasSpeakers || wanted === null) return false
  return wanted.every(([first, second]) => {
    const at = lines.findIndex(
      ({ start, end, speaker, text }) =>
        start === first?.start &&
        speaker === first.speaker &&
        text === first.text &&
        (first.end ?? end) === end,
    )
    const next = lines[at + 1]
    return (
      at >= 0 && (second === undefined || (next?.text === second.text && next.speaker === second.speaker))
    )
  })
}

/** The revision that such a correction made, as far as the history tells; else the newest. */
export const revisionMade = (
  { operations, known }: Own,
  revisions: ReadonlyArray<EditRevision>,
  newest: number,
): number => {
  const [first] = operations
  const line = first !== undefined && "line" in first ? first.line : undefined
  const isOwn = ({ revision, operations: count, changes }: EditRevision) =>
    revision > known &&
    count === operations.length &&
    changes?.[0]?.type === first?.type &&
    (changes?.[0]?.line ?? undefined) === line
  return revisions.findLast(isOwn)?.revision ?? newest
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
