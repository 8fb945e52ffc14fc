import type { Steps } from "../audio/steps.js"
import { FEATURES } from "./features.js"
import { joinAlike, type VoiceCount } from "./joinAlike.js"
import { likeliestSpeakers } from "./likeliestSpeakers.js"
import { type BlockSpeech, type HeardSound, partsOf, type Run, speechOf } from "./speechRuns.js"
import { VoiceModel } from "./VoiceModel.js"
import { type Scale, ScaleSums, voiceOffsetsOf } from "./VoiceOffsets.js"
import { type FrameChoice, voiceSumsOf } from "./VoiceSums.js"
import {
  byVoice,
  type Difference,
  isSpeaker,
  neighbourDistance,
  type VoiceTraits,
  variabilityOf,
} from "./voiceKinship.js"

/** Some minutes of sound, read again on each call, so that a long recording is never in memory as a whole. */
export type SoundBlock = () => ReadonlyArray<HeardSound>

/** A block and who speaks in each frame of each of its sounds, by number. */
export interface Labelled {
  readonly read: SoundBlock
  readonly speech: BlockSpeech
  readonly labels: ReadonlyArray<Int16Array>
}

/** How many speakers may be left, and how different their voices have to be. */
export interface VoiceLimits extends VoiceCount, Difference {}

/** A voice and where it was heard. */
export interface Voice {
  readonly traits: VoiceTraits
  readonly labelled: Labelled
  readonly parts: ReadonlyArray<Run>
}

export const NOBODY = -1

/** Fewer frames that tell who speaks say nothing. */
const FEWEST_FRAMES = 40
const FRAMES_TO_LEARN_FROM = 4000

/** Frames loud enough to tell who speaks. */
const clearIn = ({ loudness }: HeardSound["features"], { clear }: BlockSpeech): FrameChoice => {
  return (frame) => (loudness[frame] ?? Number.NEGATIVE_INFINITY) > clear
}

/** Where there is speech in a block; nobody's so far. */
export const speechIn = (read: SoundBlock): Labelled => {
  const sounds = read()
  const labels = sounds.map(({ features }) => new Int16Array(features.frames).fill(NOBODY))
  return { read, speech: speechOf(sounds), labels }
}

/** How the clear frames of all blocks lie. */
export function* scaleOf(blocks: ReadonlyArray<Labelled>): Steps<Scale> {
  const sums = new ScaleSums()
  for (const { read, speech } of blocks) {
    for (const { features } of read()) {
      const clear = clearIn(features, speech)
      for (let frame = 0; frame < features.frames; frame++) if (clear(frame)) sums.add(features.values, frame)
      yield
    }
  }
  return sums.scale()
}

/** What the chosen frames of a stretch tell of a voice. */
const traitsOf = (
  values: Float32Array,
  scale: Scale,
  stretch: { readonly from: number; readonly to: number },
  isChosen: FrameChoice,
): VoiceTraits => ({
  sums: voiceSumsOf(values, stretch, isChosen),
  offsets: voiceOffsetsOf(values, scale, stretch, isChosen),
})

/** The voices of one block, each part of speech dealt to one; and how much a voice varies from one part of speech to the next. */
export function* voicesOf(labelled: Labelled, scale: Scale, limits: VoiceLimits) {
  const { read, speech } = labelled
  const sounds = read()
  const heard: Array<{ readonly part: Run; readonly traits: VoiceTraits }> = []
  for (const part of speech.runs.flatMap(partsOf)) {
    const features = sounds[part.sound]?.features
    if (features === undefined) continue
    const traits = traitsOf(features.values, scale, part, clearIn(features, speech))
    if (traits.sums.frames >= FEWEST_FRAMES) heard.push({ part, traits })
    yield
  }
  const neighbours = heard.flatMap(({ part, traits }, index) => {
    const before = heard[index - 1]
    const follows = before?.part.sound === part.sound && before.part.to === part.from
    return before !== undefined && follows ? neighbourDistance(before.traits.sums, traits.sums) : []
  })
  const joined = yield* joinAlike(
    heard.map(({ traits }) => traits),
    limits,
    byVoice(limits, variabilityOf(neighbours)),
  )
  const voices = joined.map(
    ({ sums, members }): Voice => ({
      traits: sums,
      labelled,
      parts: members.flatMap((member) => heard[member]?.part ?? []),
    }),
  )
  return { voices, neighbours }
}

/** The number of each voice's speaker, loudest talker first; `NOBODY` for what is too short to be one. */
function* speakersAmong(voices: ReadonlyArray<VoiceTraits>, limits: VoiceLimits, variability: number) {
  const speakers = (yield* joinAlike(voices, limits, byVoice(limits, variability)))
    .filter(({ sums }) => isSpeaker(sums))
    .sort((left, right) => right.sums.sums.frames - left.sums.sums.frames)
  const numbers = new Int16Array(voices.length).fill(NOBODY)
  for (const [speaker, { members }] of speakers.entries()) {
    for (const member of members) numbers[member] = speaker
  }
  return { numbers, count: speakers.length }
}

