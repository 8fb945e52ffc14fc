import { makeFourier } from "../audio/fourier.js"
import { type Band, FRAME_MILLISECONDS, hamming, splitPowers } from "../audio/frames.js"
import { SAMPLE_RATE } from "../audio/samples.js"
import { inOneGo, type Steps } from "../audio/steps.js"
import { onUse } from "../onUse.js"
import { leastFirst, quantile } from "./quantile.js"

/** Numbers that describe the sound of one frame: 13 cepstra, how they change, and how that changes. */
export const DIMENSIONS = 39

/** Whoever runs the work may pause it after so many frames. */
export const FRAMES_PER_STEP = 64

/** How a stretch of sound sounds, frame by frame. */
export interface Cepstra {
  readonly frames: number
  /** `DIMENSIONS` numbers for each frame, one frame after the other. */
  readonly values: Float32Array
  /** Loudness of each frame in decibel of full scale. */
  readonly loudness: Float32Array
}

const HOP = (SAMPLE_RATE * FRAME_MILLISECONDS) / 1000
const LENGTH = 410
const SIZE = 512
const BINS = SIZE / 2 + 1
const BANDS = 25
const ORDERS = 13
const LOWEST_HERTZ = 130
const HIGHEST_HERTZ = 6800
const PREEMPHASIS = 0.97
const FULL_SCALE_POWER = 1.07e9
const LEAST_POWER = 1e-9
const LIFTER = 22
/** So many times the steady noise of a band is taken away, but never more than leaves this share of it. */
const NOISE_TAKEN = 2
const SOUND_KEPT = 0.2
/** The share of frames, the quietest, that are noise alone. */
const QUIETEST = 0.1
/** A floor 45 dB under the loud frames: the silence of a machine then looks like that of a room. */
const FLOOR = 3e-5
/** Frames this far under the loud ones, in decibel, say nothing of the voice. */
const SPOKEN_RANGE = 30
const LOUD = 0.95

const window = hamming(LENGTH)

const melOf = (hertz: number) => 2595 * Math.log10(1 + hertz / 700)
const hertzOf = (mel: number) => 700 * (10 ** (mel / 2595) - 1)

/** Triangles of equal area, with their edges on the bins of the transform. */
const bands: ReadonlyArray<Band> = Array.from({ length: BANDS }, (_, band) => {
  const lowest = melOf(LOWEST_HERTZ)
  const width = (melOf(HIGHEST_HERTZ) - lowest) / (BANDS + 1)
  const bin = SAMPLE_RATE / SIZE
  const edge = (index: number) => Math.floor(hertzOf(lowest + width * index) / bin + 0.5) * bin
  const [left, centre, right] = [edge(band), edge(band + 1), edge(band + 2)]
  const first = Math.ceil(left / bin)
  const count = Math.max(1, Math.ceil(right / bin) - first)
  const weightAt = (hertz: number) =>
    Math.max(0, Math.min((hertz - left) / (centre - left), (right - hertz) / (right - centre)))
  return {
    first,
    weights: Float64Array.from(
      { length: count },
      (_, index) => (weightAt((first + index) * bin) * 2) / (right - left),
    ),
  }
})

/** Row by order: the cosine of the order, times what evens out the sizes of the orders. */
const cosines = Float64Array.from({ length: ORDERS * BANDS }, (_, index) => {
  const order = Math.floor(index / BANDS)
  const lift = order === 0 ? 1 : 1 + (LIFTER / 2) * Math.sin((Math.PI * order) / LIFTER)
  const size = Math.sqrt((order === 0 ? 1 : 2) / BANDS)
  return Math.cos((Math.PI * order * ((index % BANDS) + 0.5)) / BANDS) * size * lift
})

const fourierOf = onUse(() => makeFourier(SIZE))

/** Puts one frame, emphasised and windowed, into `target`; answers its loudness. */
const load = (samples: Int16Array, from: number, target: Float64Array): number => {
  let energy = 0
  let before = samples[from - 1] ?? samples[from] ?? 0
  for (let index = 0; index < LENGTH; index++) {
    const sample = samples[from + index] ?? 0
    energy += sample * sample
    target[index] = (sample - PREEMPHASIS * before) * (window[index] ?? 0)
    before = sample
  }
  target.fill(0, LENGTH)
  return 10 * Math.log10(energy / LENGTH / FULL_SCALE_POWER + LEAST_POWER)
}

const gather = (power: Float64Array, energies: Float32Array, frame: number): void => {
  for (let band = 0; band < BANDS; band++) {
    const { first = 0, weights = power } = bands[band] ?? {}
    let sum = 1e-4
    for (let bin = 0; bin < weights.length; bin++) sum += (weights[bin] ?? 0) * (power[first + bin] ?? 0)
    energies[frame * BANDS + band] = sum
  }
}

