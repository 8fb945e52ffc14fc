import { SAMPLE_RATE } from "./samples.js"

/** How many points of a waveform stand for a second. */
export const PEAKS_PER_SECOND = 20

const FRAMES = SAMPLE_RATE / PEAKS_PER_SECOND
const FULL_SCALE = 32_768

/** Draws a waveform of samples as they come. */
export interface PeakMeter {
  /** Samples of all channels in turn, in whole frames. */
  readonly push: (samples: Int16Array) => void
  /** The greatest sample of each twentieth of a second, 0 to 255. */
  readonly finish: () => Uint8Array
}

const byteOf = (greatest: number) => Math.min(255, Math.round((greatest * 255) / FULL_SCALE))

/** A waveform of sound at 16 kHz: one byte for each twentieth of a second, whatever the number of channels. */
export const makePeakMeter = (channels: number): PeakMeter => {
  const samplesOfPoint = FRAMES * channels
  let peaks = new Uint8Array(PEAKS_PER_SECOND * 600)
  let count = 0
  let taken = 0
  let greatest = 0
  const add = () => {
    if (count === peaks.length) {
      const larger = new Uint8Array(2 * count)
      larger.set(peaks)
      peaks = larger
    }
    peaks[count++] = byteOf(greatest)
    greatest = 0
    taken = 0
  }
  return {
    push: (samples) => {
      for (let at = 0; at < samples.length; ) {
        const end = Math.min(samples.length, at + samplesOfPoint - taken)
        taken += end - at
        for (; at < end; at++) {
          const sample = samples[at] ?? 0
          const size = sample < 0 ? -sample : sample
          if (size > greatest) greatest = size
        }
        if (taken === samplesOfPoint) add()
      }
    },
    finish: () => {
      if (taken > 0) add()
      return peaks.slice(0, count)
    },
  }
}

/**
 * A waveform in so many points, each the greatest of the stored ones that it stands for. `from` and `to` are places among the stored
 * points; what is beyond their end is silent.
 */
export const peaksTo = (
  peaks: Uint8Array,
  { from, to, points }: { readonly from: number; readonly to: number; readonly points: number },
): Uint8Array => {
  const step = (to - from) / points
  return Uint8Array.from({ length: points }, (_, point) => {
    const first = Math.floor(from + point * step)
    const last = Math.max(first + 1, Math.ceil(from + (point + 1) * step))
    let greatest = 0
    for (let at = first; at < Math.min(last, peaks.length); at++)
      greatest = Math.max(greatest, peaks[at] ?? 0)
    return greatest
  })
}
