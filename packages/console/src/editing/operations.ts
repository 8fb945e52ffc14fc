/** What is asked of the service for what a person did in a line. No document is touched here. */
import type { EditRevision, EditTranscription } from "@earmark/api/client"
import { joinUnits } from "@earmark/core/text"
import { type Line, voicesOf } from "../transcript/lines.js"

export type Operation = EditTranscription["operations"][number]

/** Lines that operations are about, by their numbers. */
export type Touched = ReadonlyMap<number, Line>

const numbersIn = (operation: Operation): ReadonlyArray<number> => {
  if (!("line" in operation)) return []
  const { type, line } = operation
  return type === "merge" ? [line, line + 1] : [line]
}

export const touchedBy = (
  operations: ReadonlyArray<Operation>,
  lineAt: (line: number) => Line | undefined,
): Touched =>
  new Map(
    operations.flatMap(numbersIn).flatMap((line) => {
      const own = lineAt(line)
      return own === undefined ? [] : [[line, own] as const]
    }),
  )

/** As it is saved. */
export const cleaned = (text: string): string => text.replace(/\s+/g, " ").trim()

/** The place between two words that is nearest to one in the text; null where there is none. */
const betweenWords = (text: string, near: number): number | null => {
  const isBetween = (at: number) =>
    at > 0 && at < text.length && joinUnits([text.slice(0, at).trim(), text.slice(at).trim()]) === text
  for (let away = 0; away < text.length; away++)
    for (const at of [near + away, near - away]) if (isBetween(at)) return at
  return null
}

/** How a person left a line. */
export type Left =
  | { readonly type: "done"; readonly text: string }
  /** Cut before the character `at`. */
  | { readonly type: "split"; readonly text: string; readonly at: number }
  /** Joined with the line before it. */
  | { readonly type: "merge"; readonly text: string }

/** The operations for a line that was left; none where nothing was changed. */
export const operationsFor = (line: number, before: string, left: Left): ReadonlyArray<Operation> => {
  const text = cleaned(left.text)
  const changed: ReadonlyArray<Operation> = text === before ? [] : [{ type: "text", line, text }]
  if (left.type === "split") {
    const at = cleaned(left.text.slice(0, left.at)).length
    // At the beginning and at the end there is nothing to cut off.
    const place = at === 0 || at >= text.length ? null : betweenWords(text, at)
    return place === null ? changed : [...changed, { type: "split", line, at: place }]
  }
  if (left.type === "merge" && line > 0) return [...changed, { type: "merge", line: line - 1 }]
  return changed
}

/** The speaker with a place, from 1 on; null where there is none. */
export const labelAt = (job: Parameters<typeof voicesOf>[0], place: number): string | null =>
  voicesOf(job).find((voice) => voice.place === place)?.label ?? null

/** The label of a speaker that a person wrote: that of the speaker who is called so, else the name itself. */
export const labelNamed = (
  name: string,
  lines: ReadonlyArray<Line>,
  names: Readonly<Record<string, string>>,
): string =>
  lines.find(({ speaker }) => speaker !== null && (names[speaker] ?? speaker) === name)?.speaker ?? name

interface Times {
  readonly start: number
  readonly end: number
}

/** A line must last as long. */
const SHORTEST = 0.1

const tenths = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Times of a line moved by so many seconds, as far as its neighbours and the recording let them. */
export const nudged = (
  { start, end }: Times,
  by: { readonly start?: number; readonly end?: number },
  { from, to, length }: { readonly from: number; readonly to: number; readonly length: number },
): Times => {
  const begin = Math.max(from, Math.min(start + (by.start ?? 0), to, end - SHORTEST))
  return {
    start: tenths(by.start === undefined ? start : begin),
    end: tenths(
      by.end === undefined ? end : Math.max(start + SHORTEST, Math.min(end + by.end, Math.max(length, end))),
    ),
  }
}

type Taken = Pick<EditRevision, "revision" | "undoes">

/** What is not in force. An undo that was undone itself takes nothing back. `history` has the newest first. */
export const undoneIn = (history: ReadonlyArray<Taken>): ReadonlySet<number> => {
  const undone = new Set<number>()
  for (const { revision, undoes } of history) if (undoes !== null && !undone.has(revision)) undone.add(undoes)
  return undone
}

/**
 * The revision that is taken back: the newest that was made here and still counts, else the newest of all. Null where there is
 * none, `"unseen"` where the page does not show it yet. `history` has the newest first.
 */
export const revisionToUndo = (
  history: ReadonlyArray<Taken>,
  own: ReadonlyArray<number>,
  shown: number,
): number | "unseen" | null => {
  const undone = undoneIn(history)
  const counting = history.flatMap(({ revision, undoes }) =>
    undoes === null && !undone.has(revision) ? [revision] : [],
  )
  const [newest = null] = counting
  const mine = counting.find((revision) => own.includes(revision))
  return mine ?? (newest !== null && newest > shown ? "unseen" : newest)
}
