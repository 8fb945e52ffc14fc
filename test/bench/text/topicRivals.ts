/** Ways to divide a text that ours is compared with, and the measure. */

const wordsOf = (text: string) =>
  (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).map((word) => word.slice(0, 6))

const countsOf = (texts: ReadonlyArray<ReadonlyArray<string>>) => {
  const counts = new Map<string, number>()
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const cosine = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>) => {
  let shared = 0
  let [left, right] = [0, 0]
  for (const [word, count] of a) {
    shared += count * (b.get(word) ?? 0)
    left += count * count
  }
  for (const count of b.values()) right += count * count
  return shared / Math.sqrt(left * right || 1)
}

const climb = (scores: ReadonlyArray<number>, from: number, step: 1 | -1) => {
  let at = from
  while (scores[at + step] !== undefined && (scores[at + step] ?? 0) >= (scores[at] ?? 0)) at += step
  return scores[at] ?? 0
}

const BLOCK = 10
const FEWEST = 8

/** Hearst's TextTiling on sentences: boundaries where the likeness of what is before and behind dips deepest. */
export const textTiling = (sentences: ReadonlyArray<string>): ReadonlyArray<number> => {
  const words = sentences.map(wordsOf)
  const scores = sentences
    .slice(1)
    .map((_, at) =>
      cosine(
        countsOf(words.slice(Math.max(0, at + 1 - BLOCK), at + 1)),
        countsOf(words.slice(at + 1, at + 1 + BLOCK)),
      ),
    )
  const depths = scores.map((score, at) => climb(scores, at, -1) + climb(scores, at, 1) - 2 * score)
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length
  const deviation = Math.sqrt(depths.reduce((sum, depth) => sum + (depth - mean) ** 2, 0) / depths.length)
  const found: Array<number> = []
  for (const { depth, at } of depths
    .map((depth, at) => ({ depth, at: at + 1 }))
    .sort((a, b) => b.depth - a.depth))
    if (depth > mean + deviation && found.every((other) => Math.abs(other - at) >= FEWEST)) found.push(at)
  return found.sort((a, b) => a - b)
}

/** As many boundaries as there really are, evenly spread: what knowing the number alone gives. */
export const evenBoundaries = (sentences: number, boundaries: number): ReadonlyArray<number> =>
  Array.from({ length: boundaries }, (_, at) => Math.round((sentences * (at + 1)) / (boundaries + 1)))

const partOf = (boundaries: ReadonlyArray<number>, sentences: number) => {
  const starts = new Set(boundaries)
  let part = 0
  return Int32Array.from({ length: sentences }, (_, at) => (starts.has(at) ? ++part : part))
}

/** Share of sentence pairs half a part away from each other that are wrongly put together or apart (Beeferman). 0 is best. */
export const pk = (truth: ReadonlyArray<number>, found: ReadonlyArray<number>, sentences: number): number => {
  const [right, ours] = [partOf(truth, sentences), partOf(found, sentences)]
  const distance = Math.max(2, Math.round(sentences / (truth.length + 1) / 2))
  let wrong = 0
  for (let at = 0; at + distance < sentences; at++)
    if ((right[at] === right[at + distance]) !== (ours[at] === ours[at + distance])) wrong += 1
  return wrong / (sentences - distance)
}
