import type { TopicTerms } from "./topicTerms.js"

/** What a chapter may be. Times in milliseconds. */
export interface ChapterLimits {
  readonly minSentences: number
  readonly maxSentences: number
  readonly minDuration: number
  readonly maxDuration: number
  /** What a further chapter must earn: larger means fewer chapters. */
  readonly lambda: number
}

export const chapterLimits: ChapterLimits = {
  minSentences: 8,
  maxSentences: 400,
  minDuration: 120_000,
  maxDuration: 1_200_000,
  lambda: 3,
}

interface Timed {
  readonly start: number
  readonly end: number
}

/** Far more than any likelihood can earn: a chapter that is too short is the last resort. */
const TOO_SHORT = 1e7

const logTable = (size: number) => Float64Array.from({ length: size }, (_, n) => (n === 0 ? 0 : Math.log(n)))

/**
 * The sentences at which a new topic begins, without the first one: the cut of the whole into chapters that makes the words
 * of every chapter likeliest, found exactly. Work is linear in the number of sentences.
 */
export const topicBoundaries = (
  { sentences, vocabulary }: TopicTerms,
  times: ReadonlyArray<Timed>,
  limits: ChapterLimits = chapterLimits,
): ReadonlyArray<number> => {
  const count = sentences.length
  const total = sentences.reduce((sum, terms) => sum + terms.length, 0)
  const log = logTable(total + vocabulary + 2)
  const price = limits.lambda * (log[total] ?? 0)
  const cost = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(count + 1)
  const seen = new Int32Array(vocabulary)
  cost[0] = 0

  for (let first = 0; first < count; first++) {
    const start = times[first]?.start ?? 0
    const before = cost[first] ?? 0
    let words = 0
    /** Sum over the terms so far of f log(f + 1), kept up to date word by word. */
    let weighed = 0
    let last = first
    for (; last < count && last - first < limits.maxSentences; last++) {
      const duration = (times[last]?.end ?? 0) - start
      if (duration > limits.maxDuration && last > first) break
      for (const term of sentences[last] ?? []) {
        const f = seen[term] ?? 0
        weighed += (f + 1) * (log[f + 2] ?? 0) - f * (log[f + 1] ?? 0)
        seen[term] = f + 1
        words += 1
      }
      const isShort = last - first + 1 < limits.minSentences || duration < limits.minDuration
      const through =
        before + words * (log[words + vocabulary] ?? 0) - weighed + price + (isShort ? TOO_SHORT : 0)
      if (through < (cost[last + 1] ?? 0)) {
        cost[last + 1] = through
        from[last + 1] = first
      }
    }
    for (let sentence = first; sentence < last; sentence++)
      for (const term of sentences[sentence] ?? []) seen[term] = 0
  }

  const boundaries: Array<number> = []
  for (let at = count; at > 0; at = from[at] ?? 0) boundaries.push(from[at] ?? 0)
  return boundaries.reverse().slice(1)
}
