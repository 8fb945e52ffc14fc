/** How far a run of several sources is, and how long the rest will take. */
import { statSync } from "node:fs"
import type { Item } from "../sources/sources.js"

const sizeOf = (path: string): number => {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

const weightOf = (item: Item): number => {
  if (item.type === "file") return sizeOf(item.path)
  return item.type === "episode" ? (item.episode.seconds ?? 0) : 0
}

/** How much work each is compared with the others: by length or size where that is known of all, else all the same. */
export const weightsOf = (items: ReadonlyArray<Item>): ReadonlyArray<number> => {
  const [first] = items
  const weights = items.map((item) => (item.type === first?.type ? weightOf(item) : 0))
  return weights.every((weight) => weight > 0) ? weights : items.map(() => 1)
}

const LEAST_MILLISECONDS = 2000

/** Before so many sources are done, or so much of all the work, one that is quick or slow would speak for the rest. */
const LEAST_SOURCES = 2
const LEAST_SHARE = 0.2

/** Judges by the work of this run alone: what was done before it says nothing about how long the rest takes. */
export const makeOutlook = (weights: ReadonlyArray<number>) => {
  const reached = weights.map(() => 0)
  const before = new Map<number, number>()
  const over = new Set<number>()
  const leftAlone = new Set<number>()
  let began: number | undefined

  /** Of the work on one source so much is done. */
  const reach = (index: number, share: number, now: number): void => {
    began ??= now
    if (!before.has(index)) before.set(index, share)
    reached[index] = share
  }

  /** One source is over; nothing had to be done for it unless it was worked on. */
  const end = (index: number, isDone: boolean): void => {
    over.add(index)
    if (isDone && before.has(index)) reached[index] = 1
    else before.delete(index)
  }

  const sum = (of: (weight: number, index: number) => number): number =>
    weights.reduce((all, weight, index) => all + of(weight, index), 0)

  /** This run leaves one source as it is, for a later one. */
  const leave = (index: number): void => {
    end(index, false)
    leftAlone.add(index)
  }

  /** How many this run has worked on to their end. */
  const worked = () => [...over].filter((index) => before.has(index)).length

  const secondsLeft = (now: number): number | null => {
    if (began === undefined || now - began < LEAST_MILLISECONDS) return null
    const done = sum((weight, index) => {
      const from = before.get(index)
      return from === undefined ? 0 : weight * Math.max(0, (reached[index] ?? 0) - from)
    })
    const rest = sum((weight, index) => (over.has(index) ? 0 : weight * (1 - (reached[index] ?? 0))))
    const isKnown = worked() >= LEAST_SOURCES || done >= LEAST_SHARE * (done + rest)
    return done > 0 && isKnown ? ((now - began) / 1000) * (rest / done) : null
  }

  return { reach, end, leave, secondsLeft, over: () => over.size - leftAlone.size }
}
