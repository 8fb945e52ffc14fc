import type { Steps } from "../audio/steps.js"
import { FRAMES_PER_STEP } from "./cepstra.js"
import { ANYTHING, type Emissions } from "./emissions.js"
import { type Phone, SILENCE } from "./phones.js"
import { type SoundModel, STATES_PER_PHONE } from "./soundModel.js"

/** A word to be found: how it sounds, and whether a mark behind it makes a pause likely. */
export interface SpokenWord {
  readonly phones: ReadonlyArray<Phone>
  readonly isMarked: boolean
}

/** The states of all words in a row, with a pause before, between and behind them. */
export interface Chain {
  readonly length: number
  /** The first place behind the last word. */
  readonly end: number
  readonly states: Uint8Array
  /** The word that a place belongs to; -1 in a pause. */
  readonly words: Int32Array
  /** What it costs to come here from the place before. */
  readonly entries: Float32Array
  /** 1 where the place before may be passed over: the last of three or more of a word. */
  readonly skips: Uint8Array
  /** What each further frame in a place costs. */
  readonly stays: Float64Array
  /** The first place of a word may be reached from here too, past the pause; -1 for other places. */
  readonly shortcuts: Int32Array
  /** Frames that a place may last before each more costs. */
  readonly patience: Int16Array
}

/** How much a sound says against what is likely beforehand. */
const SOUND_WEIGHT = 0.15
const STAY = Math.log(0.45)
const MOVE = Math.log(0.55)
const SKIP_COST = 2
const PAUSE_AFTER_MARK = 1
const PAUSE_ELSEWHERE = 8
/** The frames of the shortest pause. */
const PAUSE_PLACES = 4
/** A sound that lasts would swallow a pause or its neighbours: from here on each frame costs. */
const VOWEL_PATIENCE = 7
const CONSONANT_PATIENCE = 5
const LONGER_COST = 1
const ENDLESS = 32_767
/**
 * Ways this much worse than the best one are given up: soonest for the text of a window, which is usually the right one, later for what
 * is not what was said, and last where something may be said that is not in the text. No narrower ones found the same.
 */
export const BEAMS = { text: 100, decoy: 160, loose: 250 } as const
/** A path can move on by so many places in a frame. */
const REACH = PAUSE_PLACES + 1

/**
 * Lays out the words for `bestPathSteps`. In a loose text something may be said before the first word, behind marks and
 * behind the last word that is not in it.
 */
export const chainOf = (
  model: SoundModel,
  words: ReadonlyArray<SpokenWord>,
  { isLoose = false }: { readonly isLoose?: boolean | undefined } = {},
): Chain => {
  const sounds = words.reduce((sum, { phones }) => sum + phones.length, 0)
  const length = (words.length + 1) * PAUSE_PLACES + sounds * STATES_PER_PHONE
  const chain: Chain = {
    length,
    end: length - PAUSE_PLACES,
    states: new Uint8Array(length).fill(SILENCE),
    words: new Int32Array(length).fill(-1),
    entries: new Float32Array(length),
    skips: new Uint8Array(length),
    stays: new Float64Array(length),
    shortcuts: new Int32Array(length).fill(-1),
    patience: new Int16Array(length).fill(ENDLESS),
  }
  let place = PAUSE_PLACES
  if (isLoose) chain.states[0] = ANYTHING
  for (const [word, { phones, isMarked }] of words.entries()) {
    chain.shortcuts[place] = place - PAUSE_PLACES - 1
    const second = place + 1
    for (const phone of phones) {
      for (let part = 0; part < STATES_PER_PHONE; part++, place++) {
        const state = phone * STATES_PER_PHONE + part
        chain.states[place] = state
        chain.words[place] = word
        chain.skips[place] = place > second ? 1 : 0
        chain.stays[place] = STAY
        chain.patience[place] = model.vowels[state] === 1 ? VOWEL_PATIENCE : CONSONANT_PATIENCE
      }
    }
    chain.entries[place] = isMarked ? PAUSE_AFTER_MARK : PAUSE_ELSEWHERE
    const isLast = word === words.length - 1
    if (isLoose && (isMarked || isLast)) chain.states[place] = ANYTHING
    place += PAUSE_PLACES
  }
  return chain
}

const STAYED = 0
const SHORTCUT = 3

/** Where each frame came from, kept for the places that were looked at alone. */
const makeTrace = (frames: number) => {
  const firsts = new Int32Array(frames)
  const offsets = new Float64Array(frames)
  let moves = new Uint8Array(frames * 64)
  let filled = 0
  return {
    /** Where the moves of the places of a frame go. */
    begin: (frame: number, first: number, count: number): number => {
      if (filled + count > moves.length) {
        const larger = new Uint8Array(2 * (filled + count))
        larger.set(moves)
        moves = larger
      }
      firsts[frame] = first
      offsets[frame] = filled
      filled += count
      return filled - count
    },
    moves: () => moves,
    moveAt: (frame: number, place: number): number =>
      moves[(offsets[frame] ?? 0) + place - (firsts[frame] ?? 0)] ?? STAYED,
  }
}

export interface PathOptions {
  /** The way may end anywhere: the text goes on behind the sound. */
  readonly isOpen: boolean
  /** Ways this much worse than the best one are not followed, so that long texts cost in proportion. */
  readonly beam: number
}

