/** Ranks are settled to well below what could change an order after this many rounds. */
const ROUNDS = 30
const DAMPING = 0.85
/** Words in a larger share of the sentences connect everything with everything. */
const COMMON_SHARE = 0.2

/** How alike two sentences are: what they share, weighed, against how long they are. 0 to about 1. */
export const likeness = (a: ReadonlySet<number>, b: ReadonlySet<number>): number => {
  let shared = 0
  for (const term of a) if (b.has(term)) shared += 1
  return shared === 0 ? 0 : shared / Math.sqrt(a.size * b.size)
}

/**
 * TextRank: how central each sentence is among its neighbours by the rare words they share; 1 is average.
 * Work grows with the square of the number of sentences, so callers give it a chapter at a time.
 */
export const rankSentences = (sentences: ReadonlyArray<ReadonlySet<number>>): Float64Array => {
  const count = sentences.length
  const places = new Map<number, Array<number>>()
  sentences.forEach((terms, index) => {
    for (const term of terms) {
      const known = places.get(term)
      if (known === undefined) places.set(term, [index])
      else known.push(index)
    }
  })
  const weights = new Float64Array(count * count)
  const sums = new Float64Array(count)
  const lengths = sentences.map((terms) => Math.log(terms.size + 1))
  const connect = (a: number, b: number, weight: number) => {
    const scaled = weight / ((lengths[a] ?? 1) + (lengths[b] ?? 1))
    weights[a * count + b] = (weights[a * count + b] ?? 0) + scaled
    sums[a] = (sums[a] ?? 0) + scaled
  }
  for (const found of places.values()) {
    if (found.length < 2 || found.length > Math.max(2, COMMON_SHARE * count)) continue
    const weight = Math.log(count / found.length)
    for (const a of found) for (const b of found) if (a !== b) connect(a, b, weight)
  }
  let ranks = new Float64Array(count).fill(1)
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(count).fill(1 - DAMPING)
    for (let a = 0; a < count; a++) {
      const sum = sums[a] ?? 0
      if (sum === 0) continue
      const given = (DAMPING * (ranks[a] ?? 0)) / sum
      const row = a * count
      for (let b = 0; b < count; b++) next[b] = (next[b] ?? 0) + given * (weights[row + b] ?? 0)
    }
    ranks = next
  }
  return ranks
}
