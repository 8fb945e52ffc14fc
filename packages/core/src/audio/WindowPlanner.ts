import { SAMPLE_RATE, SAMPLES_PER_MILLISECOND, type SampleRange } from "./samples.js"

/** How an engine wants speech cut. Milliseconds. */
export interface PlanShape {
  /** No window is longer. */
  readonly longest: number
  /** Neighbours are joined while the result stays under this; 0: each stretch is a window of its own. */
  readonly joinUpTo: number
  /** A longer pause always begins a new window; absent: one second. */
  readonly longestPause?: number | undefined
  /** How far windows go beyond a cut that is not in a pause; absent: not at all. */
  readonly overlap?: number | undefined
}

/** Speech begins softly and ends softly: this much is heard before and after it. */
const PADDING = 0.25 * SAMPLE_RATE
/** How long a pause inside a window may be, in milliseconds, where the shape does not say. */
const LONGEST_PAUSE = 1000
/** A shorter gap between two stretches of speech may be a part of a word. */
const SHORTEST_PAUSE = 0.3 * SAMPLE_RATE
/** No window goes beyond a cut by more than this share of the longest one. */
const MOST_OVERLAP = 1 / 8
/** A voice detector tells of a stretch of speech at most this long after its beginning. */
export const LATEST_SPAN = 60 * SAMPLE_RATE

const onMillisecond = (sample: number): number =>
  Math.floor(sample / SAMPLES_PER_MILLISECOND) * SAMPLES_PER_MILLISECOND

export interface WindowPlanner {
  /** Takes the next stretch of speech, in order; answers the windows that are certain now. */
  readonly add: (speech: SampleRange) => ReadonlyArray<SampleRange>
  /** So much was heard by now: a window whose next neighbour can only be far away is certain. */
  readonly passed: (total: number) => ReadonlyArray<SampleRange>
  /** The recording is over after `total` samples. */
  readonly finish: (total: number) => ReadonlyArray<SampleRange>
}

/**
 * Makes windows of speech: padded, but never into a neighbour, joined over short pauses, and cut where they are too long. Windows are in
 * order, and every stretch of speech is in them. They overlap where they are cut without a pause, as far as the shape says, and
 * nowhere else. `cutIn` says where a part that is too long is best cut.
 */
export const makeWindowPlanner = (shape: PlanShape, cutIn: (range: SampleRange) => number): WindowPlanner => {
  const longest = shape.longest * SAMPLES_PER_MILLISECOND
  const joinUpTo = Math.min(shape.joinUpTo * SAMPLES_PER_MILLISECOND, longest)
  const longestPause = (shape.longestPause ?? LONGEST_PAUSE) * SAMPLES_PER_MILLISECOND
  const overlap = onMillisecond(
    Math.min((shape.overlap ?? 0) * SAMPLES_PER_MILLISECOND, longest * MOST_OVERLAP),
  )
  /** Speech that will be one window; its beginning has its padding already. */
  let open: { start: number; end: number } | null = null
  /** Where the last window ended. */
  let floor = 0
  let certain: Array<SampleRange> = []

  /** As few windows as will do, of about the same length. */
  const emit = (start: number, end: number) => {
    let from = start
    let cut = start
    while (end - from > longest) {
      const most = longest - 2 * overlap
      const even = (end - cut) / Math.ceil((end - cut) / most)
      const last = cut
      cut = cutIn({
        start: onMillisecond(last + even * 0.7),
        end: onMillisecond(Math.min(last + most, last + even * 1.3)),
      })
      certain.push({ start: from, end: Math.min(cut + overlap, end) })
      from = cut - overlap
    }
    if (end > from) certain.push({ start: from, end })
    floor = Math.max(floor, end)
  }

  const close = (limit: number) => {
    if (open !== null) emit(open.start, onMillisecond(Math.min(open.end + PADDING, limit)))
    open = null
  }

  const taken = () => {
    const windows = certain
    certain = []
    return windows
  }

  /** Ends the open window in a gap that is too short for a pause, and begins the next one before it. Neither takes in half of the other. */
  const cutAt = (cut: number, before: SampleRange, next: SampleRange) => {
    const earlier = floor
    const room = longest - (cut - before.start)
    const beyond = Math.max(0, Math.min(overlap, room > 0 ? room : overlap, (next.end - cut) / 2))
    emit(before.start, onMillisecond(cut + beyond))
    open = { start: onMillisecond(Math.max(cut - overlap, (before.start + cut) / 2, earlier)), end: next.end }
    return taken()
  }

  const add = ({ start, end }: SampleRange) => {
    if (!(end > start)) return taken()
    const isNear = open !== null && start - open.end <= longestPause
    if (open !== null && isNear && end + PADDING - open.start <= joinUpTo) {
      open = { start: open.start, end }
      return taken()
    }
    if (open !== null) {
      const cut = onMillisecond((open.end + start) / 2)
      const shorter = Math.min(cut - open.start, end - cut)
      const isForced = start - open.end < SHORTEST_PAUSE && shorter > 2 * SAMPLES_PER_MILLISECOND
      if (overlap > 0 && isForced) return cutAt(cut, open, { start, end })
      close(cut)
    }
    open = { start: onMillisecond(Math.max(start - PADDING, floor)), end }
    return taken()
  }

  const passed = (total: number) => {
    if (open !== null && total - open.end > LATEST_SPAN + longestPause) close(Number.POSITIVE_INFINITY)
    return taken()
  }

  const finish = (total: number) => {
    close(total)
    return taken()
  }

  return { add, passed, finish }
}
