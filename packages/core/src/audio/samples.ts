/** Sound as everything here hears it: 16 kHz, mono, signed 16 bit. */
export const SAMPLE_RATE = 16_000

/** A millisecond. Every cut falls on a multiple of it, so that times in milliseconds are exact. */
export const SAMPLES_PER_MILLISECOND = SAMPLE_RATE / 1000

/** A part of a recording, in samples from its beginning. */
export interface SampleRange {
  readonly start: number
  readonly end: number
}

/** Samples of any size, clipped to what 16 bits hold. */
export const toSample = (value: number): number =>
  value >= 32_767 ? 32_767 : value <= -32_768 ? -32_768 : Math.round(value)
