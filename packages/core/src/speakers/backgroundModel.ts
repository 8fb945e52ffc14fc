import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { onUse } from "../onUse.js"
import { BACKGROUND_MODEL } from "./backgroundModelData.js"
import { FEATURES } from "./features.js"

/** How speech sounds, whoever speaks: a mixture of Gaussians over scaled features (universal background model). */
interface BackgroundModel {
  readonly components: number
  readonly weights: Float64Array
  readonly means: Float64Array
  /** One over the standard deviation. */
  readonly precisions: Float64Array
  /** What does not depend on the frame. */
  readonly constants: Float64Array
}

const WEIGHT_STEP = 1 / 16
const MEAN_STEP = 1 / 32
const DEVIATION_STEP = 1 / 64
const BYTES = 1 + 2 * FEATURES

const clamped = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(most, Math.round(value)))

/** The bytes of a model: for each component its weight (as a logarithm), its means, and its standard deviations. */
export const packBackgroundModel = (
  components: ReadonlyArray<{
    readonly weight: number
    readonly mean: ArrayLike<number>
    readonly variance: ArrayLike<number>
  }>,
): Uint8Array => {
  const bytes = new Uint8Array(components.length * BYTES)
  for (const [component, { weight, mean, variance }] of components.entries()) {
    const at = component * BYTES
    bytes[at] = clamped(-Math.log(weight) / WEIGHT_STEP, 0, 255)
    for (let feature = 0; feature < FEATURES; feature++) {
      const deviation = Math.sqrt(variance[feature] ?? 0)
      bytes[at + 1 + feature] = clamped((mean[feature] ?? 0) / MEAN_STEP, -128, 127) & 255
      bytes[at + 1 + FEATURES + feature] = clamped(deviation / DEVIATION_STEP, 1, 255)
    }
  }
  return bytes
}

/** Reads what `packBackgroundModel` wrote. */
const readBackgroundModel = (bytes: Uint8Array): BackgroundModel => {
  const components = Math.floor(bytes.length / BYTES)
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const weights = new Float64Array(components)
  const means = new Float64Array(components * FEATURES)
  const precisions = new Float64Array(components * FEATURES)
  const constants = new Float64Array(components)
  for (let component = 0; component < components; component++) {
    const from = component * BYTES
    const weight = -(bytes[from] ?? 0) * WEIGHT_STEP
    let constant = weight
    for (let feature = 0; feature < FEATURES; feature++) {
      const precision = 1 / ((bytes[from + 1 + FEATURES + feature] ?? 1) * DEVIATION_STEP)
      means[component * FEATURES + feature] = (signed[from + 1 + feature] ?? 0) * MEAN_STEP
      precisions[component * FEATURES + feature] = precision
      constant += Math.log(precision)
    }
    weights[component] = Math.exp(weight)
    constants[component] = constant
  }
  return { components, weights, means, precisions, constants }
}

/** The model that comes with Earmark. */
export const backgroundModel = onUse(() =>
  readBackgroundModel(Either.getOrElse(Encoding.decodeBase64(BACKGROUND_MODEL), () => new Uint8Array())),
)
