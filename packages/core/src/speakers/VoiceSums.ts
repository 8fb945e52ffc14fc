import { FEATURES } from "./features.js"

/** Cells of a lower triangle, row by row. */
const CELLS = (FEATURES * (FEATURES + 1)) / 2

/** Added to each variance, so that few frames give no flat Gaussian. */
const SMALLEST_VARIANCE = 1e-3
/** Added to each variance where distances are measured, as a share of their mean. */
const ADDED_VARIANCE = 0.02

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

type Gathered = Omit<VoiceSums, "spread">

const covariance = new Float64Array(CELLS)
const factor = new Float64Array(CELLS)
const difference = new Float64Array(FEATURES)
const solved = new Float64Array(FEATURES)

/** The place of a variance among the cells. */
const diagonal = (row: number): number => (row * (row + 3)) / 2

/** The lower triangle in `covariance` as a product of two triangles (Cholesky), the first of them in `factor`. */
const decompose = (): void => {
  for (let row = 0; row < FEATURES; row++) {
    const rowAt = (row * (row + 1)) / 2
    for (let column = 0; column <= row; column++) {
      const columnAt = (column * (column + 1)) / 2
      let sum = covariance[rowAt + column] ?? 0
      for (let before = 0; before < column; before++) {
        sum -= (factor[rowAt + before] ?? 0) * (factor[columnAt + before] ?? 0)
      }
      factor[rowAt + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-8)) : sum / (factor[columnAt + column] ?? 1)
    }
  }
}

/** The spread of the frames of one or two voices together. */
const spreadOf = (one: Gathered, other?: Gathered): number => {
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
  decompose()
  let logarithm = 0
  for (let row = 0; row < FEATURES; row++) logarithm += 2 * Math.log(factor[diagonal(row)] ?? 1)
  return logarithm
}

/** The length, squared, of `difference` where `covariance` is the measure. */
const lengthOfDifference = (): number => {
  let sum = 0
  for (let row = 0; row < FEATURES; row++) {
    const rowAt = (row * (row + 1)) / 2
    let value = difference[row] ?? 0
    for (let column = 0; column < row; column++) {
      value -= (factor[rowAt + column] ?? 0) * (solved[column] ?? 0)
    }
    value /= factor[rowAt + row] ?? 1
    solved[row] = value
    sum += value * value
  }
  return sum
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

/** How far apart the means of two voices are, squared, measured by how far the frames of each scatter (Mahalanobis). */
export const voiceDistance = (one: VoiceSums, other: VoiceSums): number => {
  const frames = one.frames + other.frames
  let cell = 0
  let trace = 0
  for (let row = 0; row < FEATURES; row++) {
    const oneMean = (one.sums[row] ?? 0) / one.frames
    const otherMean = (other.sums[row] ?? 0) / other.frames
    difference[row] = oneMean - otherMean
    for (let column = 0; column <= row; column++, cell++) {
      const products = (one.products[cell] ?? 0) + (other.products[cell] ?? 0)
      const within = products - oneMean * (one.sums[column] ?? 0) - otherMean * (other.sums[column] ?? 0)
      covariance[cell] = within / frames
    }
    trace += covariance[cell - 1] ?? 0
  }
  for (let row = 0; row < FEATURES; row++) {
    const cell = diagonal(row)
    covariance[cell] = (covariance[cell] ?? 0) + (ADDED_VARIANCE * trace) / FEATURES
  }
  decompose()
  return lengthOfDifference()
}

/** One over each number of frames: two stretches of one voice are as far apart as this, but for a factor. */
export const shortness = (one: VoiceSums, other: VoiceSums): number => 1 / one.frames + 1 / other.frames

/**
 * How much better two voices explain the frames than one, as a multiple of what the numbers cost that two need more (Bayesian
 * information criterion).
 */
export const evidenceForTwo = (one: VoiceSums, other: VoiceSums): number => {
  const frames = one.frames + other.frames
  const gain = 0.5 * (frames * spreadOf(one, other) - one.frames * one.spread - other.frames * other.spread)
  const weighed = Math.min(frames, FRAMES_OF_EVIDENCE)
  return (gain * weighed) / frames / (0.5 * PARAMETERS * Math.log(weighed))
}
