import type { CaptionProfile } from "./CaptionProfile.js"
import { NO_SPLIT, type Split, splitLines } from "./splitLines.js"
import { at, lineCells, readCharacters, type TurnUnits } from "./TurnUnits.js"

const BOUNDARY = 2.2
/** A cue stays at most this long after the last word. */
const LINGER = 1_200
/** A shorter dark moment between two cues is a flicker: the first cue stays instead. */
const FLICKER = 500
/** A cue that is shown for less than this feels hurried. */
const UNHURRIED = 1_400
/** A cue too fast to read is worse than one cue more, and than a line that ends badly. */
const TOO_FAST = 4
const ORPHAN = 1.2
/** Below this part of a line a cue looks lost. */
const ORPHAN_PART = 1 / 3

/** The unit a cue begins with, the unit after its last, its lines and its time on screen. */
export interface CueBreak {
  readonly from: number
  readonly to: number
  /** The unit after the last one of each line. */
  readonly lineEnds: ReadonlyArray<number>
  readonly start: number
  readonly end: number
}

/** Until when a cue of units ..to may be shown: a gap is taken out of silence, and out of speech only when hard. */
const limitOf = (units: TurnUnits, to: number, next: number, profile: CaptionProfile): number => {
  const following = to < units.count ? at(units.starts, to) : next
  return profile.hardGap
    ? following - profile.gap
    : Math.max(following - profile.gap, Math.min(following, at(units.ends, to - 1)))
}

/** Depends on nothing but the cue and the moment the next one starts: that is what makes the search exact. */
const endOfCue = (
  start: number,
  spokenEnd: number,
  characters: number,
  limit: number,
  profile: CaptionProfile,
): number => {
  const read = start + Math.ceil((characters * 1000) / profile.aimSpeed)
  const wanted = Math.min(spokenEnd + LINGER, Math.max(start + profile.minDuration, read))
  let end = Math.max(spokenEnd, wanted)
  if (limit - end < FLICKER && limit - spokenEnd < LINGER) end = limit
  return Math.max(start + 1, Math.min(end, limit, start + profile.maxDuration))
}

const speedCost = (speed: number, { aimSpeed, maxSpeed }: CaptionProfile): number => {
  if (speed <= aimSpeed) return 0
  const over = (speed - aimSpeed) / 3
  const cost = 0.35 * over * over
  return speed > maxSpeed ? cost + TOO_FAST + 0.5 * (speed - maxSpeed) : cost
}

const durationCost = (shown: number, { minDuration }: CaptionProfile): number => {
  if (shown < minDuration) return 3 + 5 * (1 - shown / minDuration)
  return shown < UNHURRIED ? (0.6 * (UNHURRIED - shown)) / Math.max(1, UNHURRIED - minDuration) : 0
}

/** A cue that is a small part of a line looks lost, unless it is all there is to say. */
const isOrphan = (units: TurnUnits, from: number, to: number, columns: number): boolean => {
  if (lineCells(units, from, to) >= columns * ORPHAN_PART || (from === 0 && to === units.count)) return false
  return at(units.boundaries, to - 1) > 0 || (from > 0 && at(units.boundaries, from - 1) > 0)
}

/** What it costs to end a cue where it ends, and to keep inside what is inside. */
const textCost = (units: TurnUnits, from: number, to: number): number =>
  1 + BOUNDARY * at(units.boundaries, to - 1) + at(units.inside, to - 1) - at(units.inside, from)

/** What it costs to show the units from..to for as long as they can be shown. */
const timeCost = (
  units: TurnUnits,
  from: number,
  to: number,
  limit: number,
  profile: CaptionProfile,
): number => {
  const start = at(units.starts, from)
  const characters = readCharacters(units, from, to)
  const shown = endOfCue(start, at(units.ends, to - 1), characters, limit, profile) - start
  const cost = speedCost((characters * 1000) / shown, profile) + durationCost(shown, profile)
  return isOrphan(units, from, to, profile.maxCharsPerLine) ? cost + ORPHAN : cost
}

