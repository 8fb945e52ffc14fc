import { hasUnspaced } from "../text/units.js"
import type { Segment } from "./Transcript.js"

/** A word as the integrity report looks at it. */
export interface TimedUnit {
  readonly text: string
  /** Equal for words that differ in case and punctuation only; empty for punctuation alone. */
  readonly key: string
  readonly start: number
  readonly end: number
  readonly confidence: number | null
  /** How many words it counts for: letters of scripts without spaces count half. */
  readonly weight: number
}

const LETTER_WEIGHT = 0.5

interface Unit {
  readonly text: string
  readonly key: string
  readonly weight: number
}

const unitOf = (text: string): Unit => ({
  text,
  key: text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, ""),
  weight: hasUnspaced(text) ? Math.max(LETTER_WEIGHT, LETTER_WEIGHT * text.length) : 1,
})

/** Words at white space, and letters where the script has none: rough, quick and the same every time. */
export const quickUnits = (text: string): ReadonlyArray<Unit> =>
  text
    .split(/\s+/)
    .flatMap((part) => (hasUnspaced(part) ? [...part] : [part]))
    .map(unitOf)
    .filter(({ key }) => key !== "")

const spread = (segment: Segment): ReadonlyArray<TimedUnit> => {
  const units = quickUnits(segment.text)
  const each = (segment.end - segment.start) / Math.max(1, units.length)
  return units.map((unit, index) => ({
    ...unit,
    start: segment.start + index * each,
    end: segment.start + (index + 1) * each,
    confidence: null,
  }))
}

/** The words of a transcript; where a segment has none with times, its text evenly spread. */
export const timedUnitsOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<TimedUnit> => {
  // A long recording says the same few thousand words again and again.
  const known = new Map<string, Unit>()
  const lookUp = (text: string) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const unit = unitOf(text)
    known.set(text, unit)
    return unit
  }
  const units: Array<TimedUnit> = []
  for (const segment of segments) {
    if (segment.words.length === 0) for (const unit of spread(segment)) units.push(unit)
    for (const { text, start, end, confidence } of segment.words) {
      const { key, weight } = lookUp(text)
      if (key !== "") units.push({ text, key, start, end, confidence, weight })
    }
  }
  return units
}
