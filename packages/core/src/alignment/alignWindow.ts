import { FRAME_MILLISECONDS } from "../audio/frames.js"
import { SAMPLES_PER_MILLISECOND } from "../audio/samples.js"
import { inOneGo, type Steps } from "../audio/steps.js"
import { BEAMS, bestPathSteps, type Chain, chainOf, type SpokenWord } from "./bestPath.js"
import { type Cepstra, cepstraSteps } from "./cepstra.js"
import { ANYTHING, type Emissions, emissionSteps } from "./emissions.js"
import { misfitOf } from "./misfit.js"
import { phonesOf } from "./phones.js"
import { type SoundModel, soundModel } from "./soundModel.js"
import { distanceAt, strayWords, type Way } from "./strayWords.js"

/** When a word is said, in whole milliseconds of the samples given. */
export interface WordTime {
  readonly start: number
  readonly end: number
}

export interface AlignOptions {
  /** Also measures how far a text that is wrong would be from the sound: see `misfit`. */
  readonly decoy?: boolean | undefined
  /** The text may go on behind the sound: words that were not reached have no times. */
  readonly isOpen?: boolean | undefined
  /** Before and behind the text and between its sentences something may be said that is not in it. */
  readonly isLoose?: boolean | undefined
  /** Another model of sounds than the one that comes with Earmark. */
  readonly model?: SoundModel | undefined
}

/** Where the words of a text are in a stretch of sound, and how well they fit it. */
export interface WindowAlignment {
  /** One for each word, in order, none overlapping. */
  readonly times: ReadonlyArray<WordTime>
  /** How far the words are from what each frame of voice sounds most like, on average. 0 is a perfect fit; 5 to 10 is usual. */
  readonly near: number
  /** The same for a decoy: the words and their sounds backwards. Null when it was not asked for. */
  readonly far: number | null
  /** Where something may be said beside the text: whether each word is in a row that fits as badly as another text. */
  readonly strays: ReadonlyArray<boolean> | null
  /** See `misfitOf`: up to 0.6 for the right text, about 1 for a text that has nothing to do with the sound. */
  readonly misfit: number | null
}

/** What a frame says is heard a little later than where it begins. */
const FRAME_CENTRE = 4
/** No phone is shorter than this, in frames. */
const SHORTEST_PHONE = 2
/** Up to so many places times frames every way is followed if need be. */
const MOST_CELLS = 24_000_000
const MARK_BEHIND = /[.,;:!?…—)"”»。，！？؟،]$/

const spokenWordOf = (text: string): SpokenWord => ({
  phones: phonesOf(text),
  isMarked: MARK_BEHIND.test(text),
})

/** The same sounds in the opposite order: as many and as likely as those of the text, but not those of the recording. */
const decoyOf = (words: ReadonlyArray<SpokenWord>): ReadonlyArray<SpokenWord> =>
  words.map(({ phones, isMarked }) => ({ phones: [...phones].reverse(), isMarked })).reverse()

function* pathSteps(
  emissions: Emissions,
  chain: Chain,
  options: { readonly isOpen: boolean; readonly beam: number },
): Steps<Int32Array | null> {
  const narrow = yield* bestPathSteps(emissions, chain, options)
  if (narrow !== null || chain.length * emissions.frames > MOST_CELLS) return narrow
  return yield* bestPathSteps(emissions, chain, { ...options, beam: Number.POSITIVE_INFINITY })
}

/** How far a path is from what each frame fits best, over the frames that are not silence, up to the end of the text. */
const distanceOf = (emissions: Emissions, way: Way): number => {
  const { chain, path } = way
  let sum = 0
  let count = 0
  for (let frame = 0; frame < emissions.frames; frame++) {
    const place = path[frame] ?? 0
    if (place >= chain.end && chain.states[place] === ANYTHING) continue
    const distance = distanceAt(emissions, way, frame)
    if (distance === null) continue
    count += 1
    sum += distance
  }
  return sum / Math.max(1, count)
}

