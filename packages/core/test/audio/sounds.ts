/** Sounds made of numbers. */
import { SAMPLE_RATE } from "@earmark/core/audio"
import { seededRandom } from "@earmark/testkit"

export const silence = (seconds: number): Int16Array => new Int16Array(Math.round(seconds * SAMPLE_RATE))

export const tone = (seconds: number, amplitude = 8000, hertz = 300): Int16Array =>
  silence(seconds).map((_, at) => amplitude * Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE))

export const noise = (seconds: number, amplitude: number, seed = 1): Int16Array => {
  const random = seededRandom(seed)
  return silence(seconds).map(() => amplitude * (2 * random() - 1))
}

export const joined = (...parts: ReadonlyArray<Int16Array>): Int16Array => {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The same samples in pieces of these sizes, over and over. */
export const inPieces = (samples: Int16Array, sizes: ReadonlyArray<number>): ReadonlyArray<Int16Array> => {
  const pieces: Array<Int16Array> = []
  for (let at = 0, turn = 0; at < samples.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    pieces.push(samples.subarray(at, at + size))
    at += size
  }
  return pieces
}
