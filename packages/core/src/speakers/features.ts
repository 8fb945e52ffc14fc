import { makeFourier } from "../audio/fourier.js"
import { type Band, FRAME_MILLISECONDS, hamming, splitPowers } from "../audio/frames.js"
import { onUse } from "../onUse.js"

/** Numbers that describe the sound of one frame. */
export const FEATURES = 19

/** How a stretch of sound sounds, frame by frame. */
export interface SoundFeatures {
  readonly frames: number
  /** `FEATURES` numbers for each frame, one frame after the other. */
  readonly values: Float32Array
  /** Loudness of each frame in decibel of full scale. */
  readonly loudness: Float32Array
}

const RATE = 16_000
const HOP = (RATE * FRAME_MILLISECONDS) / 1000
const LENGTH = 400
const SIZE = 512
const HALF = SIZE / 2
const BANDS = 30
const LOWEST_HERTZ = 60
const HIGHEST_HERTZ = 7600
const PREEMPHASIS = 0.97
const FULL_SCALE = 32_768
/** Keeps the logarithm of silence finite. */
const FLOOR = 1e-10

const window = hamming(LENGTH)

const melOf = (hertz: number) => 1127 * Math.log(1 + hertz / 700)
const hertzOf = (mel: number) => 700 * (Math.exp(mel / 1127) - 1)

/** Triangles that overlap by half, evenly spaced as the ear hears. */
const bands: ReadonlyArray<Band> = Array.from({ length: BANDS }, (_, band) => {
  const lowest = melOf(LOWEST_HERTZ)
  const width = (melOf(HIGHEST_HERTZ) - lowest) / (BANDS + 1)
  const edge = (index: number) => (hertzOf(lowest + width * index) * SIZE) / RATE
  const [left, centre, right] = [edge(band), edge(band + 1), edge(band + 2)]
  const first = Math.max(1, Math.ceil(left))
  const last = Math.min(HALF - 1, Math.floor(right))
  const weightAt = (bin: number) =>
    bin < centre ? (bin - left) / (centre - left) : (right - bin) / (right - centre)
  return {
    first,
    weights: Float64Array.from({ length: last - first + 1 }, (_, index) => weightAt(first + index)),
  }
})

/** Row by feature. The cosine of order 0, which is loudness, is left out. */
const cosines = Float64Array.from({ length: FEATURES * BANDS }, (_, index) => {
  const order = Math.floor(index / BANDS) + 1
  return Math.cos((Math.PI * order * ((index % BANDS) + 0.5)) / BANDS) * Math.sqrt(2 / BANDS)
})

const fourierOf = onUse(() => makeFourier(SIZE))

/** Puts one frame, emphasised and windowed, into `target`; answers its loudness. */
const load = (samples: Int16Array, from: number, target: Float64Array): number => {
  let energy = 0
  let before = (samples[from - 1] ?? 0) / FULL_SCALE
  for (let index = 0; index < LENGTH; index++) {
    const sample = (samples[from + index] ?? 0) / FULL_SCALE
    energy += sample * sample
    target[index] = (sample - PREEMPHASIS * before) * (window[index] ?? 0)
    before = sample
  }
  target.fill(0, LENGTH)
  return 10 * Math.log10(energy / LENGTH + FLOOR)
}

/** The features of one frame out of the power of its spectrum. */
const describe = (
  power: Float64Array,
  logarithms: Float64Array,
  values: Float32Array,
  frame: number,
): void => {
  for (const [index, { first, weights }] of bands.entries()) {
    let sum = FLOOR
    for (let bin = 0; bin < weights.length; bin++) sum += (weights[bin] ?? 0) * (power[first + bin] ?? 0)
    logarithms[index] = Math.log(sum)
  }
  for (let feature = 0; feature < FEATURES; feature++) {
    let sum = 0
    for (let band = 0; band < BANDS; band++) {
      sum += (cosines[feature * BANDS + band] ?? 0) * (logarithms[band] ?? 0)
    }
    values[frame * FEATURES + feature] = sum
  }
}

/** Mel-frequency cepstra of 16 kHz mono samples: 25 ms frames, each 10 ms after the one before. */
export const featuresOf = (samples: Int16Array): SoundFeatures => {
  const frames = Math.max(0, Math.floor((samples.length - LENGTH) / HOP) + 1)
  const values = new Float32Array(frames * FEATURES)
  const loudness = new Float32Array(frames)
  const left = new Float64Array(SIZE)
  const right = new Float64Array(SIZE)
  const leftPower = new Float64Array(HALF)
  const rightPower = new Float64Array(HALF)
  const logarithms = new Float64Array(BANDS)
  const fourier = fourierOf()
  // Two frames go through one transform, as its real and its imaginary part.
  for (let frame = 0; frame < frames; frame += 2) {
    loudness[frame] = load(samples, frame * HOP, left)
    if (frame + 1 < frames) loudness[frame + 1] = load(samples, (frame + 1) * HOP, right)
    else right.fill(0)
    fourier(left, right)
    splitPowers(left, right, leftPower, rightPower)
    describe(leftPower, logarithms, values, frame)
    if (frame + 1 < frames) describe(rightPower, logarithms, values, frame + 1)
  }
  return { frames, values, loudness }
}
