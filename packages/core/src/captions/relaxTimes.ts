import { countGraphemes } from "../text/graphemes.js"
import { joinUnits } from "../text/units.js"
import type { Cue } from "../transcripts/Transcript.js"
import type { CaptionProfile } from "./CaptionProfile.js"

/** A cue begins at most this much before its first word, in a pause. */
const EARLIEST = 500
/** A neighbour gives up at most this much of its time while its own words are spoken. */
const MOST_LENT = 250

/** How long a cue must be shown to be read. */
const leastTime = ({ lines }: Cue, { minDuration, maxDuration, maxSpeed }: CaptionProfile): number => {
  const reading = Math.ceil((countGraphemes(joinUnits(lines)) * 1000) / maxSpeed)
  return Math.min(maxDuration, Math.max(minDuration, reading))
}

/** Most cues are shown for long enough: seen without counting their characters. */
const isLongEnough = ({ lines, start, end }: Cue, { minDuration, maxSpeed }: CaptionProfile): boolean => {
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0)
  return end - start >= minDuration && (end - start) * maxSpeed >= length * 1000
}

/** What a cue can give of its time and is still read. */
const spare = (cue: Cue, profile: CaptionProfile): number =>
  Math.min(MOST_LENT, Math.max(0, cue.end - cue.start - leastTime(cue, profile)))

interface Neighbours {
  before: Cue | undefined
  cue: Cue
  next: Cue | undefined
}

/** Lets a cue that is too short or too fast begin in the pause before it, then takes time from the cues beside it. */
const relax = (neighbours: Neighbours, profile: CaptionProfile): void => {
  const { before, cue, next } = neighbours
  let missing = leastTime(cue, profile) - (cue.end - cue.start)
  if (missing <= 0) return
  let { start, end } = cue
  const gap = before === undefined ? 0 : Math.min(profile.gap, Math.max(0, start - before.end))
  const pause = start - (before === undefined ? 0 : before.end + gap)
  const early = Math.min(missing, Math.max(0, pause), EARLIEST)
  start -= early
  missing -= early
  if (before !== undefined && missing > 0 && start - before.end <= gap) {
    const lent = Math.min(missing, spare(before, profile))
    neighbours.before = { ...before, end: before.end - lent }
    start -= lent
    missing -= lent
  }
  if (next !== undefined && missing > 0) {
    const lent = Math.min(missing, spare(next, profile))
    neighbours.next = { ...next, start: next.start + lent }
    end += lent
  }
  neighbours.cue = { ...cue, start, end }
}

/** Gives cues that are too short or too fast the time that pauses and their neighbours can spare. */
export function* relaxTimes(cues: Iterable<Cue>, profile: CaptionProfile): Generator<Cue> {
  let before: Cue | undefined
  let cue: Cue | undefined
  for (const next of cues) {
    const neighbours: Neighbours = { before, cue: cue ?? next, next: cue === undefined ? undefined : next }
    if (cue !== undefined && !isLongEnough(cue, profile)) relax(neighbours, profile)
    if (neighbours.before !== undefined) yield neighbours.before
    before = cue === undefined ? undefined : neighbours.cue
    cue = neighbours.next ?? next
  }
  if (cue === undefined) return
  const last: Neighbours = { before, cue, next: undefined }
  if (!isLongEnough(cue, profile)) relax(last, profile)
  if (last.before !== undefined) yield last.before
  yield last.cue
}
