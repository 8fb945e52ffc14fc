import { sortedByStart } from "./spans.js"

/** A stretch of time in which one speaker talks, as a diarizer gives it; any label. Turns of different speakers may overlap. */
export interface Turn {
  readonly start: number
  readonly end: number
  readonly speaker: string
}

/** Something said that needs a speaker. */
interface Spoken {
  readonly start: number
  readonly end: number
  readonly speaker: string | null
}

/** A turn shorter than this, in milliseconds, inside one of another speaker is an error of the diarizer. */
const SHORTEST_TURN = 500

/** By start; what overlaps or touches of one speaker is one turn. */
const joinedTurns = (turns: ReadonlyArray<Turn>): ReadonlyArray<Turn> => {
  const joined: Array<Turn> = []
  const latest = new Map<string, number>()
  for (const turn of [...turns].sort((a, b) => a.start - b.start)) {
    if (turn.end <= turn.start) continue
    const at = latest.get(turn.speaker)
    const before = at === undefined ? undefined : joined[at]
    if (at !== undefined && before !== undefined && turn.start <= before.end) {
      joined[at] = { ...before, end: Math.max(before.end, turn.end) }
    } else {
      latest.set(turn.speaker, joined.length)
      joined.push(turn)
    }
  }
  return joined
}

/** Leaves out the turns that are too short and lie inside another speaker's. */
const withoutAbsorbed = (turns: ReadonlyArray<Turn>): ReadonlyArray<Turn> => {
  // A turn that starts with its surroundings may stand before them.
  const byStart = [...turns].sort((a, b) => a.start - b.start || b.end - a.end)
  // The turn that reaches farthest so far, and the farthest of anyone else.
  let farthest: Turn | undefined
  let other: Turn | undefined
  return byStart.filter((turn) => {
    const around = farthest?.speaker === turn.speaker ? other : farthest
    if (turn.end - turn.start < SHORTEST_TURN && around !== undefined && around.end >= turn.end) return false
    if (farthest === undefined || turn.end > farthest.end) {
      if (farthest !== undefined && farthest.speaker !== turn.speaker) other = farthest
      farthest = turn
    } else if (turn.speaker !== farthest.speaker && turn.end > (other?.end ?? Number.NEGATIVE_INFINITY))
      other = turn
    return true
  })
}

const mostOverlap = (active: ReadonlyArray<Turn>, start: number, end: number, before: string | null) => {
  const overlapOf = (turn: Turn) => Math.max(0, Math.min(turn.end, end) - Math.max(turn.start, start))
  const only = active.length === 1 ? active[0] : undefined
  if (only !== undefined) return overlapOf(only) > 0 ? only.speaker : before
  let best = before
  // One speaker may have several turns within one long span.
  const overlaps = new Map<string, number>()
  for (const turn of active) overlaps.set(turn.speaker, (overlaps.get(turn.speaker) ?? 0) + overlapOf(turn))
  let most = (before === null ? undefined : overlaps.get(before)) ?? 0
  for (const [speaker, overlap] of overlaps) {
    if (overlap <= most) continue
    best = speaker
    most = overlap
  }
  return best
}

/**
 * The speaker of each span, in the order given: the one with the most overlap; a tie goes to the speaker before, and where
 * nobody talks the speaker before goes on. Without turns every span keeps the speaker it had.
 */
export const speakersOf = (
  spans: ReadonlyArray<Spoken>,
  turns: ReadonlyArray<Turn>,
): ReadonlyArray<string | null> => {
  const settled = withoutAbsorbed(joinedTurns(turns))
  const speakers: Array<string | null> = spans.map(({ speaker }) => speaker)
  const first = settled[0]
  if (first === undefined) return speakers
  const byStart = sortedByStart(spans.map(({ start, end }, index) => ({ start, end, index })))
  let next = 0
  let active: Array<Turn> = []
  let before: string | null = null
  for (const { start, end: given, index } of byStart) {
    const end = Math.max(given, start + 1)
    if (active.some((turn) => turn.end <= start)) active = active.filter((turn) => turn.end > start)
    for (let turn = settled[next]; turn !== undefined && turn.start < end; turn = settled[next]) {
      if (turn.end > start) active.push(turn)
      next += 1
    }
    before = mostOverlap(active, start, end, before) ?? first.speaker
    speakers[index] = before
  }
  return speakers
}
