import type { Kinship } from "./joinAlike.js"
import { joinOffsets, likeness, type VoiceOffsets } from "./VoiceOffsets.js"
import { evidenceForTwo, joinVoices, shortness, type VoiceSums, voiceDistance } from "./VoiceSums.js"

/**
 * How far apart two stretches of one voice are for each part of their shortness, in meetings and readings: sounds differ, and last
 * for some frames.
 */
const USUAL_VARIABILITY = 280
const MOST_VARIABILITY = 800
/** The usual value counts like this many neighbours. */
const USUAL_WEIGHT = 4
/** Stretches of one voice may be this much farther apart than usual by chance. */
const CHANCE = 1.5

/** What two neighbouring parts of speech, mostly of one voice, say about how much it varies. */
export const neighbourDistance = (one: VoiceSums, other: VoiceSums): number =>
  voiceDistance(one, other) / shortness(one, other)

/** How much voices vary in this recording: a room, say, makes every difference larger, those within a voice as well. */
export const variabilityOf = (neighbours: ReadonlyArray<number>): number => {
  const sorted = [...neighbours].sort((left, right) => left - right)
  const median = sorted[Math.floor(sorted.length / 2)] ?? USUAL_VARIABILITY
  const weight = sorted.length / (sorted.length + USUAL_WEIGHT)
  const measured = USUAL_VARIABILITY * (median / USUAL_VARIABILITY) ** weight
  return Math.min(MOST_VARIABILITY, Math.max(USUAL_VARIABILITY, measured))
}

/** What is known of a voice. */
export interface VoiceTraits {
  readonly sums: VoiceSums
  readonly offsets: VoiceOffsets
}

/** How different voices have to be. */
export interface Difference {
  /** How far apart one voice may be from itself, from minute to minute, beside what chance does. */
  readonly margin: number
  /** How much better two voices have to explain the sound than one (`evidenceForTwo`). */
  readonly evidence: number
  /** Less alike than this are two voices (`likeness`). */
  readonly alike: number
}

/** Less than three seconds are no speaker. */
const FRAMES_OF_A_SPEAKER = 300

export const isSpeaker = ({ sums }: VoiceTraits): boolean => sums.frames >= FRAMES_OF_A_SPEAKER

/**
 * Two voices are two when they differ from other people in different ways; or when their means are farther apart than chance and mood
 * explain, and there is enough evidence for it.
 */
export const byVoice = (
  { margin, evidence, alike }: Difference,
  variability: number,
): Kinship<VoiceTraits> => ({
  distance: (one, other) => {
    const unlike = alike - likeness(one.offsets, other.offsets)
    const allowed = variability * (margin / USUAL_VARIABILITY + CHANCE * shortness(one.sums, other.sums))
    const apart = voiceDistance(one.sums, other.sums) / allowed - 1
    if (apart <= 0) return unlike
    const surplus = Math.min(apart, evidenceForTwo(one.sums, other.sums) / evidence - 1)
    return surplus <= 0 ? unlike : Math.max(unlike, 0) + surplus
  },
  join: (one, other) => ({
    sums: joinVoices(one.sums, other.sums),
    offsets: joinOffsets(one.offsets, other.offsets),
  }),
  isSpeaker,
})
