import type { Steps } from "../audio/steps.js"
import { type Cepstra, DIMENSIONS, FRAMES_PER_STEP } from "./cepstra.js"
import { SILENCE } from "./phones.js"
import { quantile } from "./quantile.js"
import { type SoundModel, STATES_PER_PHONE } from "./soundModel.js"

/** How well each frame fits each state, as logarithms of likelihoods. */
export interface Emissions {
  readonly frames: number
  readonly states: number
  /** `states` numbers for each frame, one frame after the other. */
  readonly scores: Float32Array
  /** What each frame fits best scores. */
  readonly best: Float32Array
}

const LOUD = 0.95
const QUIET = 0.05
const QUIETEST = 0.1
/** A pause may not be loud: from here on under the loud frames, and over the quiet ones, each decibel costs. */
const PAUSE_UNDER_LOUD = 30
const PAUSE_OVER_QUIET = 4
/** The variances of a pause as learnt from a window are at least this share of those of the model. */
const LEAST_PAUSE_VARIANCE = 0.5
/** A pause may hold sounds that are not in the text (hesitations, repetitions), at this price for each frame. */
const OTHER_SOUNDS = 20

/** Stretches that are not in a loose text at all, at a lower one. */
const LEFT_OUT = 11

const SILENT = SILENCE * STATES_PER_PHONE
/** Silence is one state: in the place of its last one stands whatever is said and is not in the text. */
export const ANYTHING = SILENT + STATES_PER_PHONE - 1

/** What an innermost loop reads again and again is this module's own: what is imported may be looked up anew each time. */
const SIZE = DIMENSIONS
const PARTS = STATES_PER_PHONE

/**
 * Two frames, the second of which may be the first again, against each state. Six sums side by side: one alone waits for each addition
 * before the next, and what is read of a state serves both frames.
 */
const scoreFrames = (
  { states, means, weights, offsets }: SoundModel,
  values: Float32Array,
  scores: Float32Array,
  one: number,
  two: number,
): void => {
  const apart = (two - one) * SIZE
  for (let state = 0; state < states; state += PARTS) {
    let [first, second, third] = [offsets[state] ?? 0, offsets[state + 1] ?? 0, offsets[state + 2] ?? 0]
    let [otherFirst, otherSecond, otherThird] = [first, second, third]
    let at = state * SIZE
    for (let index = one * SIZE; index < (one + 1) * SIZE; index++, at++) {
      const value = values[index] ?? 0
      const other = values[index + apart] ?? 0
      let mean = means[at] ?? 0
      let weight = weights[at] ?? 0
      first -= (value - mean) * (value - mean) * weight
      otherFirst -= (other - mean) * (other - mean) * weight
      mean = means[at + SIZE] ?? 0
      weight = weights[at + SIZE] ?? 0
      second -= (value - mean) * (value - mean) * weight
      otherSecond -= (other - mean) * (other - mean) * weight
      mean = means[at + 2 * SIZE] ?? 0
      weight = weights[at + 2 * SIZE] ?? 0
      third -= (value - mean) * (value - mean) * weight
      otherThird -= (other - mean) * (other - mean) * weight
    }
    scores[one * states + state] = first
    scores[one * states + state + 1] = second
    scores[one * states + state + 2] = third
    scores[two * states + state] = otherFirst
    scores[two * states + state + 1] = otherSecond
    scores[two * states + state + 2] = otherThird
  }
}

/** How a pause sounds in this window: learnt from its quietest frames. */
const pauseOf = ({ weights }: SoundModel, { values, loudness, frames }: Cepstra) => {
  const limit = quantile(loudness, QUIETEST)
  const mean = new Float64Array(DIMENSIONS)
  const squares = new Float64Array(DIMENSIONS)
  let count = 0
  for (let frame = 0; frame < frames; frame++) {
    if ((loudness[frame] ?? 0) > limit) continue
    count += 1
    for (let index = 0; index < DIMENSIONS; index++) {
      const value = values[frame * DIMENSIONS + index] ?? 0
      mean[index] = (mean[index] ?? 0) + value
      squares[index] = (squares[index] ?? 0) + value * value
    }
  }
  const weight = new Float64Array(DIMENSIONS)
  let offset = 0
  for (let index = 0; index < DIMENSIONS; index++) {
    const average = (mean[index] ?? 0) / count
    const ofModel = 0.5 / (weights[(SILENT + 1) * DIMENSIONS + index] ?? 1)
    const variance = Math.max((squares[index] ?? 0) / count - average ** 2, ofModel * LEAST_PAUSE_VARIANCE)
    mean[index] = average
    weight[index] = 0.5 / variance
    offset -= 0.5 * Math.log(2 * Math.PI * variance)
  }
  return (frame: number): number => {
    let score = offset
    for (let index = 0; index < DIMENSIONS; index++)
      score -= ((values[frame * DIMENSIONS + index] ?? 0) - (mean[index] ?? 0)) ** 2 * (weight[index] ?? 0)
    return score
  }
}

/** How well the frames fit the states; silence, that of this window or that of the model, counts as one state. */
export function* emissionSteps(model: SoundModel, cepstra: Cepstra): Steps<Emissions> {
  const { frames, values, loudness } = cepstra
  const { states } = model
  const scores = new Float32Array(frames * states)
  const best = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame += 2) {
    scoreFrames(model, values, scores, frame, Math.min(frame + 1, frames - 1))
    if (frame % FRAMES_PER_STEP === 0) yield
  }
  const pauseScore = pauseOf(model, cepstra)
  const limit = Math.max(
    quantile(loudness, LOUD) - PAUSE_UNDER_LOUD,
    quantile(loudness, QUIET) + PAUSE_OVER_QUIET,
  )
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * states + SILENT
    const ofModel = Math.max(scores[at] ?? 0, scores[at + 1] ?? 0, scores[at + 2] ?? 0)
    const silence = Math.max(ofModel, pauseScore(frame)) - Math.max(0, (loudness[frame] ?? 0) - limit)
    scores.fill(silence, at, at + STATES_PER_PHONE)
    let most = Number.NEGATIVE_INFINITY
    for (let state = 0; state < states; state++) most = Math.max(most, scores[frame * states + state] ?? most)
    scores.fill(Math.max(silence, most - OTHER_SOUNDS), at, at + STATES_PER_PHONE)
    scores[frame * states + ANYTHING] = Math.max(silence, most - LEFT_OUT)
    best[frame] = most
    if (frame % FRAMES_PER_STEP === 0) yield
  }
  return { frames, states, scores, best }
}
