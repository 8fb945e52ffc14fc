import { SAMPLE_RATE, toSample } from "./samples.js"

/** Zero crossings of the filter on each side: enough for speech to sound as it did. */
const CROSSINGS = 16
/** A little below half the lower rate, so that nothing folds back. */
const PASSBAND = 0.92
/** More phases than this are rounded to the nearest: rates that share no factor. */
const MOST_PHASES = 640

const greatestCommonDivisor = (left: number, right: number): number =>
  right === 0 ? left : greatestCommonDivisor(right, left % right)

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** One row of weights for each place between two samples that an output sample can fall on. */
const filterRows = (phases: number, reach: number, cutoff: number): Float32Array => {
  const taps = 2 * reach
  const rows = new Float32Array(phases * taps)
  for (let phase = 0; phase < phases; phase++) {
    let sum = 0
    for (let tap = 0; tap < taps; tap++) {
      const x = tap - reach + 1 - phase / phases
      const window = Math.abs(x) >= reach ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * x) / reach)
      const weight = cutoff * sinc(cutoff * x) * window
      rows[phase * taps + tap] = weight
      sum += weight
    }
    for (let tap = 0; tap < taps; tap++) rows[phase * taps + tap] = (rows[phase * taps + tap] ?? 0) / sum
  }
  return rows
}

export interface Resampler {
  readonly push: (samples: Float32Array) => Int16Array
  readonly finish: () => Int16Array
}

/** From any rate to 16 kHz, by a windowed sinc. Samples in and out are of the size of 16 bits. */
export const makeResampler = (rate: number): Resampler => {
  const divisor = greatestCommonDivisor(rate, SAMPLE_RATE)
  const phases = Math.min(SAMPLE_RATE / divisor, MOST_PHASES)
  const cutoff = PASSBAND * Math.min(1, SAMPLE_RATE / rate)
  const reach = Math.ceil(CROSSINGS / Math.min(1, SAMPLE_RATE / rate))
  const taps = 2 * reach
  const rows = filterRows(phases, reach, cutoff)
  let input: Float32Array = new Float32Array(reach)
  /** The place of `input[0]`, and the number of the next output sample. */
  let origin = -reach
  let next = 0
  let received = 0

  const run = (limit: number) => {
    const out = new Int16Array(Math.max(0, Math.ceil((limit * SAMPLE_RATE) / rate) - next))
    let made = 0
    while (made < out.length) {
      const place = (next * rate) / SAMPLE_RATE
      let whole = Math.floor(place)
      let phase = Math.round((place - whole) * phases)
      if (phase === phases) {
        whole += 1
        phase = 0
      }
      const from = whole - reach + 1 - origin
      if (from + taps > input.length) break
      let sum = 0
      for (let tap = 0, row = phase * taps; tap < taps; tap++, row++) {
        sum += (input[from + tap] ?? 0) * (rows[row] ?? 0)
      }
      out[made] = toSample(sum)
      made += 1
      next += 1
    }
    const used = Math.max(0, Math.floor((next * rate) / SAMPLE_RATE) - reach - origin)
    input = input.slice(used)
    origin += used
    return out.subarray(0, made)
  }

  const append = (samples: Float32Array) => {
    const longer = new Float32Array(input.length + samples.length)
    longer.set(input)
    longer.set(samples, input.length)
    input = longer
  }

  const push = (samples: Float32Array) => {
    append(samples)
    received += samples.length
    return run(received)
  }

  const finish = () => {
    append(new Float32Array(taps + 1))
    return run(received)
  }

  return { push, finish }
}