/** A single unit, also behind a name, is always allowed: it fits, and however long it is spoken it must be shown. */
const isAllowed = (units: TurnUnits, from: number, to: number, profile: CaptionProfile): boolean => {
  const { maxCharsPerLine, maxLines, maxDuration } = profile
  if (to - from === 1) return true
  const isShort = at(units.ends, to - 1) - at(units.starts, from) <= maxDuration
  if (lineCells(units, from, to) > maxCharsPerLine * maxLines + maxLines - 1) return false
  return isShort || (from === 0 && to === units.named + 1)
}

/** Whether a cue of these units would show a name and nothing that is said. */
const isNameAlone = (units: TurnUnits, from: number, to: number): boolean => from === 0 && to <= units.named

/** The cost of one cue; infinite when it is not allowed. */
export const cueCost = (
  units: TurnUnits,
  from: number,
  to: number,
  next: number,
  profile: CaptionProfile,
): number => {
  if (isNameAlone(units, from, to) || !isAllowed(units, from, to, profile)) return Number.POSITIVE_INFINITY
  const split: Split = { cost: 0, first: NO_SPLIT, second: NO_SPLIT }
  splitLines(units, from, to, profile, split)
  const limit = limitOf(units, to, next, profile)
  return textCost(units, from, to) + timeCost(units, from, to, limit, profile) + split.cost
}

/** Finds the cheapest cue that ends before each unit, given the cheapest ways to get to where it starts. */
const searchBreaks = (units: TurnUnits, next: number, profile: CaptionProfile): void => {
  const { count, least, cameFrom } = units
  const split: Split = { cost: 0, first: NO_SPLIT, second: NO_SPLIT }
  least[0] = 0
  let first = 0
  for (let to = 1; to <= count; to++) {
    const limit = limitOf(units, to, next, profile)
    // What is too long for a cue that ends here is too long for every later one.
    while (!isAllowed(units, first, to, profile)) first++
    let best = Number.POSITIVE_INFINITY
    let bestFrom = first
    for (let from = first; from < to; from++) {
      if (isNameAlone(units, from, to)) continue
      // The dear part of the cost is looked at last, and only where it can matter. Of equals the later start wins.
      let cost = at(least, from) + textCost(units, from, to)
      if (cost > best) continue
      cost += timeCost(units, from, to, limit, profile)
      if (cost > best) continue
      splitLines(units, from, to, profile, split)
      cost += split.cost
      if (cost > best) continue
      best = cost
      bestFrom = from
    }
    least[to] = best
    cameFrom[to] = bestFrom
  }
}

const lineEndsOf = (units: TurnUnits, from: number, to: number, profile: CaptionProfile) => {
  const split: Split = { cost: 0, first: NO_SPLIT, second: NO_SPLIT }
  splitLines(units, from, to, profile, split)
  return [split.first, split.second, to].filter((end) => end !== NO_SPLIT)
}

/**
 * The cheapest way to show a turn, of all there are; of equally cheap ones always the same. `next` is when the next
 * turn starts, infinite after the last.
 */
export const breakTurn = (
  units: TurnUnits,
  next: number,
  profile: CaptionProfile,
): ReadonlyArray<CueBreak> => {
  searchBreaks(units, next, profile)
  const breaks: Array<CueBreak> = []
  for (let to = units.count; to > 0; ) {
    const from = at(units.cameFrom, to)
    const start = at(units.starts, from)
    const limit = limitOf(units, to, next, profile)
    const characters = readCharacters(units, from, to)
    const end = endOfCue(start, at(units.ends, to - 1), characters, limit, profile)
    breaks.push({ from, to, lineEnds: lineEndsOf(units, from, to, profile), start, end })
    to = from
  }
  return breaks.reverse()
}
