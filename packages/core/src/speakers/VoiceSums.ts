import { FEATURES } from "./features.js"

/** Cells of a lower triangle, row by row. */
const CELLS = (FEATURES * (FEATURES + 1)) / 2

/** Added to each variance, so that few frames give no flat Gaussian. */
const SMALLEST_VARIANCE = 1e-3

/**
 * Two minutes say whether two voices are one. In hours of the same voice every change of its mood would be significant.
 */
const FRAMES_OF_EVIDENCE = 12_000
const PARAMETERS = FEATURES + CELLS

/** Sums over the frames of one voice: all that its Gaussian needs. They add up. */
export interface VoiceSums {
  readonly frames: number
  readonly sums: Float64Array
  readonly products: Float64Array
  /** The logarithm of the determinant of its covariance. */
  readonly spread: number
}

const covariance = new Float64Array(CELLS)
const factor = new Float64Array(CELLS)

/** By Cholesky, of the lower triangle in `covariance`. */
const logDeterminant = (): number => {
  let logarithm = 0
  for (let row = 0; row < FEATURES; row++) {
    const rowAt = (row * (row + 1)) / 2
    for (let column = 0; column <= row; column++) {
      const columnAt = (column * (column + 1)) / 2
      let sum = covariance[rowAt + column] ?? 0
      for (let before = 0; before < column; before++) {
        sum -= (factor[rowAt + before] ?? 0) * (factor[columnAt + before] ?? 0)
      }
      if (row === column) {
        const root = Math.sqrt(Math.max(sum, 1e-8))
        factor[rowAt + column] = root
        logarithm += 2 * Math.log(root)
      } else factor[rowAt + column] = sum / (factor[columnAt + column] ?? 1)
    }
  }
  return logarithm
}

/** The spread of the frames of one or two voices together. */
const spreadOf = (one: Pick<VoiceSums, "frames" | "sums" | "products">, other?: VoiceSums): number => {
  const frames = one.frames + (other?.frames ?? 0)
  if (frames === 0) return 0
  let cell = 0
  for (let row = 0; row < FEATURES; row++) {
    const rowMean = ((one.sums[row] ?? 0) + (other?.sums[row] ?? 0)) / frames
    for (let column = 0; column <= row; column++, cell++) {
      const columnMean = ((one.sums[column] ?? 0) + (other?.sums[column] ?? 0)) / frames
      const product = ((one.products[cell] ?? 0) + (other?.products[cell] ?? 0)) / frames
      covariance[cell] = product - rowMean * columnMean + (row === column ? SMALLEST_VARIANCE : 0)
    }
  }
  return logDeterminant()
}

export type FrameChoice = (frame: number) => boolean

/** The sums over the frames from `from` to `to` that are chosen. */
export const voiceSumsOf = (
  values: Float32Array,
  { from, to }: { readonly from: number; readonly to: number },
  isChosen: FrameChoice,
): VoiceSums => {
  const sums = new Float64Array(FEATURES)
  const products = new Float64Array(CELLS)
  let frames = 0
  for (let frame = from; frame < to; frame++) {
    if (!isChosen(frame)) continue
    frames++
    const at = frame * FEATURES
    let cell = 0
    for (let row = 0; row < FEATURES; row++) {
      const value = values[at + row] ?? 0
      sums[row] = (sums[row] ?? 0) + value
      for (let column = 0; column <= row; column++, cell++) {
        products[cell] = (products[cell] ?? 0) + value * (values[at + column] ?? 0)
      }
    }
  }
  const gathered = { frames, sums, products }
  return { ...gathered, spread: spreadOf(gathered) }
}

/** The sums of both voices together. */
export const joinVoices = (one: VoiceSums, other: VoiceSums): VoiceSums => {
  const joined = {
    frames: one.frames + other.frames,
    sums: one.sums.map((sum, index) => sum + (other.sums[index] ?? 0)),
    products: one.products.map((product, index) => product + (other.products[index] ?? 0)),
  }
  return { ...joined, spread: spreadOf(joined) }
}

/**
 * How much better two voices explain the frames than one (Bayesian information criterion): below zero they are one.
 * `penalty` is how much better two have to be for each number that they need more.
 */
export const distinctness = (one: VoiceSums, other: VoiceSums, penalty: number): number => {
  const frames = one.frames + other.frames
  const gain = 0.5 * (frames * spreadOf(one, other) - one.frames * one.spread - other.frames * other.spread)
  const weighed = Math.min(frames, FRAMES_OF_EVIDENCE)
  return (gain * weighed) / frames - penalty * 0.5 * PARAMETERS * Math.log(weighed)
}
