/** A part of the media in milliseconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** By start; what is in order already, as most is, is not copied. */
export const sortedByStart = <Item extends Span>(items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const isSorted = items.every(({ start }, index) => start >= (items[index - 1]?.start ?? start))
  return isSorted ? items : [...items].sort((a, b) => a.start - b.start)
}

/** Ascending spans that neither overlap nor come nearer than `hole`; empty and backward ones are gone. */
export const united = (spans: ReadonlyArray<Span>, hole = 0): ReadonlyArray<Span> => {
  const apart: Array<{ start: number; end: number }> = []
  for (const { start, end } of sortedByStart(spans)) {
    if (!(end > start)) continue
    const before = apart.at(-1)
    if (before !== undefined && (start <= before.end || start - before.end < hole))
      before.end = Math.max(before.end, end)
    else apart.push({ start, end })
  }
  return apart
}

/** The stretches of voice, none shorter than `least`, in which none of the words lies. */
export const voiceWithoutWords = (
  voice: ReadonlyArray<Span>,
  words: ReadonlyArray<Span>,
  least: number,
): ReadonlyArray<Span> =>
  without(united(voice), united(words)).filter(({ start, end }) => end - start >= least)

export const lengthOf = (spans: ReadonlyArray<Span>): number =>
  spans.reduce((sum, { start, end }) => sum + end - start, 0)

/** The parts of `whole` that `taken` leaves over. Both ascending and apart. */
export const without = (whole: ReadonlyArray<Span>, taken: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const left: Array<Span> = []
  let next = 0
  for (const { start, end } of whole) {
    let from = start
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= from) next += 1
    for (let at = next; at < taken.length; at++) {
      const span = taken[at]
      if (span === undefined || span.start >= end) break
      if (span.start > from) left.push({ start: from, end: span.start })
      from = span.end
    }
    if (from < end) left.push({ start: from, end })
  }
  return left
}
