import * as Either from "effect/Either"
import type { Segment, Transcript } from "../transcripts/Transcript.js"
import { applyEdits, lastLine, tooMuchWork, Work } from "./applyEdits.js"
import type { EditOperation } from "./EditOperation.js"
import { EditRefused } from "./EditRefused.js"

/** What one revision did to the one before it: operations, or taking an earlier revision back. */
export type Revision =
  | { readonly operations: ReadonlyArray<EditOperation> }
  /** The revision that is taken back, counted from 1. */
  | { readonly undo: number }

/** Neighbouring lines that one revision replaced, and what it put in their place. */
interface Change {
  readonly old: ReadonlyArray<Segment>
  readonly now: ReadonlyArray<Segment>
  /** Where `now` begins after the revision. */
  readonly at: number
}

type Places = ReadonlyMap<Segment, number>

const placesIn = ({ segments }: Transcript): Places => new Map(segments.map((line, at) => [line, at]))

/** Lines that stay are the same objects in the same order, so a change is what lies between two of them. */
const changesBetween = (before: Transcript, after: Transcript): ReadonlyArray<Change> => {
  const places = placesIn(before)
  const changes: Array<Change> = []
  let [fromOld, fromNow] = [0, 0]
  const close = (toOld: number, toNow: number) => {
    if (toOld > fromOld || toNow > fromNow)
      changes.push({
        old: before.segments.slice(fromOld, toOld),
        now: after.segments.slice(fromNow, toNow),
        at: fromNow,
      })
    fromOld = toOld + 1
    fromNow = toNow + 1
  }
  for (const [at, line] of after.segments.entries()) {
    const place = places.get(line)
    if (place !== undefined) close(place, at)
  }
  close(before.segments.length, after.segments.length)
  return changes
}

const stepsBack = ({ segments }: Transcript): number =>
  segments.filter((line, at) => line.start < (segments[at - 1]?.start ?? line.start)).length

/** Between which lines of the newest transcript removed lines belong. */
interface Gap {
  readonly from: number
  readonly to: number
  /** Where they stood when they were removed, if as many lines are before them still. */
  readonly likely: number
}

/** The gaps at the places of a transcript, asked for in ascending order. */
const gapsBetween = ({ segments }: Transcript, places: Places, length: number) => {
  const nextPlaces: Array<number> = [length]
  for (const line of segments.toReversed()) nextPlaces.push(places.get(line) ?? nextPlaces.at(-1) ?? length)
  let [seen, from, since] = [0, 0, 0]
  return (at: number): Gap => {
    for (; seen < at; seen++) {
      const line = segments[seen]
      const place = line === undefined ? undefined : places.get(line)
      since = place === undefined ? since + 1 : 0
      from = place === undefined ? from : place + 1
    }
    return { from, to: nextPlaces[segments.length - at] ?? length, likely: from + since }
  }
}

/** The newest transcript without what one revision changed; undefined when a later revision changed those lines or their place in time. */
const takenBack = (before: Transcript, after: Transcript, newest: Transcript): Transcript | undefined => {
  const places = placesIn(newest)
  const gapAt = gapsBetween(after, places, newest.segments.length)
  const segments: Array<Segment> = []
  let copied = 0
  const copyTo = (end: number) => {
    segments.push(...newest.segments.slice(copied, end))
    copied = Math.max(copied, end)
  }
  /** Between what is left of their neighbours, by time: before what starts later, and of what starts together as they stood. */
  const putBack = (line: Segment, { from, to, likely }: Gap) => {
    let place = Math.max(copied, from)
    for (; place < to; place++) {
      const start = newest.segments[place]?.start ?? line.start
      if (start > line.start || (start === line.start && place >= likely)) break
    }
    copyTo(place)
    segments.push(line)
  }
  for (const { old, now, at } of changesBetween(before, after)) {
    const [first] = now
    if (first === undefined) {
      const gap = gapAt(at)
      for (const line of old) putBack(line, gap)
      continue
    }
    const from = places.get(first)
    if (from === undefined || from < copied) return undefined
    if (now.some((line, index) => newest.segments[from + index] !== line)) return undefined
    copyTo(from)
    segments.push(...old)
    copied = from + now.length
  }
  copyTo(newest.segments.length)
  const transcript = { ...newest, segments }
  return stepsBack(transcript) > stepsBack(before) ? undefined : transcript
}

