import type { Pair } from "./pairLines.js"
import { type Cut, countWords, cutsOf } from "./wordPlaces.js"

/** Lines before, and the lines of the file that they became: at least one of each. */
export interface Group {
  readonly before: readonly [from: number, to: number]
  readonly after: readonly [from: number, to: number]
}

type Texts = ReadonlyArray<string>

/** Neighbouring lines in which words may have moved from one line to another. It begins with a pair. */
interface Region {
  readonly pairs: ReadonlyArray<Pair>
  readonly end: Pair
}

const START: Pair = { before: 0, after: 0 }

const regionsOf = (before: Texts, after: Texts, pairs: ReadonlyArray<Pair>): ReadonlyArray<Region> => {
  const [first] = pairs
  // Both begin somewhere: what stands before the first pair belongs to it.
  const starts = first?.before === 0 && first.after === 0 ? pairs : [START, ...pairs.slice(1)]
  const end: Pair = { before: before.length, after: after.length }
  const regions: Array<Region> = []
  let open: Array<Pair> = []
  for (const [at, pair] of starts.entries()) {
    const next = starts[at + 1] ?? end
    open.push(pair)
    const isAnyGone = next.before - pair.before > 1
    // The words of a line that is gone may be in the next one now.
    if (isAnyGone && next !== end && before[next.before] !== after[next.after]) continue
    regions.push({ pairs: open, end: next })
    open = []
  }
  return regions
}

interface Matching {
  readonly starts: ReadonlyArray<number>
  readonly cuts: ReadonlyArray<Cut>
}

/** The line before that a paired line now begins with: an earlier one, if the words of that one moved into it. */
const beginningOf = (pair: Pair, earliest: number, { starts, cuts }: Matching): number => {
  const { to } = cuts[pair.after] ?? { to: 0 }
  for (let at = pair.before; at > earliest; at--) if ((starts[at] ?? 0) <= to) return at
  return pair.before
}

/** The first line before that begins where a line without a pair begins. */
const sameBeginning = (
  after: number,
  from: number,
  to: number,
  { starts, cuts }: Matching,
): number | null => {
  const cut = cuts[after] ?? { from: 0, to: 0 }
  for (let at = from; at < to; at++) {
    const start = starts[at] ?? 0
    if (start >= cut.from && start <= cut.to) return at
  }
  return null
}

/** Where lines begin both before and after, within a region. */
const boundariesOf = (before: Texts, after: Texts, pairs: ReadonlyArray<Pair>): ReadonlyArray<Pair> => {
  if (before.length === 1 || after.length === 1) return [START]
  const words = countWords(before)
  const matching: Matching = { starts: words.starts, cuts: cutsOf(words, countWords(after)) }
  const paired = new Map(pairs.map((pair) => [pair.after, pair]))
  const nextPaired = (from: number): number =>
    pairs.find((pair) => pair.after > from)?.before ?? before.length
  const boundaries: Array<Pair> = [START]
  let last = 0
  for (let at = 1; at < after.length; at++) {
    const pair = paired.get(at)
    const found =
      pair === undefined
        ? sameBeginning(at, last + 1, nextPaired(at), matching)
        : beginningOf(pair, last, matching)
    if (found === null || found <= last) continue
    boundaries.push({ before: found, after: at })
    last = found
  }
  return boundaries
}

/** All lines, in groups between which no word has moved. */
export const groupLines = (before: Texts, after: Texts, pairs: ReadonlyArray<Pair>): ReadonlyArray<Group> =>
  regionsOf(before, after, pairs).flatMap(({ pairs: own, end }) => {
    const { before: fromBefore, after: fromAfter } = own[0] ?? START
    const boundaries = boundariesOf(
      before.slice(fromBefore, end.before),
      after.slice(fromAfter, end.after),
      own.map((pair) => ({ before: pair.before - fromBefore, after: pair.after - fromAfter })),
    )
    return boundaries.map((boundary, at): Group => {
      const next = boundaries[at + 1]
      return {
        before: [fromBefore + boundary.before, next === undefined ? end.before : fromBefore + next.before],
        after: [fromAfter + boundary.after, next === undefined ? end.after : fromAfter + next.after],
      }
    })
  })
