import { FRAME_MILLISECONDS } from "../audio/frames.js"
import { inOneGo, type Steps } from "../audio/steps.js"
import type { Turn } from "../transcripts/speakerTurns.js"
import {
  dealOut,
  joinSpeakers,
  type Labelled,
  labelVoices,
  NOBODY,
  type SoundBlock,
  scaleOf,
  speechIn,
  type Voice,
  voicesOf,
} from "./labelling.js"
import { variabilityOf } from "./voiceKinship.js"

/** Rather too many voices at first: dealing the frames out again cannot part what was joined. */
const AT_FIRST = { least: 0, most: Number.POSITIVE_INFINITY, margin: 0.5, evidence: 0.8, alike: 0.29 }
/** Then strict, when each voice is known better. */
const STRICT = { margin: 1.5, evidence: 2, alike: 0.26 }
const ROUNDS = 2
/** Who goes on after a pause of at most this, in milliseconds, had the turn all the time. */
const LONGEST_PAUSE = 1_500

/** Goes on with the last turn where the same speaker does. */
const addTurn = (turns: Array<Turn>, turn: Turn): void => {
  const last = turns.at(-1)
  const goesOn = last?.speaker === turn.speaker && turn.start - last.end <= LONGEST_PAUSE
  if (last !== undefined && goesOn) turns[turns.length - 1] = { ...last, end: turn.end }
  else turns.push(turn)
}

/** Stretches of one speaker each, numbered by first appearance. */
const turnsOf = (blocks: ReadonlyArray<Labelled>): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  const names = new Map<number, string>()
  const nameOf = (speaker: number) => {
    const name = names.get(speaker) ?? `${names.size + 1}`
    names.set(speaker, name)
    return name
  }
  for (const { read, speech, labels } of blocks) {
    const starts = read().map(({ start }) => start)
    for (const { sound, from, to } of speech.runs) {
      const start = starts[sound] ?? 0
      let begun = from
      for (let frame = from; frame < to; frame++) {
        const speaker = labels[sound]?.[frame] ?? NOBODY
        if (frame + 1 < to && labels[sound]?.[frame + 1] === speaker) continue
        if (speaker !== NOBODY) {
          const end = start + (frame + 1) * FRAME_MILLISECONDS
          addTurn(turns, { start: start + begun * FRAME_MILLISECONDS, end, speaker: nameOf(speaker) })
        }
        begun = frame + 1
      }
    }
  }
  return turns
}

/** How many speakers there are at most, and at least if so many can be heard. */
export interface SpeakerCount {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/**
 * Who speaks when, found from the sound alone. Parts of speech are joined as long as their means are no farther apart than those
 * of one voice; then, twice, the frames are dealt out again by what was learned of each voice, and voices that turn out to be one are joined.
 */
export function* speakerSteps(
  blocks: ReadonlyArray<SoundBlock>,
  range: SpeakerCount | null,
): Steps<ReadonlyArray<Turn>> {
  const limits = { least: range?.min ?? 1, most: range?.max ?? Number.POSITIVE_INFINITY, ...STRICT }
  const labelled = blocks.map(speechIn)
  const scale = yield* scaleOf(labelled)
  const heard: Array<Voice> = []
  const neighbours: Array<number> = []
  for (const block of labelled) {
    const found = yield* voicesOf(block, scale, AT_FIRST)
    heard.push(...found.voices)
    neighbours.push(...found.neighbours)
  }
  const variability = variabilityOf(neighbours)
  let speakers = yield* labelVoices(heard, limits, variability)
  for (let round = 0; round < ROUNDS && speakers > 1; round++) {
    yield* dealOut(labelled, speakers)
    speakers = yield* joinSpeakers(labelled, speakers, scale, limits, variability)
  }
  if (speakers > 1) yield* dealOut(labelled, speakers)
  else {
    // One alone, or too little said to tell: all of it is one speaker's.
    for (const { speech, labels } of labelled) {
      for (const { sound, from, to } of speech.runs) labels[sound]?.fill(0, from, to)
    }
  }
  return turnsOf(labelled)
}

/** `speakerSteps` in one go. */
export const tellSpeakersApart = (
  blocks: ReadonlyArray<SoundBlock>,
  range: SpeakerCount | null,
): ReadonlyArray<Turn> => inOneGo(speakerSteps(blocks, range))
