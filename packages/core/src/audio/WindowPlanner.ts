import { SAMPLE_RATE, SAMPLES_PER_MILLISECOND, type SampleRange } from "./samples.js"

/** How an engine wants speech cut. Milliseconds. */
export interface PlanShape {
  /** No window is longer. */
  readonly longest: number
  /** Neighbours are joined while the result stays under this; 0: each stretch is a window of its own. */
  readonly joinUpTo: number
}

/** Speech begins softly and ends softly: this much is heard before and after it. */
const PADDING = 0.25 * SAMPLE_RATE
/** A pause longer than this always begins a new window. */
const LONGEST_GAP = SAMPLE_RATE
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
 * Makes windows of speech: padded, but never into a neighbour, joined over short pauses, and cut where they are too long. Windows
 * are in order and do not overlap; every stretch of speech is in them. `cutIn` says where a part that is too long is best cut.
 */
export const makeWindowPlanner = (shape: PlanShape, cutIn: (range: SampleRange) => number): WindowPlanner => {
  const longest = shape.longest * SAMPLES_PER_MILLISECOND
  const joinUpTo = Math.min(shape.joinUpTo * SAMPLES_PER_MILLISECOND, longest)
  /** Speech that will be one window; its beginning has its padding already. */
  let open: { start: number; end: number } | null = null
  /** Where the last window ended. */
  let floor = 0
  let certain: Array<SampleRange> = []

  /** As few windows as will do, of about the same length. */
  const emit = (start: number, end: number) => {
    let from = start
    while (end - from > longest) {
      const even = (end - from) / Math.ceil((end - from) / longest)
      const cut = cutIn({
        start: onMillisecond(from + even * 0.7),
        end: onMillisecond(Math.min(from + longest, from + even * 1.3)),
      })
      certain.push({ start: from, end: cut })
      from = cut
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

  const add = ({ start, end }: SampleRange) => {
    if (!(end > start)) return taken()
    const isNear = open !== null && start - open.end <= LONGEST_GAP
    if (open !== null && isNear && end + PADDING - open.start <= joinUpTo) {
      open = { start: open.start, end }
      return taken()
    }
    if (open !== null) close(onMillisecond((open.end + start) / 2))
    open = { start: onMillisecond(Math.max(start - PADDING, floor)), end }
    return taken()
  }

  const passed = (total: number) => {
    if (open !== null && total - open.end > LATEST_SPAN + LONGEST_GAP) close(Number.POSITIVE_INFINITY)
    return taken()
  }

  const finish = (total: number) => {
    close(total)
    return taken()
  }

  return { add, passed, finish }
}
