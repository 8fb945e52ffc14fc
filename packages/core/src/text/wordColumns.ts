import type { Segment, Word } from "./Transcript.js"

/** Where and when one word of a line is said. */
export interface PlacedWord {
  /** Where it begins in the text of its line, in UTF-16 units as JavaScript counts them. */
  readonly offset: number
  /** 0 for a word that is not written in its line. */
  readonly length: number
  /** Milliseconds, in steps of ten. */
  readonly start: number
  readonly end: number
  /** 0 to 1, or null when the engine gives none. */
  readonly confidence: number | null
}

/** The words of all lines in columns of small numbers, which compress to a fifth of what the words take as objects. */
export interface WordColumns {
  /** How many words each line has. */
  readonly counts: ReadonlyArray<number>
  /** Characters between the end of the word before in the same line, or the beginning of the line, and the word. */
  readonly offsets: ReadonlyArray<number>
  readonly lengths: ReadonlyArray<number>
  /** 1/100 s from the end of the word before to the start of the word; for the first word from 0. Negative where they overlap. */
  readonly starts: ReadonlyArray<number>
  /** 1/100 s from the start of the word to its end. */
  readonly ends: ReadonlyArray<number>
  /** 0 to 100, or null when the engine gives none. */
  readonly confidence: ReadonlyArray<number | null>
}

const hundredths = (milliseconds: number) => Math.round(milliseconds / 10)

const percentOf = ({ confidence }: Word): number | null =>
  confidence === null ? null : Math.round(Math.min(1, Math.max(0, confidence)) * 100)

/** Puts the words of a transcript into columns. Times are rounded to 1/100 s, confidence to 1/100. */
export const encodeWords = (segments: ReadonlyArray<Pick<Segment, "text" | "words">>): WordColumns => {
  const counts: Array<number> = []
  const offsets: Array<number> = []
  const lengths: Array<number> = []
  const starts: Array<number> = []
  const ends: Array<number> = []
  const confidence: Array<number | null> = []
  let before = 0
  for (const { text, words } of segments) {
    counts.push(words.length)
    let from = 0
    for (const word of words) {
      const found = text.indexOf(word.text, from)
      const offset = found < 0 ? from : found
      const length = found < 0 ? 0 : word.text.length
      const start = hundredths(word.start)
      const end = hundredths(word.end)
      offsets.push(offset - from)
      lengths.push(length)
      starts.push(start - before)
      ends.push(end - start)
      confidence.push(percentOf(word))
      from = offset + length
      before = end
    }
  }
  return { counts, offsets, lengths, starts, ends, confidence }
}

/** The words of each line, from their columns. */
export const decodeWords = (columns: WordColumns): ReadonlyArray<ReadonlyArray<PlacedWord>> => {
  const { counts, offsets, lengths, starts, ends, confidence } = columns
  let place = 0
  let time = 0
  return counts.map((count) => {
    let from = 0
    return Array.from({ length: count }, (): PlacedWord => {
      const offset = from + (offsets[place] ?? 0)
      const length = lengths[place] ?? 0
      const start = time + (starts[place] ?? 0)
      const percent = confidence[place] ?? null
      time = start + (ends[place] ?? 0)
      from = offset + length
      place += 1
      return {
        offset,
        length,
        start: start * 10,
        end: time * 10,
        confidence: percent === null ? null : percent / 100,
      }
    })
  })
}
