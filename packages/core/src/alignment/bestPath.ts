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
  readonly states: Uint8Array
  /** The word that a place belongs to; -1 in a pause. */
  readonly words: Int32Array
  /** What it costs to come here from the place before. */
  readonly entries: Float32Array
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
/** Ways this much worse than the best one are given up. */
export const BEAM = 250
/** A path can move on by so many places in a frame. */
const REACH = PAUSE_PLACES + 1

/**
 * Lays out the words for `bestPathSteps`. In a loose text something may be said before the first word and behind marks that is not in it.
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
    states: new Uint8Array(length).fill(SILENCE),
    words: new Int32Array(length).fill(-1),
    entries: new Float32Array(length),
    shortcuts: new Int32Array(length).fill(-1),
    patience: new Int16Array(length).fill(ENDLESS),
  }
  let place = PAUSE_PLACES
  if (isLoose) chain.states[0] = ANYTHING
  for (const [word, { phones, isMarked }] of words.entries()) {
    chain.shortcuts[place] = place - PAUSE_PLACES - 1
    for (const phone of phones) {
      for (let part = 0; part < STATES_PER_PHONE; part++, place++) {
        const state = phone * STATES_PER_PHONE + part
        chain.states[place] = state
        chain.words[place] = word
        chain.patience[place] = model.vowels[state] === 1 ? VOWEL_PATIENCE : CONSONANT_PATIENCE
      }
    }
    chain.entries[place] = isMarked ? PAUSE_AFTER_MARK : PAUSE_ELSEWHERE
    if (isLoose && isMarked) chain.states[place] = ANYTHING
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
    set: (at: number, move: number) => {
      moves[at] = move
    },
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

/** The place in the chain that each frame belongs to, on the likeliest way through it; null when none leads to the end. */
export function* bestPathSteps(
  { frames, states: width, scores }: Emissions,
  chain: Chain,
  { isOpen, beam }: PathOptions,
): Steps<Int32Array | null> {
  const { length, states, words, entries, shortcuts, patience } = chain
  const worst = Number.NEGATIVE_INFINITY
  let before = new Float64Array(length).fill(worst)
  let now = new Float64Array(length).fill(worst)
  let lastedBefore = new Int16Array(length)
  let lasted = new Int16Array(length)
  const trace = makeTrace(frames)
  const sound = (frame: number, place: number) =>
    (scores[frame * width + (states[place] ?? 0)] ?? 0) * SOUND_WEIGHT
  before[0] = sound(0, 0)
  if (length > PAUSE_PLACES) before[PAUSE_PLACES] = sound(0, PAUSE_PLACES)
  let first = 0
  let last = Math.min(length, PAUSE_PLACES + REACH)
  for (let frame = 1; frame < frames; frame++) {
    const to = Math.min(length, last + REACH)
    const base = trace.begin(frame, first, to - first)
    let most = worst
    for (let place = first; place < to; place++) {
      const word = words[place] ?? -1
      const stayed = lastedBefore[place] ?? 0
      let best =
        (before[place] ?? worst) +
        (word < 0 ? 0 : STAY) -
        (stayed >= (patience[place] ?? ENDLESS) ? LONGER_COST : 0)
      let move = STAYED
      const moved = (before[place - 1] ?? worst) + MOVE - (entries[place] ?? 0)
      if (moved > best) {
        best = moved
        move = 1
      }
      if (word >= 0 && word === words[place - 2]) {
        const skipped = (before[place - 2] ?? worst) + MOVE - SKIP_COST
        if (skipped > best) {
          best = skipped
          move = 2
        }
      }
      const shortcut = shortcuts[place] ?? -1
      if (shortcut >= 0) {
        const jumped = (before[shortcut] ?? worst) + MOVE
        if (jumped > best) {
          best = jumped
          move = SHORTCUT
        }
      }
      best += sound(frame, place)
      now[place] = best
      lasted[place] = move === STAYED ? stayed + 1 : 1
      trace.set(base + place - first, move)
      if (best > most) most = best
    }
    // What lies around is read by the next frame, and is not to be that of an earlier one.
    const least = most - beam
    let from = first
    let until = to
    while (from < until - 1 && (now[from] ?? worst) < least) from += 1
    while (until > from + 1 && (now[until - 1] ?? worst) < least) until -= 1
    now.fill(worst, Math.max(0, first - REACH), from)
    now.fill(worst, until, Math.min(length, to + REACH))
    first = from
    last = until
    ;[before, now] = [now, before]
    ;[lastedBefore, lasted] = [lasted, lastedBefore]
    if (frame % FRAMES_PER_STEP === 0) yield
  }
  const end = isOpen ? likeliest(before, first, last) : lastPlace(before, chain)
  const isReached = end >= first && end < last && (before[end] ?? worst) > worst
  return isReached ? followBack(trace, chain, frames, end) : null
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
