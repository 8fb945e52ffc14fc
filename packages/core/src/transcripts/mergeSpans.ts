import type { Word } from "./Transcript.js"
import { type Span, wordsIn } from "./trim.js"

/** What one window of the media gave: checkpoints of a worker. Windows may come in any order, and twice. */
export interface RecognizedSpan extends Span {
  readonly words: ReadonlyArray<Word>
}

/** Where two overlapping windows meet. */
const seam = (left: Span | undefined, right: Span | undefined) =>
  left !== undefined && right !== undefined && right.start < left.end
    ? Math.round((left.end + right.start) / 2)
    : undefined

/**
 * The words of all windows in the order of time. Where windows overlap they meet in the middle, so that a word heard by both
 * is taken once; of windows with the same start the last one given counts.
 */
export const mergeSpans = (spans: ReadonlyArray<RecognizedSpan>): ReadonlyArray<Word> => {
  const byStart = new Map(spans.map((span) => [span.start, span]))
  let latest = Number.NEGATIVE_INFINITY
  const ordered = [...byStart.values()]
    .sort((a, b) => a.start - b.start)
    .filter(({ end }) => {
      // A window inside the one before heard nothing new.
      const isNew = end > latest
      latest = Math.max(latest, end)
      return isNew
    })
  return ordered.flatMap((span, index) => {
    return wordsIn(span.words, {
      start: seam(ordered[index - 1], span) ?? Number.NEGATIVE_INFINITY,
      end: seam(span, ordered[index + 1]) ?? Number.POSITIVE_INFINITY,
    })
  })
}