/** Writes the speaker of each voice into its parts; answers how many speakers there are. */
export function* labelVoices(
  voices: ReadonlyArray<Voice>,
  limits: VoiceLimits,
  variability: number,
): Steps<number> {
  const traits = voices.map((voice) => voice.traits)
  const { numbers, count } = yield* speakersAmong(traits, limits, variability)
  for (const [index, { labelled, parts }] of voices.entries()) {
    for (const { sound, from, to } of parts) labelled.labels[sound]?.fill(numbers[index] ?? NOBODY, from, to)
  }
  return count
}

/** Joins speakers that turn out to be one, and renumbers the labels; answers how many are left. */
export function* joinSpeakers(
  blocks: ReadonlyArray<Labelled>,
  speakers: number,
  scale: Scale,
  limits: VoiceLimits,
  variability: number,
): Steps<number> {
  const voices = new Map<number, VoiceTraits>()
  const { join } = byVoice(limits, variability)
  for (const { read, speech, labels } of blocks) {
    for (const [sound, { features }] of read().entries()) {
      const clear = clearIn(features, speech)
      const all = { from: 0, to: features.frames }
      for (let speaker = 0; speaker < speakers; speaker++) {
        const isTheirs: FrameChoice = (frame) => labels[sound]?.[frame] === speaker && clear(frame)
        const traits = traitsOf(features.values, scale, all, isTheirs)
        if (traits.sums.frames === 0) continue
        const before = voices.get(speaker)
        voices.set(speaker, before === undefined ? traits : join(before, traits))
      }
      yield
    }
  }
  const { numbers, count } = yield* speakersAmong([...voices.values()], limits, variability)
  const renumbered = new Map([...voices.keys()].map((speaker, index) => [speaker, numbers[index] ?? NOBODY]))
  for (const { labels } of blocks) {
    for (const sound of labels) {
      for (let frame = 0; frame < sound.length; frame++) {
        sound[frame] = renumbered.get(sound[frame] ?? NOBODY) ?? NOBODY
      }
    }
  }
  return count
}

/** Calls `visit` for each frame that tells of a speaker. */
function* visitFrames(
  blocks: ReadonlyArray<Labelled>,
  visit: (speaker: number, values: Float32Array, frame: number) => void,
): Steps<void> {
  for (const { read, speech, labels } of blocks) {
    for (const [sound, { features }] of read().entries()) {
      const clear = clearIn(features, speech)
      for (let frame = 0; frame < features.frames; frame++) {
        const speaker = labels[sound]?.[frame] ?? NOBODY
        if (speaker !== NOBODY && clear(frame)) visit(speaker, features.values, frame)
      }
      yield
    }
  }
}

/** A model of each speaker, learned from frames evenly spread over the recording. */
function* learnVoices(blocks: ReadonlyArray<Labelled>, speakers: number): Steps<ReadonlyArray<VoiceModel>> {
  const spoken = new Int32Array(speakers)
  yield* visitFrames(blocks, (speaker) => {
    spoken[speaker] = (spoken[speaker] ?? 0) + 1
  })
  const lessons = Array.from(spoken, (frames) => {
    const step = Math.max(1, Math.floor(frames / FRAMES_TO_LEARN_FROM))
    return { step, seen: 0, filled: 0, values: new Float32Array(Math.ceil(frames / step) * FEATURES) }
  })
  yield* visitFrames(blocks, (speaker, values, frame) => {
    const lesson = lessons[speaker]
    if (lesson === undefined || lesson.seen++ % lesson.step !== 0) return
    lesson.values.set(values.subarray(frame * FEATURES, (frame + 1) * FEATURES), lesson.filled)
    lesson.filled += FEATURES
  })
  const models: Array<VoiceModel> = []
  for (const [speaker, { values }] of lessons.entries()) {
    models.push(yield* VoiceModel.learn(values, spoken[speaker] ?? 0))
  }
  return models
}

/** Deals the speech out again, by what can be learned of each speaker from the labels so far. */
export function* dealOut(blocks: ReadonlyArray<Labelled>, speakers: number): Steps<void> {
  const models = yield* learnVoices(blocks, speakers)
  for (const { read, speech, labels } of blocks) {
    const sounds = read()
    for (const run of speech.runs) {
      const features = sounds[run.sound]?.features
      const target = labels[run.sound]
      if (features !== undefined && target !== undefined) {
        likeliestSpeakers(models, features, speech.clear, run, target)
        yield
      }
    }
  }
}
