import type { Transcript } from "../transcripts/Transcript.js"

/** How many lines are not the same in both. Lines that stay are the same objects. */
export const changedLines = (before: Transcript, after: Transcript): number => {
  const missing = (from: Transcript, other: Transcript): number => {
    const known = new Set(other.segments)
    return from.segments.filter((line) => !known.has(line)).length
  }
  return Math.max(missing(before, after), missing(after, before))
}
