/** Where two versions of a transcript differ, line by line. No document is touched here. */
import type { Line } from "./lines.js"

type Compared = Pick<Line, "start" | "end" | "speaker" | "text">

export interface Difference {
  readonly removed: ReadonlyArray<Compared>
  readonly added: ReadonlyArray<Compared>
}

export const isSame = (one: Compared | undefined, other: Compared | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.text === other.text &&
  one.speaker === other.speaker &&
  one.start === other.start &&
  one.end === other.end

/** No correction that a person makes in one place is longer. */
const FARTHEST = 200

/** How many lines to skip on either side until both are the same again, as few as possible. */
const nextSame = (
  before: ReadonlyArray<Compared>,
  after: ReadonlyArray<Compared>,
  from: number,
  to: number,
): readonly [removed: number, added: number] => {
  for (let both = 1; both <= 2 * FARTHEST; both++)
    for (let removed = Math.max(0, both - FARTHEST); removed <= Math.min(both, FARTHEST); removed++)
      if (isSame(before[from + removed], after[to + both - removed])) return [removed, both - removed]
  return [before.length - from, after.length - to]
}

export const differencesOf = (
  before: ReadonlyArray<Compared>,
  after: ReadonlyArray<Compared>,
): ReadonlyArray<Difference> => {
  const found: Array<Difference> = []
  let [from, to] = [0, 0]
  while (from < before.length || to < after.length) {
    if (isSame(before[from], after[to])) {
      from += 1
      to += 1
      continue
    }
    const [removed, added] = nextSame(before, after, from, to)
    found.push({ removed: before.slice(from, from + removed), added: after.slice(to, to + added) })
    from += removed
    to += added
  }
  return found
}

interface Revision {
  readonly revision: number
  readonly undoes: number | null
}

/** Which revisions to undo, in this order, so that the text is as it was at `target`. What was undone since then already is left alone. */
export const undosBackTo = (target: number, revisions: ReadonlyArray<Revision>): ReadonlyArray<number> => {
  const settled = new Set<number>()
  const undos: Array<number> = []
  for (const { revision, undoes } of revisions.toSorted((one, other) => other.revision - one.revision)) {
    if (revision <= target || settled.has(revision)) continue
    if (undoes !== null && undoes > target) settled.add(undoes)
    else undos.push(revision)
  }
  return undos
}
