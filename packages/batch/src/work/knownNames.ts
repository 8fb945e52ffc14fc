import { namesByLabel, type SpeakerNames } from "@earmark/core/transcripts"
import type { NewNames } from "../Asked.js"

/** New names for the speakers of a transcript by their labels, and those that are for nobody in it. */
export const knownNames = (
  asked: NewNames,
  lines: ReadonlyArray<{ readonly speaker: string | null }>,
  shown: SpeakerNames = {},
): { readonly names: NewNames; readonly missing: ReadonlyArray<string> } => {
  const names = Object.entries(namesByLabel(asked, lines, shown))
  const isSpoken = (label: string) => lines.some(({ speaker }) => speaker === label)
  return {
    names: Object.fromEntries(names.filter(([label]) => isSpoken(label))),
    missing: names.map(([label]) => label).filter((label) => !isSpoken(label)),
  }
}
