import type { SpeakerNames } from "../transcripts/speakerNames.js"
import type { Segment } from "../transcripts/Transcript.js"

/** The names that mean one speaker: not those that two labels have, or that are a label of the lines themselves. */
export const distinctNames = (
  names: SpeakerNames,
  lines: ReadonlyArray<Pick<Segment, "speaker">>,
): SpeakerNames => {
  const spoken = new Set(lines.map(({ speaker }) => speaker))
  const all = Object.values(names)
  return Object.fromEntries(
    Object.entries(names).filter(
      ([, name]) => !spoken.has(name) && all.indexOf(name) === all.lastIndexOf(name),
    ),
  )
}
