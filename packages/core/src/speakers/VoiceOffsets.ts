import { backgroundModel } from "./backgroundModel.js"
import { FEATURES } from "./features.js"
import type { FrameChoice } from "./VoiceSums.js"

/** Speech at which half of what is measured of a component is believed, in frames. */
const RELEVANCE = 4
/** What adds less to a component is not worth adding. */
const NEGLIGIBLE = 1e-3
const SMALLEST_DEVIATION = 1e-3

/** How the features of a recording lie: its microphone, its room and the mean of its voices. */
export interface Scale {
  readonly means: Float64Array
  readonly deviations: Float64Array
}

/** Gathers frames for a `Scale`. */
export class ScaleSums {
  readonly #sums = new Float64Array(FEATURES)
  readonly #squares = new Float64Array(FEATURES)
  #frames = 0

  add(values: Float32Array, frame: number): void {
    this.#frames++
    for (let feature = 0; feature < FEATURES; feature++) {
      const value = values[frame * FEATURES + feature] ?? 0
      this.#sums[feature] = (this.#sums[feature] ?? 0) + value
      this.#squares[feature] = (this.#squares[feature] ?? 0) + value * value
    }
  }

  scale(): Scale {
    const frames = Math.max(1, this.#frames)
    const means = this.#sums.map((sum) => sum / frames)
    const deviations = this.#squares.map((square, feature) => {
      const variance = square / frames - (means[feature] ?? 0) ** 2
      return Math.sqrt(Math.max(0, variance)) + SMALLEST_DEVIATION
    })
    return { means, deviations }
  }
}

/** How one voice differs from the voices of the background model: sums over its frames. They add up. */
export interface VoiceOffsets {
  /** How much of the frames each component of the background model explains. */
  readonly shares: Float64Array
  /** How far those frames are from the component, in its standard deviations. */
  readonly offsets: Float64Array
  /** Where the voice lies from the mean of all voices, as a vector of length 1. */
  readonly direction: Float64Array
}

const directionOf = (shares: Float64Array, offsets: Float64Array): Float64Array => {
  const { weights } = backgroundModel()
  const direction = new Float64Array(offsets.length)
  let squares = 0
  for (const [component, share] of shares.entries()) {
    const factor = Math.sqrt(weights[component] ?? 0) / (share + RELEVANCE)
    for (let cell = component * FEATURES; cell < (component + 1) * FEATURES; cell++) {
      const value = factor * (offsets[cell] ?? 0)
      direction[cell] = value
      squares += value * value
    }
  }
  const length = Math.sqrt(squares)
  return length === 0 ? direction : direction.map((value) => value / length)
}

/** The offsets of the frames from `from` to `to` that are chosen. */
export const voiceOffsetsOf = (
  values: Float32Array,
  scale: Scale,
  { from, to }: { readonly from: number; readonly to: number },
  isChosen: FrameChoice,
): VoiceOffsets => {
  const { components, means, precisions, constants } = backgroundModel()
  const shares = new Float64Array(components)
  const offsets = new Float64Array(components * FEATURES)
  const distances = new Float64Array(components * FEATURES)
  const likelihoods = new Float64Array(components)
  const scaled = new Float64Array(FEATURES)
  for (let frame = from; frame < to; frame++) {
    if (!isChosen(frame)) continue
    for (let feature = 0; feature < FEATURES; feature++) {
      const value = (values[frame * FEATURES + feature] ?? 0) - (scale.means[feature] ?? 0)
      scaled[feature] = value / (scale.deviations[feature] ?? 1)
    }
    let most = Number.NEGATIVE_INFINITY
    for (let component = 0, cell = 0; component < components; component++) {
      let likelihood = constants[component] ?? 0
      for (let feature = 0; feature < FEATURES; feature++, cell++) {
        const distance = ((scaled[feature] ?? 0) - (means[cell] ?? 0)) * (precisions[cell] ?? 0)
        distances[cell] = distance
        likelihood -= 0.5 * distance * distance
      }
      likelihoods[component] = likelihood
      if (likelihood > most) most = likelihood
    }
    let total = 0
    for (let component = 0; component < components; component++) {
      const share = Math.exp((likelihoods[component] ?? 0) - most)
      likelihoods[component] = share
      total += share
    }
    for (let component = 0; component < components; component++) {
      const share = (likelihoods[component] ?? 0) / total
      if (share < NEGLIGIBLE) continue
      shares[component] = (shares[component] ?? 0) + share
      for (let cell = component * FEATURES; cell < (component + 1) * FEATURES; cell++) {
        offsets[cell] = (offsets[cell] ?? 0) + share * (distances[cell] ?? 0)
      }
    }
  }
  return { shares, offsets, direction: directionOf(shares, offsets) }
}

/** The offsets of both voices together. */
export const joinOffsets = (one: VoiceOffsets, other: VoiceOffsets): VoiceOffsets => {
  const shares = one.shares.map((share, index) => share + (other.shares[index] ?? 0))
  const offsets = one.offsets.map((offset, index) => offset + (other.offsets[index] ?? 0))
  return { shares, offsets, direction: directionOf(shares, offsets) }
}

/** How alike two voices are: the cosine between the directions in which they lie from the mean of all. */
export const likeness = (one: VoiceOffsets, other: VoiceOffsets): number => {
  let sum = 0
  for (let cell = 0; cell < one.direction.length; cell++) {
    sum += (one.direction[cell] ?? 0) * (other.direction[cell] ?? 0)
  }
  return sum
}
