import type { SoundFeatures } from "./features.js"

/** A stretch of sound with its place on the timeline, in milliseconds. */
export interface HeardSound {
  readonly start: number
  readonly features: SoundFeatures
}

/** Frames of one stretch of sound, `to` not included. */
export interface Run {
  readonly sound: number
  readonly from: number
  readonly to: number
}

/** Where somebody speaks in a block of sounds. */
export interface BlockSpeech {
  readonly runs: ReadonlyArray<Run>
  /** The loudness from which on a frame tells who speaks. */
  readonly clear: number
}

/** Decibel below the loud frames, or above the quietest ones. */
const SPEECH_BELOW_LOUD = 35
const SPEECH_ABOVE_QUIET = 6
const CLEAR_BELOW_LOUD = 25
const LONGEST_GAP = 30
const SHORTEST_RUN = 20
const PART = 200

const runsIn = (loudness: Float32Array, threshold: number, sound: number): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  let from = -1
  for (let frame = 0; frame <= loudness.length; frame++) {
    const speaks = (loudness[frame] ?? Number.NEGATIVE_INFINITY) > threshold
    if (speaks && from < 0) from = frame
    if (speaks || from < 0) continue
    const before = runs.at(-1)
    if (before !== undefined && from - before.to < LONGEST_GAP) {
      runs[runs.length - 1] = { ...before, to: frame }
    } else runs.push({ sound, from, to: frame })
    from = -1
  }
  return runs.filter((run) => run.to - run.from > SHORTEST_RUN)
}

/** Speech by loudness alone; the threshold follows the block. */
export const speechOf = (sounds: ReadonlyArray<HeardSound>): BlockSpeech => {
  const all = new Float32Array(sounds.reduce((sum, { features }) => sum + features.frames, 0))
  let at = 0
  for (const { features } of sounds) {
    all.set(features.loudness, at)
    at += features.frames
  }
  all.sort()
  const loud = all[Math.floor(all.length * 0.9)] ?? 0
  const quiet = all[Math.floor(all.length * 0.05)] ?? 0
  const threshold = Math.max(loud - SPEECH_BELOW_LOUD, quiet + SPEECH_ABOVE_QUIET)
  return {
    runs: sounds.flatMap(({ features }, sound) => runsIn(features.loudness, threshold, sound)),
    clear: loud - CLEAR_BELOW_LOUD,
  }
}

/** Equal parts of a run, short enough that mostly one voice is in each. */
export const partsOf = (run: Run): ReadonlyArray<Run> => {
  const length = run.to - run.from
  const count = Math.max(1, Math.round(length / PART))
  const edge = (index: number) => run.from + Math.round((length * index) / count)
  return Array.from({ length: count }, (_, index) => ({ ...run, from: edge(index), to: edge(index + 1) }))
}
