/** Where things are on a timeline: seconds to the left edge, and back. No document is touched here. */

/** The share of the length at which a moment is, from 0 to 1. */
export const shareOf = (seconds: number, length: number): number =>
  length > 0 ? Math.min(1, Math.max(0, seconds / length)) : 0

export interface Stretch {
  readonly start: number
  readonly end: number
}

/** The bars of a waveform: for each column the greatest of its points, from 0 to 1 of the loudest. */
export const barsOf = (points: Uint8Array, columns: number): ReadonlyArray<number> => {
  let loudest = 1
  for (const point of points) if (point > loudest) loudest = point
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * points.length) / columns)
    const to = Math.max(from + 1, Math.floor(((column + 1) * points.length) / columns))
    let greatest = 0
    for (let at = from; at < to; at++) greatest = Math.max(greatest, points[at] ?? 0)
    return greatest / loudest
  })
}

/** Columns that a stretch takes, at least one. */
export const columnsOf = (
  { start, end }: Stretch,
  length: number,
  columns: number,
): readonly [number, number] => {
  const from = Math.min(columns - 1, Math.floor(shareOf(start, length) * columns))
  return [from, Math.max(from + 1, Math.ceil(shareOf(end, length) * columns))]
}

/** Turns of one speaker each: lines that follow one another are one. */
export const turnsOf = <Line extends Stretch & { readonly speaker: string | null }>(
  lines: ReadonlyArray<Line>,
): ReadonlyArray<Stretch & { readonly speaker: string | null }> => {
  const turns: Array<{ start: number; end: number; speaker: string | null }> = []
  for (const { start, end, speaker } of lines) {
    const last = turns.at(-1)
    if (last !== undefined && last.speaker === speaker) last.end = Math.max(last.end, end)
    else turns.push({ start, end, speaker })
  }
  return turns
}
