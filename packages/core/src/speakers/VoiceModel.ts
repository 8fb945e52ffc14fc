import type { Steps } from "../audio/steps.js"
import { FEATURES } from "./features.js"

const ROUNDS = 8
const SMALLEST_VARIANCE = 0.05
const FRAMES_PER_COMPONENT = 60
const FEWEST_COMPONENTS = 2
const MOST_COMPONENTS = 16
/** What adds less to a component is not worth adding. */
const NEGLIGIBLE = 1e-4

/** How likely frames are, said by one voice: a mixture of Gaussians without covariance. */
export class VoiceModel {
  readonly components: number
  readonly means: Float64Array
  /** One over the variance. */
  readonly precisions: Float64Array
  readonly weights: Float64Array
  /** What does not depend on the frame. */
  readonly constants: Float64Array
  readonly likelihoods: Float64Array

  private constructor(components: number) {
    this.components = components
    this.means = new Float64Array(components * FEATURES)
    this.precisions = new Float64Array(components * FEATURES)
    this.weights = new Float64Array(components).fill(1 / components)
    this.constants = new Float64Array(components)
    this.likelihoods = new Float64Array(components)
  }

  /** Learns from frames, one after the other in `values`; `spoken` is how many frames the voice has in all. */
  static *learn(values: Float32Array, spoken: number): Steps<VoiceModel> {
    const wanted = Math.floor(spoken / FRAMES_PER_COMPONENT)
    const model = new VoiceModel(Math.min(MOST_COMPONENTS, Math.max(FEWEST_COMPONENTS, wanted)))
    model.#start(values)
    for (let round = 0; round < ROUNDS; round++) {
      model.#improve(values)
      yield
    }
    return model
  }

  /** The log likelihood of the frame at `at` in `values`. */
  logLikelihood(values: Float32Array, at: number): number {
    const most = this.#weigh(values, at)
    let sum = 0
    for (let component = 0; component < this.components; component++) {
      sum += Math.exp((this.likelihoods[component] ?? 0) - most)
    }
    return most + Math.log(sum)
  }

  /** Fills `likelihoods`; answers the greatest. */
  #weigh(values: Float32Array, at: number): number {
    // Most of the time of a recording is spent here: each of these is looked up once.
    const { components, means, precisions, constants, likelihoods } = this
    const end = at + FEATURES
    let most = Number.NEGATIVE_INFINITY
    let cell = 0
    for (let component = 0; component < components; component++) {
      let likelihood = constants[component] ?? 0
      for (let feature = at; feature < end; feature++, cell++) {
        const distance = (values[feature] ?? 0) - (means[cell] ?? 0)
        likelihood -= 0.5 * distance * distance * (precisions[cell] ?? 0)
      }
      likelihoods[component] = likelihood
      if (likelihood > most) most = likelihood
    }
    return most
  }

  /** Means at frames evenly spread over time, the variance of all frames everywhere. */
  #start(values: Float32Array): void {
    const frames = values.length / FEATURES
    for (let feature = 0; feature < FEATURES; feature++) {
      let sum = 0
      let squares = 0
      for (let at = feature; at < values.length; at += FEATURES) {
        const value = values[at] ?? 0
        sum += value
        squares += value * value
      }
      const variance = Math.max(SMALLEST_VARIANCE, squares / frames - (sum / frames) ** 2)
      for (let component = 0; component < this.components; component++) {
        const frame = Math.floor(((component + 0.5) * frames) / this.components)
        this.means[component * FEATURES + feature] = values[frame * FEATURES + feature] ?? 0
        this.precisions[component * FEATURES + feature] = 1 / variance
      }
    }
    this.#settle()
  }

  #settle(): void {
    for (let component = 0; component < this.components; component++) {
      let constant = Math.log((this.weights[component] ?? 0) + 1e-12)
      for (let feature = 0; feature < FEATURES; feature++) {
        constant += 0.5 * Math.log(this.precisions[component * FEATURES + feature] ?? 1)
      }
      this.constants[component] = constant
    }
  }

  /** One round of expectation and maximisation. */
  #improve(values: Float32Array): void {
    const { components, likelihoods } = this
    const shares = new Float64Array(components)
    const sums = new Float64Array(this.means.length)
    const squares = new Float64Array(this.means.length)
    for (let at = 0; at < values.length; at += FEATURES) {
      const most = this.#weigh(values, at)
      const end = at + FEATURES
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
        let cell = component * FEATURES
        for (let feature = at; feature < end; feature++, cell++) {
          const value = values[feature] ?? 0
          sums[cell] = (sums[cell] ?? 0) + share * value
          squares[cell] = (squares[cell] ?? 0) + share * value * value
        }
      }
    }
    const all = shares.reduce((sum, share) => sum + share, 0)
    for (let component = 0; component < this.components; component++) {
      const share = shares[component] ?? 0
      if (share < 2) continue
      this.weights[component] = share / all
      for (let cell = component * FEATURES; cell < (component + 1) * FEATURES; cell++) {
        const mean = (sums[cell] ?? 0) / share
        this.means[cell] = mean
        this.precisions[cell] = 1 / Math.max(SMALLEST_VARIANCE, (squares[cell] ?? 0) / share - mean * mean)
      }
    }
    this.#settle()
  }
}
