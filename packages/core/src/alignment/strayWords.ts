/** Words that were put where something else is said: a text may have more in it than the sound. */
import { FRAME_MILLISECONDS } from "../audio/frames.js"
import type { Chain } from "./bestPath.js"
import { ANYTHING, type Emissions } from "./emissions.js"
import { USUAL_OF_WRONG } from "./misfit.js"
import { SILENCE } from "./phones.js"
import { quantile } from "./quantile.js"
import { STATES_PER_PHONE } from "./soundModel.js"

/** A way through the sounds of a text: the place in its chain for each frame. */
export interface Way {
  readonly chain: Chain
  readonly path: Int32Array
}

/** How far a frame is from what it fits best; null for silence, which says nothing. */
export const distanceAt = (
  { scores, best, states }: Emissions,
  { chain, path }: Way,
  frame: number,
): number | null => {
  const most = best[frame] ?? 0
  if ((scores[frame * states + SILENCE * STATES_PER_PHONE] ?? 0) >= most) return null
  const state = chain.states[path[frame] ?? 0] ?? 0
  return most - (scores[frame * states + state] ?? 0)
}

/** Sums up to each frame, so that any stretch is one subtraction. */
interface Sums {
  readonly distance: Float64Array
  readonly count: Int32Array
}

const sumsOf = (emissions: Emissions, way: Way): Sums => {
  const { frames } = emissions
  const distance = new Float64Array(frames + 1)
  const count = new Int32Array(frames + 1)
  for (let frame = 0; frame < frames; frame++) {
    const isBeside = way.chain.states[way.path[frame] ?? 0] === ANYTHING
    const own = isBeside ? null : distanceAt(emissions, way, frame)
    distance[frame + 1] = (distance[frame] ?? 0) + (own ?? 0)
    count[frame + 1] = (count[frame] ?? 0) + (own === null ? 0 : 1)
  }
  return { distance, count }
}

const within = (sums: Sums, from: number, to: number) => {
  const count = (sums.count[to] ?? 0) - (sums.count[from] ?? 0)
  const distance = (sums.distance[to] ?? 0) - (sums.distance[from] ?? 0)
  return { count, mean: distance / Math.max(1, count) }
}

/** Milliseconds on either side of the middle of a word: enough sound to tell, and little of what stands beside it. */
const BESIDE = 800
/** Frames of voice that say something. */
const FEWEST_FRAMES = 30
/** In noise and echo right words are far from the sound, too: then strays are farther than so many times the nearer ones. */
const FARTHER_THAN_MOST = 2
/** Of the words of a stretch at least so many are right, or all of it is in doubt. */
const NEARER = 0.25
/** Fewer in a row are taken for right words that were said badly. */
const FEWEST_IN_A_ROW = 4

/** For each word that was placed, whether it is one of several in a row that are as far from the sound as those of another text. */
export const strayWords = (
  emissions: Emissions,
  way: Way,
  times: ReadonlyArray<{ readonly start: number; readonly end: number }>,
): ReadonlyArray<boolean> => {
  const sums = sumsOf(emissions, way)
  const frameAt = (milliseconds: number) =>
    Math.max(0, Math.min(emissions.frames, Math.round(milliseconds / FRAME_MILLISECONDS)))
  const distances = times.map(({ start, end }) => {
    const middle = (start + end) / 2
    const { count, mean } = within(sums, frameAt(middle - BESIDE), frameAt(middle + BESIDE))
    return count < FEWEST_FRAMES ? 0 : mean
  })
  const most = Math.max(USUAL_OF_WRONG, FARTHER_THAN_MOST * quantile(Float32Array.from(distances), NEARER))
  const isFar = distances.map((distance) => distance > most)
  for (let from = 0; from < isFar.length; ) {
    let to = from
    while (isFar[to] === true) to += 1
    if (to - from < FEWEST_IN_A_ROW) isFar.fill(false, from, to)
    from = to + 1
  }
  return isFar
}