/** How likely the best way to each place is, and for how many frames it has been there. Nothing leads to what lies before the first place. */
interface Ways {
  readonly scores: Float64Array
  readonly lasted: Int16Array
}

const noWays = (length: number): Ways => ({
  scores: new Float64Array(REACH + length).fill(Number.NEGATIVE_INFINITY),
  lasted: new Int16Array(length),
})

/** Follows all ways that are worth it through the frames, one after the other. */
const makeSearch = ({ states: width, scores, frames }: Emissions, chain: Chain, beam: number) => {
  const { length, states, entries, skips, stays, shortcuts, patience } = chain
  const worst = Number.NEGATIVE_INFINITY
  const trace = makeTrace(frames)
  let before = noWays(length)
  let now = noWays(length)
  let first = 0
  let last = Math.min(length, PAUSE_PLACES + REACH)

  const begin = (place: number) => {
    if (place < length) before.scores[REACH + place] = (scores[states[place] ?? 0] ?? 0) * SOUND_WEIGHT
  }
  begin(0)
  begin(PAUSE_PLACES)

  /** Answers how likely the best way of all is. */
  const advance = (row: number, to: number, moves: Uint8Array, base: number): number => {
    const { scores: from, lasted: lastedBefore } = before
    const { scores: next, lasted } = now
    let most = worst
    for (let place = first, at = first + REACH, move = base; place < to; place++, at++, move++) {
      const stayed = lastedBefore[place] ?? 0
      let best =
        (from[at] ?? 0) + (stays[place] ?? 0) - (stayed >= (patience[place] ?? ENDLESS) ? LONGER_COST : 0)
      let moved = STAYED
      const one = (from[at - 1] ?? 0) + MOVE - (entries[place] ?? 0)
      if (one > best) {
        best = one
        moved = 1
      }
      if (skips[place] === 1) {
        const two = (from[at - 2] ?? 0) + MOVE - SKIP_COST
        if (two > best) {
          best = two
          moved = 2
        }
      }
      const shortcut = shortcuts[place] ?? -1
      if (shortcut >= 0) {
        const jumped = (from[shortcut + REACH] ?? 0) + MOVE
        if (jumped > best) {
          best = jumped
          moved = SHORTCUT
        }
      }
      best += (scores[row + (states[place] ?? 0)] ?? 0) * SOUND_WEIGHT
      next[at] = best
      lasted[place] = moved === STAYED ? stayed + 1 : 1
      moves[move] = moved
      if (best > most) most = best
    }
    return most
  }

  /** Gives up the ways at both ends that are too bad. What lies around is read by the next frame, and is not to be that of an earlier one. */
  const trim = (to: number, least: number) => {
    const { scores } = now
    let from = first
    let until = to
    while (from < until - 1 && (scores[REACH + from] ?? worst) < least) from += 1
    while (until > from + 1 && (scores[REACH + until - 1] ?? worst) < least) until -= 1
    for (let at = Math.max(REACH, first); at < REACH + from; at++) scores[at] = worst
    const beyond = Math.min(length, to + REACH) + REACH
    for (let at = REACH + until; at < beyond; at++) scores[at] = worst
    first = from
    last = until
  }

  const step = (frame: number) => {
    const to = Math.min(length, last + REACH)
    const base = trace.begin(frame, first, to - first)
    const most = advance(frame * width, to, trace.moves(), base)
    trim(to, most - beam)
    ;[before, now] = [now, before]
  }

  /** The way to the end, or to the likeliest place. */
  const path = (isOpen: boolean): Int32Array | null => {
    const reached = before.scores.subarray(REACH)
    const end = isOpen ? likeliest(reached, first, last) : lastPlace(reached, chain)
    const isReached = end >= first && end < last && (reached[end] ?? worst) > worst
    return isReached ? followBack(trace, chain, frames, end) : null
  }

  return { step, path }
}

/** The place in the chain that each frame belongs to, on the likeliest way through it; null when none leads to the end. */
export function* bestPathSteps(
  emissions: Emissions,
  chain: Chain,
  { isOpen, beam }: PathOptions,
): Steps<Int32Array | null> {
  const { step, path } = makeSearch(emissions, chain, beam)
  for (let frame = 1; frame < emissions.frames; frame++) {
    step(frame)
    if (frame % FRAMES_PER_STEP === 0) yield
  }
  return path(isOpen)
}

const likeliest = (scores: Float64Array, first: number, last: number): number => {
  let best = first
  for (let place = first; place < last; place++) if ((scores[place] ?? 0) > (scores[best] ?? 0)) best = place
  return best
}

/** The end of the last word, or of the pause behind it. */
const lastPlace = (scores: Float64Array, { length }: Chain): number => {
  const ending = length - PAUSE_PLACES - 1
  return ending >= 0 && (scores[ending] ?? 0) >= (scores[length - 1] ?? 0) ? ending : length - 1
}

const followBack = (
  { moveAt }: ReturnType<typeof makeTrace>,
  { shortcuts }: Chain,
  frames: number,
  end: number,
): Int32Array => {
  const path = new Int32Array(frames)
  let place = end
  for (let frame = frames - 1; frame >= 0; frame--) {
    path[frame] = place
    if (frame === 0) break
    const move = moveAt(frame, place)
    place = move === SHORTCUT ? (shortcuts[place] ?? 0) : place - move
  }
  return path
}
