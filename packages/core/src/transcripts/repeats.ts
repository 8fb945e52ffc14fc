import { joinUnits } from "../text/units.js"
import { extentOf, type SpokenUnits, saidIn } from "./spokenUnits.js"
import type { Segment } from "./Transcript.js"

/** The same words over and over: what engines do when they lose the thread. */
export interface Repeat {
  readonly start: number
  readonly end: number
  /** How many times in a row. */
  readonly count: number
  readonly text: string
}

export interface RepeatLimits {
  readonly longestPhrase: number
  /** How often a phrase must come in a row, and a phrase of `longPhrase` words or more. */
  readonly times: number
  readonly longPhrase: number
  readonly longTimes: number
  /** How often a whole segment must; a segment of a single word is a phrase like any other. */
  readonly segmentTimes: number
}

/** Phrases of each length in turn; what a shorter phrase already explains is not told again. */
const phraseRepeats = (units: SpokenUnits, limits: RepeatLimits): ReadonlyArray<Repeat> => {
  const { keys, count: size, texts } = units
  const explained = new Uint8Array(size)
  const repeats: Array<Repeat> = []
  for (let length = 1; length <= limits.longestPhrase; length++) {
    const needed = length >= limits.longPhrase ? limits.longTimes : limits.times
    let run = 0
    for (let at = length; at <= size; at++) {
      if (at < size && keys[at] === keys[at - length] && explained[at] === 0) {
        run += 1
        continue
      }
      const count = Math.floor(run / length) + 1
      if (count >= needed) {
        const from = at - run - length
        repeats.push({
          ...extentOf(units, from, from + length * count),
          count,
          text: joinUnits(texts.slice(from, from + length)),
        })
        explained.fill(1, from, at)
      }
      run = 0
    }
  }
  return repeats
}

/** By how many characters two segments may differ and still say the same words. */
const PUNCTUATION = 4

const segmentRepeats = (segments: ReadonlyArray<Segment>, limits: RepeatLimits): ReadonlyArray<Repeat> => {
  const repeats: Array<Repeat> = []
  let first = 0
  const close = (end: number) => {
    const from = segments[first]
    const to = segments[end - 1]
    if (
      from !== undefined &&
      to !== undefined &&
      end - first >= limits.segmentTimes &&
      saidIn(from.text).includes(" ")
    )
      repeats.push({ start: from.start, end: to.end, count: end - first, text: from.text })
    first = end
  }
  for (const [index, segment] of segments.entries()) {
    const last = segments[index - 1]?.text ?? ""
    // Most neighbours differ in length already, and need no closer look.
    const isSame =
      Math.abs(segment.text.length - last.length) <= PUNCTUATION && saidIn(segment.text) === saidIn(last)
    if (index > 0 && !isSame) close(index)
  }
  close(segments.length)
  return repeats
}

/** What is said again and again, by time. A chorus that comes back after a verse is none of it. */
export const repeatsOf = (
  units: SpokenUnits,
  segments: ReadonlyArray<Segment>,
  limits: RepeatLimits,
): ReadonlyArray<Repeat> => {
  const phrases = phraseRepeats(units, limits)
  const isKnown = (repeat: Repeat) =>
    phrases.some(({ start, end }) => start < repeat.end && end > repeat.start)
  const whole = segmentRepeats(segments, limits).filter((repeat) => !isKnown(repeat))
  return [...phrases, ...whole].sort((a, b) => a.start - b.start)
}
