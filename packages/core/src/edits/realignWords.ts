import * as Either from "effect/Either"
import { alignUnits } from "../text/align.js"
import { splitUnits } from "../text/units.js"
import { wordsOf } from "../text/words.js"
import { spreadWords } from "../transcripts/spreadWords.js"
import type { Segment, Word } from "../transcripts/Transcript.js"

/** Lines that differ in more words than these are another text: times are shared out anew. */
const MOST_DIFFERENCES = 500

const PLAIN = /^[a-z0-9]+$/i

/** What makes two words the same: neither capitals nor punctuation. */
export const wordKey = (text: string): string => {
  if (PLAIN.test(text)) return text.toLowerCase()
  const letters = wordsOf(text).join(" ").toLowerCase()
  return letters === "" ? text : letters
}

/**
 * The words of a line whose text was changed. Words that stay keep their times and confidence; new words share the gap between
 * their neighbours and have no confidence. A line without word times stays without them.
 */
export const realignWords = (line: Segment, text: string): ReadonlyArray<Word> => {
  if (line.words.length === 0) return []
  const texts = splitUnits(text).map((unit) => unit.trim())
  const steps = alignUnits(
    line.words.map((word) => wordKey(word.text)),
    texts.map(wordKey),
    MOST_DIFFERENCES,
  )
  if (Either.isLeft(steps)) return spreadWords({ ...line, text })
  const kept = new Map<number, Word>()
  for (const step of steps.right) {
    if (step.kind !== "hit") continue
    const word = line.words[step.reference]
    if (word !== undefined) kept.set(step.hypothesis, word)
  }
  const words: Array<Word> = []
  for (let at = 0; at < texts.length; ) {
    const same = kept.get(at)
    if (same !== undefined) {
      words.push({ ...same, text: texts[at] ?? same.text })
      at += 1
      continue
    }
    let to = at + 1
    while (to < texts.length && !kept.has(to)) to += 1
    const before = words.at(-1)
    const until = kept.get(to)?.start ?? line.end
    const start =
      before === undefined ? Math.min(line.start, until) : Math.max(before.start, Math.min(before.end, until))
    const gap = { start, end: Math.max(start, until), speaker: line.speaker }
    words.push(...sharing(gap, texts.slice(at, to)))
    at = to
  }
  return words
}

/** New words over a gap, each for as long as its letters. */
const sharing = (
  gap: { readonly start: number; readonly end: number; readonly speaker: string | null },
  texts: ReadonlyArray<string>,
): ReadonlyArray<Word> => {
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  let passed = 0
  const moment = () => gap.start + Math.round(((gap.end - gap.start) * passed) / total)
  return texts.map((text) => {
    const start = moment()
    passed += text.length
    return { text, start, end: moment(), confidence: null, speaker: gap.speaker }
  })
}
