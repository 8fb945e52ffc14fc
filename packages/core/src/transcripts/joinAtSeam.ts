import type { Span } from "./spans.js"
import type { Word } from "./Transcript.js"

/** How many words of the window before count, and from which one of the window after on. */
interface Seam {
  readonly left: number
  readonly right: number
}

/** So far from where the windows overlap, in milliseconds, a word may still be placed that is in both. */
const AROUND = 500
/** A word that begins earlier or later by this, in milliseconds, is another one. */
const APART = 600
/** Two windows agree on a run of words when these are so many in sum; one that is `APART` away counts nothing. */
const LEAST_AGREEMENT = 0.6

const middleOf = ({ start, end }: Span) => (start + end) / 2

/** What a word is compared by: letters and digits alone. */
export const keyOf = ({ text }: Word): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "")

/** How well two words agree: from 0 for other words to 1 for the same at the same time. */
const agreementOf = (left: Word, right: Word, isSame: boolean): number =>
  isSame ? Math.max(0, 1 - Math.abs(left.start - right.start) / APART) : 0

interface Run {
  /** Behind the last word of the run, on both sides. */
  readonly left: number
  readonly right: number
  readonly length: number
  readonly agreement: number
}

/** The run of words that both have, at about the same times, that agrees best. */
const bestRun = (left: ReadonlyArray<Word>, right: ReadonlyArray<Word>): Run | null => {
  const keys = right.map(keyOf)
  let best: Run | null = null
  let above: ReadonlyArray<Run | null> = []
  left.forEach((word, row) => {
    const key = keyOf(word)
    const runs = right.map((other, column): Run | null => {
      const agreement = agreementOf(word, other, key !== "" && key === keys[column])
      if (agreement === 0) return null
      const before = above[column - 1] ?? null
      return {
        left: row + 1,
        right: column + 1,
        length: 1 + (before?.length ?? 0),
        agreement: agreement + (before?.agreement ?? 0),
      }
    })
    for (const run of runs) if (run !== null && run.agreement > (best?.agreement ?? 0)) best = run
    above = runs
  })
  return best
}

/** Where in a run to go over from one window to the other: near the middle, where each has heard enough of what was before and after. */
const placeIn = (run: Run, left: ReadonlyArray<Word>, right: ReadonlyArray<Word>, middle: number): Seam => {
  // The last word of a window may be half a word with a full stop, the first one may have a capital.
  const isLast = run.left === left.length && run.right < right.length
  const most = isLast ? run.length - 1 : run.length
  const least = run.right === run.length && run.left > run.length ? 1 : 0
  let taken = least
  for (let count = taken + 1; count <= most; count++) {
    const word = left[run.left - run.length + count - 1]
    if (word !== undefined && middleOf(word) < middle) taken = count
  }
  return { left: run.left - run.length + taken, right: run.right - run.length + taken }
}

/** Without a word in common: the middle, but all of the one where the other has nothing. */
const inTheMiddle = (left: ReadonlyArray<Word>, right: ReadonlyArray<Word>, overlap: Span): Seam => {
  const ends = left.at(-1)?.end ?? Number.NEGATIVE_INFINITY
  const begins = right[0]?.start ?? Number.POSITIVE_INFINITY
  if (ends <= begins) return { left: left.length, right: 0 }
  const middle = Math.min(ends, Math.max(begins, middleOf(overlap)))
  const isBefore = (word: Word) => middleOf(word) < middle
  return { left: left.filter(isBefore).length, right: right.filter(isBefore).length }
}

/**
 * Where to go over from the words of one window to those of the next, which heard some of the same sound: inside the run of words on which
 * both agree, or, where they agree on none, in the middle of the overlap. Words are in order.
 */
export const joinAtSeam = (left: ReadonlyArray<Word>, right: ReadonlyArray<Word>, overlap: Span): Seam => {
  const first = left.findIndex(({ end }) => end > overlap.start - AROUND)
  const from = first < 0 ? left.length : first
  const last = right.findIndex(({ start }) => start >= overlap.end + AROUND)
  const ending = left.slice(from)
  const beginning = right.slice(0, last < 0 ? right.length : last)
  const run = bestRun(ending, beginning)
  const seam =
    run !== null && run.agreement >= LEAST_AGREEMENT
      ? placeIn(run, ending, beginning, middleOf(overlap))
      : inTheMiddle(ending, beginning, overlap)
  return { left: from + seam.left, right: seam.right }
}
