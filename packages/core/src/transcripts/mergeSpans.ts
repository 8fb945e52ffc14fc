import { joinAtSeam } from "./joinAtSeam.js"
import type { Span } from "./spans.js"
import type { Word } from "./Transcript.js"

/** What one window of the media gave: checkpoints of a worker. Windows may come in any order, and twice. */
export interface RecognizedSpan extends Span {
  readonly words: ReadonlyArray<Word>
}

/**
 * The words of all windows in the order of time. Where windows overlap they meet in words that both have heard, so that each is
 * taken once; of windows with the same start the last one given counts.
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
  let from = 0
  return ordered.flatMap(({ words, end }, index) => {
    const next = ordered[index + 1]
    const begin = from
    if (next === undefined || next.start >= end) {
      from = 0
      return begin === 0 ? words : words.slice(begin)
    }
    const seam = joinAtSeam(words, next.words, { start: next.start, end })
    from = seam.right
    return words.slice(begin, Math.max(begin, seam.left))
  })
}
