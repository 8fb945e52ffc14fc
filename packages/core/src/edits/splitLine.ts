import { joinUnits } from "../text/units.js"
import { spreadWords } from "../transcripts/spreadWords.js"
import type { Segment, Word } from "../transcripts/Transcript.js"

const lettersIn = (text: string): number => text.replaceAll(" ", "").length

/** How many of the words belong to the left part: by letters, with at least one word on each side. */
const wordsBefore = (words: ReadonlyArray<Word>, left: string): number => {
  const wanted = lettersIn(left)
  let letters = 0
  let count = 0
  for (const word of words) {
    const next = letters + lettersIn(word.text)
    if (next - wanted > wanted - letters) break
    letters = next
    count += 1
  }
  return Math.min(Math.max(1, count), words.length - 1)
}

/**
 * The line cut in two before a character; undefined where that is not between two words. Joined again, the parts are the line. The
 * second part starts no later than `latest`.
 */
export const splitLine = (
  line: Segment,
  at: number,
  latest: number,
): readonly [Segment, Segment] | undefined => {
  const left = line.text.slice(0, at).trim()
  const right = line.text.slice(at).trim()
  if (left === "" || right === "" || joinUnits([left, right]) !== line.text) return undefined
  const startBy = (time: number) => Math.max(line.start, Math.min(time, line.end, latest))
  if (line.words.length === 0) {
    const share = left.length / (left.length + right.length)
    const moment = line.start + Math.round((line.end - line.start) * share)
    return [
      { ...line, end: moment, text: left },
      { ...line, start: startBy(moment), text: right },
    ]
  }
  if (line.words.length === 1) return undefined
  const count = wordsBefore(line.words, left)
  const start = startBy(line.words[count]?.start ?? line.end)
  const end = Math.max(line.start, Math.min(line.words[count - 1]?.end ?? start, line.end))
  return [
    { ...line, end, text: left, words: line.words.slice(0, count) },
    { ...line, start, text: right, words: line.words.slice(count) },
  ]
}

/** Two lines as one, spoken by the speaker of the first. */
export const mergeLines = (first: Segment, second: Segment): Segment => {
  const hasWords = first.words.length > 0 || second.words.length > 0
  const wordsOfLine = (line: Segment) =>
    hasWords && line.words.length === 0 ? spreadWords(line) : line.words
  const words = [...wordsOfLine(first)]
  // Lines may overlap; the words of one line are in order.
  const earliest = words.at(-1)?.start ?? first.start
  for (const word of wordsOfLine(second)) {
    const speaker = word.speaker === second.speaker ? first.speaker : word.speaker
    const start = Math.max(word.start, earliest)
    words.push({ ...word, speaker, start, end: Math.max(word.end, start) })
  }
  const { edited: _, ...line } = first
  return {
    ...line,
    end: Math.max(first.end, second.end),
    text: joinUnits([first.text, second.text]),
    words,
    ...(first.edited === true || second.edited === true ? { edited: true } : {}),
  }
}
