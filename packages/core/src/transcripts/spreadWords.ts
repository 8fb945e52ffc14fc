import { countGraphemes } from "../text/graphemes.js"
import { isSpaced } from "../text/units.js"
import type { Segment, Word } from "./Transcript.js"

/** The text cut at its spaces, but for those that joining would not put back: they stay inside a word. */
const spacedWords = (text: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  let last = ""
  for (const piece of text.split(/\s+/u)) {
    if (piece === "") continue
    if (last !== "" && !isSpaced(last, piece)) words.push(`${words.pop() ?? ""} ${piece}`)
    else words.push(piece)
    last = piece
  }
  return words
}

/** Words for a segment that has none: its text, spread over its time by the number of characters. */
export const spreadWords = (segment: Omit<Segment, "words">): ReadonlyArray<Word> => {
  const texts = spacedWords(segment.text)
  const lengths = texts.map((text) => countGraphemes(text) + 1)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const duration = Math.max(0, segment.end - segment.start)
  let passed = 0
  const moment = () => segment.start + Math.round((duration * passed) / total)
  return texts.map((text, at) => {
    const start = moment()
    passed += lengths[at] ?? 0
    return { text, start, end: moment(), confidence: null, speaker: segment.speaker }
  })
}
