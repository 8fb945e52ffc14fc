import type { CaptionProfile } from "@earmark/core/captions"
import { repairWords, type Word } from "@earmark/core/transcripts"
import { gatherUnits } from "../../src/captions/gatherUnits.js"
import { emptyUnits, type TurnUnits } from "../../src/captions/TurnUnits.js"
import { traitsReader } from "../../src/captions/traits.js"
import { weighBoundaries } from "../../src/captions/weighBoundaries.js"

/** The weighed units of words that one speaker says. */
export const unitsOf = (words: ReadonlyArray<Word>, profile: CaptionProfile, language = "en"): TurnUnits => {
  const units = emptyUnits()
  const gathering = { traitsOf: traitsReader(language), language, columns: profile.maxCharsPerLine }
  const repaired = repairWords(words)
  gatherUnits(units, { words: repaired, from: 0, to: repaired.length }, 0, gathering)
  weighBoundaries(units)
  return units
}
