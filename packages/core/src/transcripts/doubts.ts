/** Where the text of an engine may not be what was said, by evidence that does not come from the engine. */
import { DOUBTFUL_MISFIT } from "../alignment/misfit.js"
import type { Span } from "./spans.js"
import { lengthOf, sortedByStart, united } from "./spans.js"

/** What speaks against the words: their sounds are not those of the recording, they run in circles, or nobody speaks that fast. */
export const doubtReasons = ["misfit", "looping", "impossible_rate"] as const

type DoubtReason = (typeof doubtReasons)[number]

/** Text that may not be what was said, and why. */
export interface Doubt extends Span {
  readonly reason: DoubtReason
}

/** A stretch that an engine heard at once. */
export interface HeardWindow extends Span {
  /** How far its words are from its sound, against a decoy; null where that was not measured, or where too few words tell. */
  readonly misfit: number | null
}

/** No report lists more places of one reason: with more, those that are near each other become one. */
const MOST_PLACES = 24
const NEAR = 1000

const places = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  let hole = NEAR
  let joined = united(spans, hole)
  while (joined.length > MOST_PLACES) {
    hole *= 2
    joined = united(spans, hole)
  }
  return joined
}

const wholeOf = (windows: ReadonlyArray<HeardWindow>): Span => ({
  start: windows.reduce((first, { start }) => Math.min(first, start), Number.POSITIVE_INFINITY),
  end: windows.reduce((last, { end }) => Math.max(last, end), 0),
})

/** The doubtful places in order of time, neighbours joined; all that was heard where the text is doubtful as a whole. */
export const doubtsOf = (found: {
  readonly windows: ReadonlyArray<HeardWindow>
  readonly isWhole: boolean
  readonly repeats: ReadonlyArray<Span>
  readonly fast: ReadonlyArray<Span>
}): ReadonlyArray<Doubt> => {
  const spans: Readonly<Record<DoubtReason, ReadonlyArray<Span>>> = {
    misfit: found.isWhole
      ? [wholeOf(found.windows)]
      : found.windows.filter(({ misfit }) => misfit !== null && misfit > DOUBTFUL_MISFIT),
    looping: found.repeats,
    impossible_rate: found.fast,
  }
  return sortedByStart(
    doubtReasons.flatMap((reason) =>
      places(spans[reason]).map(({ start, end }): Doubt => ({ start, end, reason })),
    ),
  )
}

/** With a mean misfit over this a recording is another language than the engine's, or no speech at all. */
const DOUBTFUL_RECORDING = 0.66
/** A recording is judged by its mean from so many milliseconds of measured sound on; a shorter one by its windows alone. */
const ENOUGH = 20_000

/**
 * Whether the text of a recording as a whole hardly fits its sound: another language than the engine's, music, noise. Voice in which the
 * engine found no words at all counts as text that does not fit.
 */
export const isTextDoubtful = (windows: ReadonlyArray<HeardWindow>, lost: ReadonlyArray<Span>): boolean => {
  let length = lengthOf(lost)
  let sum = length
  let doubtful = 0
  for (const { start, end, misfit } of windows) {
    if (misfit === null) continue
    length += end - start
    sum += misfit * (end - start)
    if (misfit > DOUBTFUL_MISFIT) doubtful += end - start
  }
  return (length >= ENOUGH && sum > length * DOUBTFUL_RECORDING) || doubtful > length / 2
}
