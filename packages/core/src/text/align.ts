import { TaggedError } from "effect/Data"
import * as Either from "effect/Either"

/** The two sequences differ in more places than the caller allows: cut them into shorter parts first. */
export class TooFarApart extends TaggedError("TooFarApart")<{ readonly limit: number }> {
  override get message() {
    return `The texts differ in more than ${this.limit} places`
  }
}

/** One step of an alignment, with the index on each side that has one. */
export type Step =
  | { readonly kind: "hit" | "substitution"; readonly reference: number; readonly hypothesis: number }
  | { readonly kind: "deletion"; readonly reference: number }
  | { readonly kind: "insertion"; readonly hypothesis: number }

/** A part of both sequences: `[from, to)` of each. */
interface Part {
  readonly fromA: number
  readonly toA: number
  readonly fromB: number
  readonly toB: number
}

/**
 * The farthest place reached on each diagonal for one number of edits, walking from one end. From the far end the sequences
 * are walked in reverse, so that both walks are the same.
 */
interface Front {
  readonly a: Int32Array
  readonly b: Int32Array
  /** Indexed by diagonal + centre; -1 where nothing was reached. Diagonal = place in b minus place in a. */
  reached: Int32Array
  spare: Int32Array
}

/** The part of the walked sequences that a front is in. */
interface Walk {
  readonly fromA: number
  readonly fromB: number
  readonly lengthA: number
  readonly lengthB: number
}

const numbered = (reference: ReadonlyArray<string>, hypothesis: ReadonlyArray<string>) => {
  const numbers = new Map<string, number>()
  const numberOf = (unit: string) => {
    const known = numbers.get(unit)
    if (known !== undefined) return known
    numbers.set(unit, numbers.size)
    return numbers.size - 1
  }
  return [Int32Array.from(reference, numberOf), Int32Array.from(hypothesis, numberOf)] as const
}

/**
 * A shortest alignment by edits alone: on every diagonal the farthest place that e edits reach (Ukkonen), from both ends at
 * once until they meet (Hirschberg, Myers). Work grows with the length plus the square of the distance, memory with the length.
 */
class Aligner {
  readonly a: Int32Array
  readonly b: Int32Array
  readonly limit: number
  readonly steps: Array<Step> = []
  readonly forward: Front
  readonly backward: Front
  readonly centre: number

  constructor(a: Int32Array, b: Int32Array, limit: number) {
    this.a = a
    this.b = b
    this.limit = limit
    // From each end at most half of the allowed edits, rounded up, and never past the other end.
    const reach = Math.min(Math.ceil(limit / 2), Math.max(a.length, b.length)) + 2
    this.centre = reach
    const empty = () => new Int32Array(2 * reach + 1)
    this.forward = { a, b, reached: empty(), spare: empty() }
    this.backward = { a: a.toReversed(), b: b.toReversed(), reached: empty(), spare: empty() }
  }