/** Words that nothing can be said for (a dash, a note) take no time, behind the word before. */
const timesOf = (
  chain: Chain,
  path: Int32Array,
  {
    words,
    reached,
    length,
  }: { readonly words: ReadonlyArray<SpokenWord>; readonly reached: number; readonly length: number },
): ReadonlyArray<WordTime> => {
  const starts = new Int32Array(words.length).fill(-1)
  const ends = new Int32Array(words.length)
  const within = (time: number) => Math.max(0, Math.min(length, time))
  for (let frame = 0; frame < path.length; frame++) {
    const word = chain.words[path[frame] ?? 0] ?? -1
    if (word < 0) continue
    if (starts[word] === -1) starts[word] = within(frame * FRAME_MILLISECONDS + FRAME_CENTRE)
    ends[word] = within((frame + 1) * FRAME_MILLISECONDS + FRAME_CENTRE)
  }
  const times: Array<WordTime> = []
  for (let word = 0; word < reached; word++) {
    const silent = times.at(-1)?.end ?? 0
    const isSpoken = (starts[word] ?? -1) >= 0
    times.push(isSpoken ? { start: starts[word] ?? 0, end: ends[word] ?? 0 } : { start: silent, end: silent })
  }
  return times
}

/** `alignWindow` in steps, with sound that was described before. */
export function* alignCepstraSteps(
  cepstra: Cepstra,
  length: number,
  texts: ReadonlyArray<string>,
  { decoy = false, isOpen = false, isLoose = false, model = soundModel() }: AlignOptions = {},
): Steps<WindowAlignment | null> {
  const words = texts.map(spokenWordOf)
  const sounds = words.reduce((sum, { phones }) => sum + phones.length, 0)
  if (sounds === 0 || (!isOpen && sounds * SHORTEST_PHONE > cepstra.frames)) return null
  const emissions = yield* emissionSteps(model, cepstra)
  const chain = chainOf(model, words, { isLoose })
  const beamFor = (wanted: "text" | "decoy") => BEAMS[isLoose || isOpen ? "loose" : wanted]
  const path = yield* pathSteps(emissions, chain, { isOpen, beam: beamFor("text") })
  if (path === null) return null
  const text = { chain, path }
  const near = distanceOf(emissions, text)
  const reached = isOpen
    ? 1 + path.reduce((most, place) => Math.max(most, chain.words[place] ?? -1), -1)
    : words.length
  const times = timesOf(chain, path, { words, reached, length })
  const strays = isLoose ? strayWords(emissions, text, times) : null
  if (!decoy) return { times, near, far: null, strays, misfit: null }
  const backwards = chainOf(model, decoyOf(words.slice(0, reached)), { isLoose })
  const other = yield* pathSteps(emissions, backwards, { isOpen, beam: beamFor("decoy") })
  const far = other === null ? near : distanceOf(emissions, { chain: backwards, path: other })
  return { times, near, far, strays, misfit: misfitOf(near, far) }
}

/** `alignWindow` in steps, for whoever shares its process with others. */
export function* alignWindowSteps(
  samples: Int16Array,
  texts: ReadonlyArray<string>,
  options: AlignOptions = {},
): Steps<WindowAlignment | null> {
  const length = Math.floor(samples.length / SAMPLES_PER_MILLISECOND)
  return yield* alignCepstraSteps(yield* cepstraSteps(samples), length, texts, options)
}

/**
 * Finds the words of a text in 16 kHz mono samples in which they are said, all of them, in this order. Null when it is impossible: no word
 * can be said by the rules of English spelling, or there are more sounds than time.
 */
export const alignWindow = (
  samples: Int16Array,
  texts: ReadonlyArray<string>,
  options: AlignOptions = {},
): WindowAlignment | null => inOneGo(alignWindowSteps(samples, texts, options))
