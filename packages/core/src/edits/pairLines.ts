import * as Either from "effect/Either"
import { alignUnits, type TooFarApart } from "../text/align.js"

/** A line before and the line of the file that it became. */
export interface Pair {
  readonly before: number
  readonly after: number
}

/** What two lines are the same by: each rule pairs lines between those that the rule before it has paired. */
export type Keys = readonly [before: ReadonlyArray<string>, after: ReadonlyArray<string>]

const pairBetween = ([before, after]: Keys, from: Pair, to: Pair, farthest: number) => {
  const [first, second] = [before.slice(from.before, to.before), after.slice(from.after, to.after)]
  if (first.length === 0 || second.length === 0) return Either.right([])
  return Either.map(alignUnits(first, second, farthest), (steps) =>
    steps.flatMap(
      (step): ReadonlyArray<Pair> =>
        step.kind === "hit"
          ? [{ before: from.before + step.reference, after: from.after + step.hypothesis }]
          : [],
    ),
  )
}

/**
 * Lines that are the same line, in order: first by the first rule, then what is left by the next.
 * Refused when more than `farthest` lines differ by the first rule.
 */
export const pairLines = (
  rules: ReadonlyArray<Keys>,
  farthest: number,
): Either.Either<ReadonlyArray<Pair>, TooFarApart> => {
  let pairs: ReadonlyArray<Pair> = []
  for (const keys of rules) {
    const end: Pair = { before: keys[0].length, after: keys[1].length }
    let from: Pair = { before: 0, after: 0 }
    const found: Array<Pair> = []
    for (const pair of [...pairs, end]) {
      const between = pairBetween(keys, from, pair, farthest)
      if (Either.isLeft(between)) return Either.left(between.left)
      found.push(...between.right)
      if (pair !== end) found.push(pair)
      from = { before: pair.before + 1, after: pair.after + 1 }
    }
    pairs = found
  }
  return Either.right(pairs)
}
