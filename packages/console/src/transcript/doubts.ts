/** Words that the engine was not sure of. No document is touched here. */
import type { PlacedWord } from "@earmark/core/text"
import type { Found } from "./TextView.js"

/** A word that is less sure than this is doubtful. */
const SURE = 0.5

const isDoubtful = ({ confidence, length }: PlacedWord): boolean =>
  confidence !== null && confidence < SURE && length > 0

export interface Doubts {
  readonly found: ReadonlyArray<Found>
  /** When each of them is heard, in seconds. */
  readonly moments: ReadonlyArray<number>
}

export const doubtsIn = (words: ReadonlyArray<ReadonlyArray<PlacedWord>>): Doubts => {
  const found: Array<Found> = []
  const moments: Array<number> = []
  for (const [line, own] of words.entries()) {
    const doubtful = own.filter(isDoubtful)
    if (doubtful.length === 0) continue
    found.push({ line, ranges: doubtful.map(({ offset, length }) => [offset, offset + length] as const) })
    moments.push(...doubtful.map(({ start }) => start / 1000))
  }
  return { found, moments }
}

/** A doubtful word that has just been sought is not the next one. */
const BESIDE = 0.05

/** The doubtful word after or before a moment; null where there is none. */
export const doubtBeside = (moments: ReadonlyArray<number>, seconds: number, step: 1 | -1): number | null =>
  (step === 1
    ? moments.find((moment) => moment > seconds + BESIDE)
    : moments.findLast((moment) => moment < seconds - BESIDE)) ?? null
