/** Lines of two versions beside one another, and the words that differ. No document is touched here. */
import type { Difference } from "./differences.js"

type Compared = Difference["removed"][number]

export interface LinePair {
  readonly removed?: Compared | undefined
  readonly added?: Compared | undefined
}

/** Each line with what became of it: by its place where as many are there as before, else by when it starts. */
export const pairsOf = ({ removed, added }: Difference): ReadonlyArray<LinePair> => {
  if (removed.length === added.length) return removed.map((line, at) => ({ removed: line, added: added[at] }))
  const pairs: Array<LinePair> = []
  let [from, to] = [0, 0]
  while (from < removed.length || to < added.length) {
    const [before, after] = [removed[from], added[to]]
    const [left, right] = [
      before?.start ?? Number.POSITIVE_INFINITY,
      after?.start ?? Number.POSITIVE_INFINITY,
    ]
    pairs.push({ removed: left <= right ? before : undefined, added: right <= left ? after : undefined })
    if (left <= right) from += 1
    if (right <= left) to += 1
  }
  return pairs
}

export interface Words {
  readonly text: string
  readonly isChanged: boolean
}

const runsOf = (words: ReadonlyArray<string>, same: ReadonlySet<number>): ReadonlyArray<Words> => {
  const runs: Array<Words> = []
  for (const [at, word] of words.entries()) {
    const isChanged = !same.has(at)
    const last = runs.at(-1)
    if (last?.isChanged === isChanged) runs[runs.length - 1] = { text: `${last.text} ${word}`, isChanged }
    else runs.push({ text: word, isChanged })
  }
  return runs
}

/** Lines with more words are shown as other lines: the work grows with the square. */
const MOST_WORDS = 500

/** The words that both have in the same order, as many as possible; by their places. */
const sameWords = (before: ReadonlyArray<string>, after: ReadonlyArray<string>) => {
  const same: readonly [Set<number>, Set<number>] = [new Set(), new Set()]
  if (Math.max(before.length, after.length) > MOST_WORDS) return same
  const width = after.length + 1
  /** How many the rests from a place on have in common. */
  const common = new Uint16Array((before.length + 1) * width)
  const at = (from: number, to: number) => common[from * width + to] ?? 0
  for (let from = before.length - 1; from >= 0; from--)
    for (let to = after.length - 1; to >= 0; to--)
      common[from * width + to] =
        before[from] === after[to] ? at(from + 1, to + 1) + 1 : Math.max(at(from + 1, to), at(from, to + 1))
  for (let [from, to] = [0, 0]; from < before.length && to < after.length; ) {
    if (before[from] === after[to]) {
      same[0].add(from++)
      same[1].add(to++)
    } else if (at(from + 1, to) >= at(from, to + 1)) from++
    else to++
  }
  return same
}

/** Both texts in runs of words that are the same, or are not. */
export const changedWords = (
  before: string,
  after: string,
): readonly [ReadonlyArray<Words>, ReadonlyArray<Words>] => {
  const [removed, added] = [before.split(" "), after.split(" ")]
  const [kept, come] = sameWords(removed, added)
  return [runsOf(removed, kept), runsOf(added, come)]
}
