import { SAMPLE_RATE } from "./samples.js"

/** Less than this share of the channels' energy left in their mean: they cancel each other out. */
const LEAST_SHARE = 0.05

/** Two channels into one. */
export interface StereoMixer {
  /** Takes left and right samples in turn; answers what is mixed so far, in whole seconds: good until the next push. */
  readonly push: (interleaved: Int16Array) => Int16Array
  readonly finish: () => Int16Array
  /** Whether the channels cancelled each other out anywhere, so that the louder one was taken there. */
  readonly cancelled: () => boolean
}

/**
 * The mean of both channels; in a second in which they are in opposite phase, so that hardly anything is left of them, the louder one.
 * The same samples give the same result, however they were cut.
 */
export const makeStereoMixer = (): StereoMixer => {
  const second = new Int16Array(2 * SAMPLE_RATE)
  let memory = new Int16Array(0)
  let filled = 0
  let hasCancelled = false

  /** Mixes the first `frames` frames of the second at hand into `mixed` from `at` on. */
  const mixInto = (mixed: Int16Array, at: number, frames: number) => {
    let left = 0
    let right = 0
    let both = 0
    for (let frame = 0; frame < frames; frame++) {
      const one = second[2 * frame] ?? 0
      const two = second[2 * frame + 1] ?? 0
      const mean = (one + two) >> 1
      mixed[at + frame] = mean
      left += one * one
      right += two * two
      both += mean * mean
    }
    // Digital silence and the last bit of a dither say nothing about phases.
    const channels = (left + right) / 2
    if (channels < frames * 16 || both >= LEAST_SHARE * channels) return
    hasCancelled = true
    const louder = left >= right ? 0 : 1
    for (let frame = 0; frame < frames; frame++) mixed[at + frame] = second[2 * frame + louder] ?? 0
  }

  const push = (interleaved: Int16Array) => {
    const seconds = Math.floor((filled + interleaved.length) / second.length)
    const length = seconds * SAMPLE_RATE
    if (memory.length < length) memory = new Int16Array(length)
    const mixed = memory.subarray(0, length)
    for (let done = 0, at = 0; at < interleaved.length; ) {
      const part = interleaved.subarray(at, at + second.length - filled)
      second.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < second.length) break
      mixInto(mixed, done, SAMPLE_RATE)
      done += SAMPLE_RATE
      filled = 0
    }
    return mixed
  }

  const finish = () => {
    const frames = filled >> 1
    const mixed = new Int16Array(frames)
    mixInto(mixed, 0, frames)
    filled = 0
    return mixed
  }

  return { push, finish, cancelled: () => hasCancelled }
}
