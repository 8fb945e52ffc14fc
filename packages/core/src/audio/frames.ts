/** What every description of sounds by frames is made of. */

/** Milliseconds from one frame to the next. */
export const FRAME_MILLISECONDS = 10

/** The first of the triangles' bins that counts, and what each bin counts from there on. */
export interface Band {
  readonly first: number
  readonly weights: Float64Array
}

/** How much each sample of a frame counts. */
export const hamming = (length: number): Float64Array =>
  Float64Array.from({ length }, (_, index) => 0.54 - 0.46 * Math.cos((2 * Math.PI * index) / (length - 1)))

/**
 * Splits the transform of two real frames, one of them its real and one its imaginary part, into the powers of each, as many as there is
 * room for.
 */
export const splitPowers = (
  left: Float64Array,
  right: Float64Array,
  leftPower: Float64Array,
  rightPower: Float64Array,
): void => {
  const size = left.length
  for (let bin = 0; bin < leftPower.length; bin++) {
    const mirror = (size - bin) & (size - 1)
    const real = left[bin] ?? 0
    const imaginary = right[bin] ?? 0
    const mirroredReal = left[mirror] ?? 0
    const mirroredImaginary = right[mirror] ?? 0
    leftPower[bin] = ((real + mirroredReal) ** 2 + (imaginary - mirroredImaginary) ** 2) / 4
    rightPower[bin] = ((imaginary + mirroredImaginary) ** 2 + (mirroredReal - real) ** 2) / 4
  }
}