  /** Appends the steps of one part; false when it is too far apart. */
  align(part: Part): boolean {
    const { a, b } = this
    let { fromA, toA, fromB, toB } = part
    while (fromA < toA && fromB < toB && a[fromA] === b[fromB])
      this.steps.push({ kind: "hit", reference: fromA++, hypothesis: fromB++ })
    let same = 0
    while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) {
      toA -= 1
      toB -= 1
      same += 1
    }
    if (!this.alignDifferent({ fromA, toA, fromB, toB })) return false
    for (let index = 0; index < same; index++)
      this.steps.push({ kind: "hit", reference: toA + index, hypothesis: toB + index })
    return true
  }

  /** A part whose first units differ and whose last units differ. */
  alignDifferent(part: Part): boolean {
    const { fromA, toA, fromB, toB } = part
    if (fromA === toA || fromB === toB) {
      for (let at = fromA; at < toA; at++) this.steps.push({ kind: "deletion", reference: at })
      for (let at = fromB; at < toB; at++) this.steps.push({ kind: "insertion", hypothesis: at })
      return true
    }
    if (toA - fromA === 1 && toB - fromB === 1) {
      this.steps.push({ kind: "substitution", reference: fromA, hypothesis: fromB })
      return true
    }
    const middle = this.middleOf(part)
    if (middle === undefined) return false
    const [middleA, middleB] = middle
    return (
      this.align({ fromA, toA: middleA, fromB, toB: middleB }) &&
      this.align({ fromA: middleA, toA, fromB: middleB, toB })
    )
  }

  /** A place on a shortest alignment with half of its edits on each side. */
  middleOf({ fromA, toA, fromB, toB }: Part): readonly [number, number] | undefined {
    const { a, b, centre, forward, backward } = this
    const lengthA = toA - fromA
    const lengthB = toB - fromB
    const ahead: Walk = { fromA, fromB, lengthA, lengthB }
    const back: Walk = { fromA: a.length - toA, fromB: b.length - toB, lengthA, lengthB }
    const end = lengthB - lengthA
    const most = Math.min(this.limit, Math.max(lengthA, lengthB))
    grow(forward, centre, 0, ahead)
    grow(backward, centre, 0, back)
    for (let edits = 1; edits <= most; edits++) {
      // Odd totals are one edit more from the front, even ones one more from the back.
      const behind = edits >> 1
      const before = edits - behind
      if (before > behind) grow(forward, centre, before, ahead)
      else grow(backward, centre, behind, back)
      const lowest = Math.max(-before, end - behind)
      const highest = Math.min(before, end + behind)
      for (let diagonal = lowest; diagonal <= highest; diagonal++) {
        const x = forward.reached[centre + diagonal] ?? -1
        const opposite = backward.reached[centre + end - diagonal] ?? -1
        if (x >= 0 && opposite >= 0 && x + opposite >= lengthA) return [fromA + x, fromB + x + diagonal]
      }
    }
    return undefined
  }
}

/** One edit more. Of the three ways to a diagonal the farthest counts, and equal units after it cost nothing. */
const grow = (
  front: Front,
  centre: number,
  edits: number,
  { fromA, fromB, lengthA, lengthB }: Walk,
): void => {
  const { a, b, reached: before, spare: next } = front
  const lowest = Math.max(-edits, -lengthA)
  const highest = Math.min(edits, lengthB)
  for (let diagonal = lowest; diagonal <= highest; diagonal++) {
    const index = centre + diagonal
    let x = 0
    if (edits > 0) {
      const substituted = before[index] ?? -1
      const inserted = before[index - 1] ?? -1
      const deleted = before[index + 1] ?? -1
      x = inserted
      if (substituted >= x && substituted >= 0) x = substituted + 1
      if (deleted >= x && deleted >= 0) x = deleted + 1
    }
    const farthest = Math.min(lengthA, lengthB - diagonal)
    if (x > farthest) x = farthest
    if (x < 0 || x + diagonal < 0) {
      next[index] = -1
      continue
    }
    while (x < farthest && a[fromA + x] === b[fromB + x + diagonal]) x += 1
    next[index] = x
  }
  // What is left of earlier walks beside the front must not be taken for a place.
  for (const beside of [lowest - 2, lowest - 1, highest + 1, highest + 2]) next[centre + beside] = -1
  front.reached = next
  front.spare = before
}

/** Above this the work would take longer than a person waits. */
const DEFAULT_LIMIT = 30_000

/**
 * A shortest alignment of two sequences, in reading order: no other one has fewer substitutions, deletions and insertions
 * together. Texts that differ in more than `limit` places are refused.
 */
export const alignUnits = (
  reference: ReadonlyArray<string>,
  hypothesis: ReadonlyArray<string>,
  limit: number = DEFAULT_LIMIT,
): Either.Either<ReadonlyArray<Step>, TooFarApart> => {
  const [a, b] = numbered(reference, hypothesis)
  const aligner = new Aligner(a, b, limit)
  const found = aligner.align({ fromA: 0, toA: a.length, fromB: 0, toB: b.length })
  return found ? Either.right(aligner.steps) : Either.left(new TooFarApart({ limit }))
}