/** Whether lines that a revision removed are there again. */
const isBackAgain = (before: Transcript, after: Transcript, newest: Transcript): boolean => {
  const places = placesIn(newest)
  return changesBetween(before, after).some(
    ({ old, now }) => now.length === 0 && old.some((line) => places.has(line)),
  )
}

const undone = (
  transcripts: ReadonlyMap<number, Transcript>,
  newest: Transcript,
  { revision, count, isNew }: { readonly revision: number; readonly count: number; readonly isNew: boolean },
): Either.Either<Transcript, EditRefused> => {
  const [before, after] = [transcripts.get(revision - 1), transcripts.get(revision)]
  if (before === undefined || after === undefined)
    return Either.left(
      new EditRefused({
        reason: "unknown_revision",
        operation: null,
        detail: `There is no revision ${revision} to undo; the newest is ${count}.`,
      }),
    )
  // Earlier versions stored undos of what was undone already, and those are read as they were.
  const transcript =
    isNew && isBackAgain(before, after, newest) ? undefined : takenBack(before, after, newest)
  if (transcript?.segments.length === 0 && newest.segments.length > 0)
    return Either.left(new EditRefused({ ...lastLine, operation: null }))
  if (transcript !== undefined) return Either.right(transcript)
  return Either.left(
    new EditRefused({
      reason: "changed_later",
      operation: null,
      detail: `Cannot undo revision ${revision}: a later revision changed the same lines, or times beside them. Undo that one first.`,
    }),
  )
}

/** Goes through all revisions; `keep` is given the transcript at each. An undo is given those that `kept` has. */
const replay = (
  heard: Transcript,
  revisions: ReadonlyArray<Revision>,
  {
    kept,
    stored,
    keep,
  }: {
    readonly kept: ReadonlyMap<number, Transcript>
    /** How many of the revisions were taken before. */
    readonly stored: number
    readonly keep: (revision: number, transcript: Transcript) => void
  },
): Either.Either<Transcript, EditRefused> => {
  const work = new Work()
  let newest = heard
  keep(0, newest)
  for (const [count, revision] of revisions.entries()) {
    const next =
      "operations" in revision
        ? applyEdits(newest, revision.operations, work)
        : work.spend(newest.segments.length)
          ? undone(kept, newest, { revision: revision.undo, count, isNew: count >= stored })
          : Either.left(new EditRefused({ ...tooMuchWork, operation: null }))
    if (Either.isLeft(next)) return next
    newest = next.right
    keep(count + 1, newest)
  }
  return Either.right(newest)
}

/** The transcript at each revision, from what was heard (revision 0) to the newest. */
export const replayRevisions = (
  heard: Transcript,
  revisions: ReadonlyArray<Revision>,
): Either.Either<ReadonlyArray<Transcript>, EditRefused> => {
  const kept = new Map<number, Transcript>()
  const keep = (revision: number, transcript: Transcript) => kept.set(revision, transcript)
  return Either.map(replay(heard, revisions, { kept, stored: revisions.length, keep }), () => [
    ...kept.values(),
  ])
}

/** Of the transcripts before the newest only what an undo needs is held. */
const newestOf = (heard: Transcript, revisions: ReadonlyArray<Revision>, stored: number) => {
  const needed = new Set(revisions.flatMap((each) => ("undo" in each ? [each.undo - 1, each.undo] : [])))
  const kept = new Map<number, Transcript>()
  const keep = (revision: number, transcript: Transcript) => {
    if (needed.has(revision)) kept.set(revision, transcript)
  }
  return replay(heard, revisions, { kept, stored, keep })
}

/** The transcript after all revisions that were taken. */
export const newestTranscript = (
  heard: Transcript,
  revisions: ReadonlyArray<Revision>,
): Either.Either<Transcript, EditRefused> => newestOf(heard, revisions, revisions.length)

/** The transcript after one more revision, or why it cannot be taken. */
export const nextTranscript = (
  heard: Transcript,
  revisions: ReadonlyArray<Revision>,
  revision: Revision,
): Either.Either<Transcript, EditRefused> => newestOf(heard, [...revisions, revision], revisions.length)
