import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { onUse } from "../onUse.js"
import { DIMENSIONS } from "./cepstra.js"
import { isVowel, PHONES } from "./phones.js"
import { SOUND_MODEL } from "./soundModelData.js"

/** A phone begins, lasts and ends. */
export const STATES_PER_PHONE = 3

/** How each state of each phone sounds: a Gaussian with its own mean and deviation in each dimension. */
export interface SoundModel {
  readonly states: number
  readonly means: Float32Array
  /** Half of one over the variance. */
  readonly weights: Float32Array
  /** What a frame that is just like the mean scores. */
  readonly offsets: Float32Array
  /** 1 where the state is of a vowel. */
  readonly vowels: Uint8Array
}

/** Means are stored in steps of a quarter, deviations in steps of an eighth. */
const MEAN_STEP = 1 / 4
const DEVIATION_STEP = 1 / 8
const LEAST_VARIANCE = 0.5

const clamped = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(most, Math.round(value)))

/** The bytes of a model: for each state its means, then its deviations. */
export const packSoundModel = (
  states: ReadonlyArray<{ readonly mean: ArrayLike<number>; readonly variance: ArrayLike<number> }>,
): Uint8Array => {
  const bytes = new Uint8Array(states.length * 2 * DIMENSIONS)
  for (const [state, { mean, variance }] of states.entries()) {
    const at = state * 2 * DIMENSIONS
    for (let index = 0; index < DIMENSIONS; index++) {
      bytes[at + index] = clamped((mean[index] ?? 0) / MEAN_STEP, -128, 127) & 255
      bytes[at + DIMENSIONS + index] = clamped(Math.sqrt(variance[index] ?? 0) / DEVIATION_STEP, 1, 255)
    }
  }
  return bytes
}

/** Reads what `packSoundModel` made of the states of all `PHONES`, in their order. */
export const readSoundModel = (bytes: Uint8Array): SoundModel => {
  const states = PHONES.length * STATES_PER_PHONE
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const means = new Float32Array(states * DIMENSIONS)
  const weights = new Float32Array(states * DIMENSIONS)
  const offsets = new Float32Array(states)
  for (let state = 0; state < states; state++) {
    const from = state * 2 * DIMENSIONS
    let offset = 0
    for (let index = 0; index < DIMENSIONS; index++) {
      const deviation = (bytes[from + DIMENSIONS + index] ?? 0) * DEVIATION_STEP
      const variance = Math.max(deviation * deviation, LEAST_VARIANCE)
      means[state * DIMENSIONS + index] = (signed[from + index] ?? 0) * MEAN_STEP
      weights[state * DIMENSIONS + index] = 0.5 / variance
      offset -= 0.5 * Math.log(2 * Math.PI * variance)
    }
    offsets[state] = offset
  }
  const vowels = Uint8Array.from({ length: states }, (_, state) =>
    isVowel(Math.floor(state / STATES_PER_PHONE)) ? 1 : 0,
  )
  return { states, means, weights, offsets, vowels }
}

/** The model of the sounds of English that comes with Earmark. */
export const soundModel = onUse(() =>
  readSoundModel(Either.getOrElse(Encoding.decodeBase64(SOUND_MODEL), () => new Uint8Array())),
)
