import { findEchoes } from "./findEchoes.js"
import { SAMPLE_RATE, SAMPLES_PER_MILLISECOND } from "./samples.js"

/** The length of a frame in milliseconds. */
const FRAME = 20
const FRAME_SAMPLES = FRAME * SAMPLES_PER_MILLISECOND

/** Channels correlated as closely as this, and as loud as each other, hold the same sound. */
const SAME_CORRELATION = 0.99
/** One decibel, as a ratio of energies. */
const SAME_LOUDNESS = 10 ** 0.1

/** How loud each channel of a recording is, and which channels hold the same sound. */
export interface ChannelLevels {
  /** For each channel the first one that holds the same sound: itself, unless it is a copy. */
  readonly sameAs: ReadonlyArray<number>
  /** Loudness between two moments in milliseconds, in decibels above one step of 16 bits; 0 is silence. */
  readonly levelAt: (channel: number, start: number, end: number) => number
  /** Whether a channel holds nothing of its own at a moment, but somebody else who is heard in it quietly. */
  readonly isEcho: (channel: number, moment: number) => boolean
}

export interface ChannelMeter {
  /** Takes the samples of all channels in turn. */
  readonly push: (interleaved: Int16Array) => void
  readonly finish: () => ChannelLevels
}

/** A byte for each frame: an hour is 180 kB. */
const makeFrames = () => {
  let bytes = new Uint8Array(SAMPLE_RATE)
  let count = 0
  const push = (energy: number) => {
    if (count === bytes.length) {
      const more = new Uint8Array(2 * bytes.length)
      more.set(bytes)
      bytes = more
    }
    bytes[count++] = Math.round(10 * Math.log10(1 + energy))
  }
  return { push, all: () => bytes.subarray(0, count) }
}

const meanLevel = (frames: Uint8Array): number => {
  if (frames.length === 0) return 0
  const energy = frames.reduce((sum, level) => sum + 10 ** (level / 10), 0) / frames.length
  return Math.max(0, 10 * Math.log10(energy))
}

/** Measures so many channels; the first sample is at `from` milliseconds. The same samples give the same levels, however they were cut. */
export const makeChannelMeter = (count: number, from = 0): ChannelMeter => {
  const frames = Array.from({ length: count }, makeFrames)
  const energies = new Float64Array(count)
  const inFrame = new Float64Array(count)
  /** What channels have in common, by the earlier and the later one. */
  const products = new Float64Array(count * count)
  let place = 0
  let samplesInFrame = 0

  const endFrame = () => {
    for (let channel = 0; channel < count; channel++) {
      const energy = inFrame[channel] ?? 0
      frames[channel]?.push(energy / samplesInFrame)
      energies[channel] = (energies[channel] ?? 0) + energy
    }
    inFrame.fill(0)
    samplesInFrame = 0
  }

  const push = (interleaved: Int16Array) => {
    for (let at = 0; at + count <= interleaved.length; at += count) {
      for (let channel = 0; channel < count; channel++) {
        const sample = interleaved[at + channel] ?? 0
        inFrame[channel] = (inFrame[channel] ?? 0) + sample * sample
        for (let earlier = 0; earlier < channel; earlier++) {
          place = earlier * count + channel
          products[place] = (products[place] ?? 0) + sample * (interleaved[at + earlier] ?? 0)
        }
      }
      samplesInFrame += 1
      if (samplesInFrame === FRAME_SAMPLES) endFrame()
    }
  }

  const isSame = (earlier: number, later: number): boolean => {
    const [one = 0, two = 0] = [energies[earlier], energies[later]]
    if (one === 0 || two === 0) return one === two
    const isAsLoud = one < two * SAME_LOUDNESS && two < one * SAME_LOUDNESS
    return (
      isAsLoud && Math.abs(products[earlier * count + later] ?? 0) >= SAME_CORRELATION * Math.sqrt(one * two)
    )
  }

  const firstLike = (channel: number): number => {
    for (let earlier = 0; earlier < channel; earlier++) if (isSame(earlier, channel)) return earlier
    return channel
  }

  const finish = (): ChannelLevels => {
    if (samplesInFrame > 0) endFrame()
    const levels = frames.map(({ all }) => all())
    const echoes = findEchoes(levels)
    return {
      isEcho: (channel, moment) => echoes[channel]?.[Math.floor((moment - from) / FRAME)] === 1,
      sameAs: levels.map((_, channel) => firstLike(channel)),
      levelAt: (channel, start, end) => {
        const first = Math.max(0, Math.floor((start - from) / FRAME))
        const last = Math.max(first + 1, Math.ceil((end - from) / FRAME))
        return meanLevel((levels[channel] ?? new Uint8Array(0)).subarray(first, last))
      },
    }
  }

  return { push, finish }
}
