import type { HearingOptions } from "./Checkpoints.js"
import type { Heard } from "./Transcriber.js"

/** Decoders are exact to a frame or so. */
const FRAME_SECONDS = 0.1

/**
 * How long media is, in seconds, now that it was heard. A file that ends before its announced length is as long as what was there; where
 * hearing stopped at an end that was asked for, nobody has seen more of it than was announced.
 */
export const mediaLength = (
  announced: number | null,
  { durationSeconds, warnings }: Pick<Heard, "durationSeconds" | "warnings">,
  { startAt, endAt }: Pick<HearingOptions, "startAt" | "endAt">,
): number => {
  const reached = (startAt ?? 0) / 1000 + durationSeconds
  if (announced === null) return reached
  const isAtEnd = endAt === null || reached < endAt / 1000 - FRAME_SECONDS
  const endsSooner = isAtEnd && warnings.some(({ code }) => code === "media_truncated")
  return endsSooner ? Math.min(announced, reached) : announced
}
