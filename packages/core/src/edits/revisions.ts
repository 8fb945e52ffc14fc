import * as Either from "effect/Either"
import type { Segment, Transcript } from "../transcripts/Transcript.js"
import { applyEdits, tooMuchWork, Work } from "./applyEdits.js"
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
}

/** Lines that stay are the same objects in the same order, so a change is what lies between two of them. */
const changesBetween = (before: Transcript, after: Transcript): ReadonlyArray<Change> => {
  const places = new Map(before.segments.map((line, at) => [line, at]))
  const changes: Array<Change> = []
  let [fromOld, fromNow] = [0, 0]
  const close = (toOld: number, toNow: number) => {
    if (toOld > fromOld || toNow > fromNow)
      changes.push({ old: before.segments.slice(fromOld, toOld), now: after.segments.slice(fromNow, toNow) })
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

/** The newest transcript without what one revision changed; undefined when a later revision changed those lines or their place in time. */
const takenBack = (before: Transcript, after: Transcript, newest: Transcript): Transcript | undefined => {
  const places = new Map(newest.segments.map((line, at) => [line, at]))
  const segments: Array<Segment> = []
  let copied = 0
  for (const { old, now } of changesBetween(before, after)) {
    const [first] = now
    const from = first === undefined ? undefined : places.get(first)
    if (from === undefined || now.some((line, at) => newest.segments[from + at] !== line)) return undefined
    segments.push(...newest.segments.slice(copied, from), ...old)
    copied = from + now.length
  }
  const transcript = { ...newest, segments: [...segments, ...newest.segments.slice(copied)] }
  return stepsBack(transcript) > stepsBack(before) ? undefined : transcript
}

const undone = (
  transcripts: ReadonlyMap<number, Transcript>,
  newest: Transcript,
  { revision, count }: { readonly revision: number; readonly count: number },
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
  const transcript = takenBack(before, after, newest)
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
    keep,
  }: {
    readonly kept: ReadonlyMap<number, Transcript>
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
          ? undone(kept, newest, { revision: revision.undo, count })
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
  return Either.map(replay(heard, revisions, { kept, keep }), () => [...kept.values()])
}

/** The transcript after all revisions. Of those before it only what an undo needs is held. */
export const newestTranscript = (
  heard: Transcript,
  revisions: ReadonlyArray<Revision>,
): Either.Either<Transcript, EditRefused> => {
  const needed = new Set(revisions.flatMap((each) => ("undo" in each ? [each.undo - 1, each.undo] : [])))
  const kept = new Map<number, Transcript>()
  const keep = (revision: number, transcript: Transcript) => {
    if (needed.has(revision)) kept.set(revision, transcript)
  }
  return replay(heard, revisions, { kept, keep })
}
