import type { AudioWindow } from "@earmark/service"

const RATE = 16

/** Samples as a window of a recording. */
export const windowOf = (samples: Int16Array, start = 5_000, index = 0): AudioWindow => ({
  index,
  start,
  end: start + Math.floor(samples.length / RATE),
  samples,
})

/** A tone that no two lengths or pitches share: enough of a voice for engines that do not listen. */
export const toneOf = (milliseconds: number, pitch = 40): Int16Array =>
  Int16Array.from({ length: milliseconds * RATE }, (_, at) => Math.round(8_000 * Math.sin(at / pitch)))
