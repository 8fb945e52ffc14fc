import { hasUnspaced } from "../text/units.js"
import type { Segment } from "./Transcript.js"

/** The words of a transcript as the integrity report looks at them: side by side in arrays, for there may be a million. */
export interface SpokenUnits {
  readonly count: number
  readonly texts: ReadonlyArray<string>
  /** Equal for words that differ in case and punctuation only. */
  readonly keys: Int32Array
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** NaN where the engine gave none. */
  readonly confidences: Float64Array
  /** How many words a unit counts for: letters of scripts without spaces count half. */
  readonly weights: Float64Array
}

const LETTER_WEIGHT = 0.5

/** A word without case and punctuation; empty for punctuation alone. */
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, "")

/** Words at white space, and letters where the script has none: rough, quick and the same every time. */
export const quickWords = (text: string): ReadonlyArray<string> =>
  text.split(/\s+/).flatMap((part) => (hasUnspaced(part) ? [...part] : [part]))

/** What two texts that say the same have in common. */
export const saidIn = (text: string): string =>
  quickWords(text)
    .map(plain)
    .filter((word) => word !== "")
    .join(" ")

interface Known {
  readonly key: number
  readonly weight: number
}

/** A long recording says the same few thousand words again and again. */
const wordBook = () => {
  const byText = new Map<string, Known>()
  const keys = new Map<string, number>()
  return (text: string): Known => {
    const known = byText.get(text)
    if (known !== undefined) return known
    const word = plain(text)
    const key = word === "" ? -1 : (keys.get(word) ?? keys.size)
    if (key >= 0) keys.set(word, key)
    const weight = hasUnspaced(text) ? Math.max(LETTER_WEIGHT, LETTER_WEIGHT * text.length) : 1
    const found = { key, weight }
    byText.set(text, found)
    return found
  }
}

/** The words of a transcript in order; where a segment has none with times, its text evenly spread. Punctuation is no word. */
export const spokenUnitsOf = (segments: ReadonlyArray<Segment>): SpokenUnits => {
  const texts: Array<string> = []
  const spread = segments.map(({ words, text }) => (words.length > 0 ? [] : quickWords(text)))
  const most = segments.reduce((sum, { words }, at) => sum + words.length + (spread[at]?.length ?? 0), 0)
  const numbers = () => new Float64Array(most)
  const units = {
    keys: new Int32Array(most),
    starts: numbers(),
    ends: numbers(),
    confidences: numbers(),
    weights: numbers(),
  }
  const lookUp = wordBook()
  const add = (text: string, start: number, end: number, confidence: number | null) => {
    const { key, weight } = lookUp(text)
    if (key < 0) return
    const at = texts.length
    units.keys[at] = key
    units.starts[at] = start
    units.ends[at] = end
    units.confidences[at] = confidence ?? Number.NaN
    units.weights[at] = weight
    texts.push(text)
  }
  segments.forEach((segment, index) => {
    for (const { text, start, end, confidence } of segment.words) add(text, start, end, confidence)
    const words = spread[index] ?? []
    const each = (segment.end - segment.start) / Math.max(1, words.length)
    words.forEach((word, at) => {
      add(word, segment.start + at * each, segment.start + (at + 1) * each, null)
    })
  })
  return { ...units, texts, count: texts.length }
}

/** The time from the first start to the last end of some units in a row. */
export const extentOf = ({ starts, ends }: SpokenUnits, from: number, to: number) => {
  let [start, end] = [Number.POSITIVE_INFINITY, 0]
  for (let at = from; at < to; at++) {
    start = Math.min(start, starts[at] ?? 0)
    end = Math.max(end, ends[at] ?? 0)
  }
  return { start: Math.round(start), end: Math.round(end) }
}