/** The power of each band in each frame. Two frames go through one transform. */
function* spectrumSteps(samples: Int16Array, frames: number, loudness: Float32Array): Steps<Float32Array> {
  const energies = new Float32Array(frames * BANDS)
  const left = new Float64Array(SIZE)
  const right = new Float64Array(SIZE)
  const leftPower = new Float64Array(BINS)
  const rightPower = new Float64Array(BINS)
  const fourier = fourierOf()
  for (let frame = 0; frame < frames; frame += 2) {
    loudness[frame] = load(samples, frame * HOP, left)
    if (frame + 1 < frames) loudness[frame + 1] = load(samples, (frame + 1) * HOP, right)
    else right.fill(0)
    fourier(left, right)
    splitPowers(left, right, leftPower, rightPower)
    gather(leftPower, energies, frame)
    if (frame + 1 < frames) gather(rightPower, energies, frame + 1)
    if (frame % FRAMES_PER_STEP === 0) yield
  }
  return energies
}

/** Takes the steady noise of each band away, and answers logarithms in its place. */
const withoutNoise = (energies: Float32Array, frames: number): void => {
  const column = new Float32Array(frames)
  const noise = new Float64Array(BANDS)
  const quiet = Math.max(1, Math.floor(frames * QUIETEST))
  for (let band = 0; band < BANDS; band++) {
    for (let frame = 0; frame < frames; frame++) column[frame] = energies[frame * BANDS + band] ?? 0
    leastFirst(column, quiet)
    let sum = 0
    for (let frame = 0; frame < quiet; frame++) sum += column[frame] ?? 0
    noise[band] = (NOISE_TAKEN * sum) / quiet
  }
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    for (let band = 0; band < BANDS; band++) sum += energies[frame * BANDS + band] ?? 0
    column[frame] = sum / BANDS
  }
  const floor = quantile(column, LOUD) * FLOOR
  for (let frame = 0, at = 0; frame < frames; frame++) {
    for (let band = 0; band < BANDS; band++, at++) {
      const energy = energies[at] ?? 0
      energies[at] = Math.log(Math.max(energy - (noise[band] ?? 0), SOUND_KEPT * energy) + floor)
    }
  }
}

const cepstraOfLogarithms = (logarithms: Float32Array, frames: number): Float32Array => {
  const cepstra = new Float32Array(frames * ORDERS)
  for (let frame = 0; frame < frames; frame++) {
    for (let order = 0; order < ORDERS; order++) {
      let sum = 0
      for (let band = 0; band < BANDS; band++)
        sum += (cosines[order * BANDS + band] ?? 0) * (logarithms[frame * BANDS + band] ?? 0)
      cepstra[frame * ORDERS + order] = sum
    }
  }
  return cepstra
}

/** The mean over the frames in which somebody speaks: what a microphone and a room add to every sound. */
const meanOf = (cepstra: Float32Array, loudness: Float32Array): Float64Array => {
  const floor = quantile(loudness, LOUD) - SPOKEN_RANGE
  const mean = new Float64Array(ORDERS)
  let count = 0
  for (let frame = 0; frame < loudness.length; frame++) {
    if ((loudness[frame] ?? 0) <= floor) continue
    count += 1
    for (let order = 0; order < ORDERS; order++)
      mean[order] = (mean[order] ?? 0) + (cepstra[frame * ORDERS + order] ?? 0)
  }
  return mean.map((sum) => sum / Math.max(1, count))
}

/** Mel-frequency cepstra of 16 kHz mono samples, with their differences: frames of 26 ms, each 10 ms after the one before. */
export function* cepstraSteps(samples: Int16Array): Steps<Cepstra> {
  const frames = Math.max(1, Math.floor((samples.length - LENGTH) / HOP) + 1)
  const loudness = new Float32Array(frames)
  const spectrum = yield* spectrumSteps(samples, frames, loudness)
  withoutNoise(spectrum, frames)
  const cepstra = cepstraOfLogarithms(spectrum, frames)
  const mean = meanOf(cepstra, loudness)
  const values = new Float32Array(frames * DIMENSIONS)
  const row = (frame: number) => Math.min(frames - 1, Math.max(0, frame)) * ORDERS
  for (let frame = 0, target = 0; frame < frames; frame++, target += DIMENSIONS) {
    const [here, before, after] = [row(frame), row(frame - 2), row(frame + 2)]
    const [before1, before3, after1, after3] = [
      row(frame - 1),
      row(frame - 3),
      row(frame + 1),
      row(frame + 3),
    ]
    for (let order = 0; order < ORDERS; order++) {
      values[target + order] = (cepstra[here + order] ?? 0) - (mean[order] ?? 0)
      values[target + ORDERS + order] = (cepstra[after + order] ?? 0) - (cepstra[before + order] ?? 0)
      const later = (cepstra[after3 + order] ?? 0) - (cepstra[after1 + order] ?? 0)
      const earlier = (cepstra[before1 + order] ?? 0) - (cepstra[before3 + order] ?? 0)
      values[target + 2 * ORDERS + order] = later - earlier
    }
  }
  return { frames, values, loudness }
}

/** `cepstraSteps` in one go. */
export const cepstraOf = (samples: Int16Array): Cepstra => inOneGo(cepstraSteps(samples))
