/** How lines move when some are split, joined or removed, for what is done before the page shows it. */
import type { Draft } from "./drafts.js"
import type { Operation, Touched } from "./operations.js"

/** Lines from `from` on have numbers that are higher or lower by one. */
export interface Move {
  readonly from: number
  readonly by: 1 | -1
}

/** How the lines move; null where they stay. Of a line that is split, one goes on with the second half, and after one that is removed with the next. */
export const moveOf = (operations: ReadonlyArray<Operation>): Move | null => {
  for (const each of operations) {
    if (each.type === "split") return { from: each.line, by: 1 }
    if (each.type === "merge" || each.type === "remove") return { from: each.line + 1, by: -1 }
  }
  return null
}

/** Whether a line is one of those that are split or joined. */
export const isMoving = (line: number, { from, by }: Move): boolean =>
  line === from || (by === -1 && line === from - 1)

/** The number of a line after all of these. */
export const moved = (line: number, moves: ReadonlyArray<Move>): number =>
  moves.reduce((at, { from, by }) => (at >= from ? at + by : at), line)

/** A correction that was made here. */
export interface Made {
  readonly operations: ReadonlyArray<Operation>
  /** The revision that was shown: lines have the numbers that they had there. */
  readonly known: number
  /** Infinity until it is saved. */
  readonly revision: number
}

/** One that the page may not show yet. Where others were quicker it is moved over theirs. */
export interface Own extends Made {
  operations: ReadonlyArray<Operation>
  known: number
  /** How many lines there were. */
  lines: number
  /** Those that it is about, as they were. */
  touched: Touched
  revision: number
  /** Of a line whose text was changed, split or joined; with what was typed since. */
  draft: Draft | null
  /**
   * The part of its line in which one goes on typing, until the page shows how that was split or joined: as it was, and as it
   * is.
   */
  more: { readonly from: string; readonly text: string } | null
}

/** How lines moved after a revision and up to another, by corrections in the order in which they are saved. */
export const movesBetween = (
  made: ReadonlyArray<Made>,
  from: number,
  to = Number.POSITIVE_INFINITY,
): ReadonlyArray<Move> => {
  const isAfter =
    (known: number) =>
    ({ revision }: { readonly revision: number }) =>
      revision > known
  const moves: Array<Move & { readonly revision: number }> = []
  for (const { operations, known, revision } of made) {
    const unseen = moves.filter(isAfter(known))
    const move = moveOf(operations.map((each) => movedOperation(each, unseen)))
    if (move !== null) moves.push({ ...move, revision })
  }
  return moves.filter(isAfter(from)).filter(({ revision }) => revision <= to)
}

/** What is to be done, after all of these. */
export const movedOperation = (operation: Operation, moves: ReadonlyArray<Move>): Operation => {
  // Its first line is named, and it is done at the second.
  if (operation.type === "merge") return { ...operation, line: moved(operation.line + 1, moves) - 1 }
  return "line" in operation ? { ...operation, line: moved(operation.line, moves) } : operation
}
