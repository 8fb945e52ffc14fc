import { hasUnspaced, joinUnits } from "../../text/units.js"
import type { Cue, Word } from "../../transcripts/Transcript.js"

/** A joined line of words grows no longer than this, so that it stays a line of a transcript. */
const MAX_JOINED = 15_000
const SENTENCE_END = /[.?!…。！？؟।]["'”’»)\]]?$/u

/**
 * Words that stand beside the segments, put into them by time. Their text is bare; where it is found in the text of the
 * segment, the word takes the punctuation it has there.
 */
export const alignWords = (cues: ReadonlyArray<Cue>, words: ReadonlyArray<Word>): Array<Cue> => {
  let next = 0
  return cues.map((cue, index) => {
    const until = cues[index + 1]?.start ?? Number.POSITIVE_INFINITY
    const inside: Array<Word> = []
    for (let word = words[next]; word !== undefined && middle(word) < until; word = words[++next])
      inside.push(word)
    const placed = punctuated(cue.lines.join(" "), inside)
    return { ...cue, words: placed.map((word) => ({ ...word, speaker: word.speaker ?? cue.speaker })) }
  })
}

const middle = (word: Word): number => (word.start + word.end) / 2

const punctuated = (text: string, words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const folded = text.toLowerCase()
  if (folded.length !== text.length) return words
  const starts: Array<number> = []
  let at = 0
  for (const word of words) {
    const found = folded.indexOf(word.text.toLowerCase(), at)
    if (found < 0) return words
    starts.push(found)
    at = found + word.text.length
  }
  return words.map((word, index) => {
    const from = index === 0 ? 0 : (starts[index] ?? 0)
    return { ...word, text: text.slice(from, starts[index + 1] ?? text.length).trim() }
  })
}

/** In scripts without spaces a longer text is more than a word. */
const MAX_UNSPACED = 4

const isOneWord = ({ lines: [line = "", ...others] }: Cue): boolean =>
  others.length === 0 && !/\s/.test(line) && (line.length <= MAX_UNSPACED || !hasUnspaced(line))

/** Podcast transcripts and tables may have a cue for each word: those are joined to sentences and keep their word times. */
export const joinWords = (cues: Array<Cue>): Array<Cue> => {
  const single = cues.filter(isOneWord).length
  if (cues.length < 4 || single < cues.length * 0.9) return cues
  const sentences: Array<Array<Word>> = []
  let closed = true
  for (const cue of cues) {
    const text = cue.lines.join(" ")
    if (text === "") continue
    const { start, end, speaker } = cue
    const word: Word = { text, start, end: Math.max(start, end), confidence: null, speaker }
    const open = sentences.at(-1)
    const [head] = open ?? []
    if (
      open === undefined ||
      head === undefined ||
      closed ||
      head.speaker !== speaker ||
      start - head.start >= MAX_JOINED
    )
      sentences.push([word])
    else open.push(word)
    closed = SENTENCE_END.test(text)
  }
  return sentences.map(cueOfSentence)
}

const cueOfSentence = (words: ReadonlyArray<Word>): Cue => ({
  start: words[0]?.start ?? 0,
  end: words.reduce((latest, word) => Math.max(latest, word.end), 0),
  speaker: words[0]?.speaker ?? null,
  lines: [joinUnits(words.map((word) => word.text))],
  words,
})
