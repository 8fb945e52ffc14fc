import { segmentOf } from "./segmentOf.js"
import type { Span } from "./spans.js"
import type { Segment, Transcript, Word } from "./Transcript.js"

const middleOf = ({ start, end }: Span) => (start + end) / 2

/** Half open, so that neighbouring parts share nothing and lose nothing. */
const holds = (part: Span, span: Span) => middleOf(span) >= part.start && middleOf(span) < part.end

/** What lies inside already, as most does, is not copied. */
const clamped = <Item extends Span>(item: Item, part: Span): Item => {
  const start = Math.min(Math.max(item.start, part.start), part.end)
  const end = Math.min(Math.max(item.end, part.start), part.end)
  return start === item.start && end === item.end ? item : { ...item, start, end }
}

/** The words of a part: those whose middle lies in it. Adjoining parts hold every word once. */
const wordsIn = (words: ReadonlyArray<Word>, part: Span): ReadonlyArray<Word> =>
  words.filter((word) => holds(part, word)).map((word) => clamped(word, part))

/**
 * The transcript of a part of the media. Times stay those of the media; a segment that sticks out keeps the words inside,
 * and one without word times is kept whole or not at all.
 */
export const trim = (
  transcript: Transcript,
  { start = 0, end = transcript.duration }: Partial<Span>,
): Transcript => {
  const part = { start, end }
  const segments = transcript.segments.flatMap((segment): ReadonlyArray<Segment> => {
    if (segment.words.length === 0) return holds(part, segment) ? [clamped(segment, part)] : []
    const words = wordsIn(segment.words, part)
    if (words.length === segment.words.length) return [{ ...clamped(segment, part), words }]
    return words.length === 0 ? [] : [{ ...segmentOf(words), speaker: segment.speaker }]
  })
  return { ...transcript, segments }
}
