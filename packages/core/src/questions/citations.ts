import type { JobId } from "../jobs/ids.js"
import { fold, foldMapped, piecesOf } from "../text/fold.js"
import { placesOf } from "../text/searchPlaces.js"
import { tearsPair } from "../text/segmenters.js"
import type { Segment } from "../transcripts/Transcript.js"
import type { AskedTranscript } from "./passages.js"

/** Words of a transcript, word for word, with who says them and when. Milliseconds. */
export interface Citation {
  readonly transcriptionId: JobId
  /** The place of the line in the transcript, from 0. */
  readonly segmentId: number
  readonly start: number
  readonly end: number
  readonly speaker: string | null
  readonly excerpt: string
}

/** Why a citation does not hold. */
export type CitationFault = "no_such_line" | "not_said" | "other_time" | "other_speaker"

/** A longer line is cited in part. */
const LONGEST_EXCERPT = 600
/** Fewer words, or letters of scripts without spaces, are said everywhere, and prove nothing. */
const FEWEST_WORDS = 3
const FEWEST_LETTERS = 4

/** When a part of a line is said: by its words where they have times, else with the whole line. */
const timesOf = ({ start, end, text, words }: Segment, from: number, to: number) => {
  let at = 0
  let first: number | null = null
  let last: number | null = null
  for (const word of words) {
    const found = text.indexOf(word.text, at)
    if (found < 0) return { start, end }
    at = found + word.text.length
    if (at > from && found < to) {
      first ??= word.start
      last = word.end
    }
  }
  return first === null || last === null ? { start, end } : { start: first, end: Math.max(first, last) }
}

const citationAt = (
  transcript: AskedTranscript,
  segmentId: number,
  segment: Segment,
  range: readonly [number, number],
): Citation => ({
  transcriptionId: transcript.id,
  segmentId,
  ...timesOf(segment, ...range),
  speaker: segment.speaker,
  excerpt: segment.text.slice(...range),
})

const BLANK = /\s/

const cutAt = (text: string, most: number): number => {
  if (text.length <= most) return text.length
  for (let at = most; at > most / 2; at--) if (BLANK.test(text.charAt(at))) return at
  return tearsPair(text, most) ? most - 1 : most
}

/** A line as a citation, its beginning where it is long; null where it is blank. */
export const citeLine = (transcript: AskedTranscript, segmentId: number): Citation | null => {
  const segment = transcript.segments[segmentId]
  if (segment === undefined) return null
  const from = segment.text.length - segment.text.trimStart().length
  const text = segment.text.trim()
  if (text === "") return null
  return citationAt(transcript, segmentId, segment, [from, from + cutAt(text, LONGEST_EXCERPT)])
}

/**
 * Where a text has the words of a quote: case, accents and punctuation do not count. Null where they are not there, or are too few to
 * prove anything.
 */
export const quotedRange = (text: string, quote: string): readonly [number, number] | null => {
  const pieces = piecesOf(fold(quote))
  const map = foldMapped(text, fold)
  const fewest = pieces.some(({ spaced }) => !spaced) ? FEWEST_LETTERS : FEWEST_WORDS
  const isEnough = pieces.length >= fewest || pieces.length === piecesOf(map.folded).length
  if (pieces.length === 0 || !isEnough) return null
  for (const { from, to } of placesOf(map.folded, { pieces, prefix: false, quoted: true }))
    return map.original(from, to)
  return null
}

/** The words that a quote stands for, as the line says them; null where it does not. */
export const citeQuote = (transcript: AskedTranscript, segmentId: number, quote: string): Citation | null => {
  const segment = transcript.segments[segmentId]
  const range = segment === undefined ? null : quotedRange(segment.text, quote)
  if (segment === undefined || range === null) return null
  const [from, to] = range
  const end = from + cutAt(segment.text.slice(from, to), LONGEST_EXCERPT)
  return citationAt(transcript, segmentId, segment, [from, end])
}

const isSaidAt = (segment: Segment, { excerpt, start, end }: Citation): boolean => {
  for (let at = segment.text.indexOf(excerpt); at >= 0; at = segment.text.indexOf(excerpt, at + 1)) {
    const times = timesOf(segment, at, at + excerpt.length)
    if (times.start === start && times.end === end) return true
  }
  return false
}

/** What is wrong with a citation, whoever made it; null when the transcript has these words, at this time, by this speaker. */
export const faultOf = (
  citation: Citation,
  transcripts: ReadonlyMap<JobId, AskedTranscript>,
): CitationFault | null => {
  const segment = transcripts.get(citation.transcriptionId)?.segments[citation.segmentId]
  if (segment === undefined) return "no_such_line"
  if (citation.excerpt.trim() === "" || !segment.text.includes(citation.excerpt)) return "not_said"
  if (!isSaidAt(segment, citation)) return "other_time"
  return segment.speaker === citation.speaker ? null : "other_speaker"
}
