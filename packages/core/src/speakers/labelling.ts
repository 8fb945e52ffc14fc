import { FEATURES } from "./features.js"
import { joinAlike, type VoiceCount } from "./joinAlike.js"
import { likeliestSpeakers } from "./likeliestSpeakers.js"
import { type BlockSpeech, type HeardSound, partsOf, type Run, speechOf } from "./speechRuns.js"
import type { Steps } from "./steps.js"
import { VoiceModel } from "./VoiceModel.js"
import { type FrameChoice, joinVoices, type VoiceSums, voiceSumsOf } from "./VoiceSums.js"
import { byVoice, type Difference, neighbourDistance, variabilityOf } from "./voiceKinship.js"

/** Some minutes of sound, read again on each call, so that a long recording is never in memory as a whole. */
export type SoundBlock = () => ReadonlyArray<HeardSound>

/** A block and who speaks in each frame of each of its sounds, by number. */
export interface Labelled {
  readonly read: SoundBlock
  readonly speech: BlockSpeech
  readonly labels: ReadonlyArray<Int16Array>
  /** How much a voice varies from one part of speech to the next. */
  readonly neighbours: ReadonlyArray<number>
}

/** How many voices may be left, and how different those have to be. */
export interface VoiceLimits extends VoiceCount, Difference {}

/** A voice and where it was heard. */
export interface Voice {
  readonly sums: VoiceSums
  readonly labelled: Labelled
  readonly parts: ReadonlyArray<Run>
}

export const NOBODY = -1

/** Fewer frames that tell who speaks say nothing. */
const FEWEST_FRAMES = 40
/** Less than three seconds are no speaker, unless so many were asked for. */
const FRAMES_OF_A_SPEAKER = 300
const FRAMES_TO_LEARN_FROM = 4000

/** Frames loud enough to tell who speaks. */
const clearIn = ({ loudness }: HeardSound["features"], { clear }: BlockSpeech): FrameChoice => {
  return (frame) => (loudness[frame] ?? Number.NEGATIVE_INFINITY) > clear
}

/** The voices of one block, each part of speech dealt to one. */
export function* voicesOf(
  read: SoundBlock,
  limits: VoiceLimits,
): Steps<readonly [Labelled, ReadonlyArray<Voice>]> {
  const sounds = read()
  const speech = speechOf(sounds)
  const labels = sounds.map(({ features }) => new Int16Array(features.frames).fill(NOBODY))
  const heard = speech.runs.flatMap(partsOf).flatMap((part) => {
    const features = sounds[part.sound]?.features
    if (features === undefined) return []
    const sums = voiceSumsOf(features.values, part, clearIn(features, speech))
    return sums.frames < FEWEST_FRAMES ? [] : [{ part, sums }]
  })
  const neighbours = heard.flatMap(({ part, sums }, index) => {
    const before = heard[index - 1]
    const follows = before?.part.sound === part.sound && before.part.to === part.from
    return before !== undefined && follows ? neighbourDistance(before.sums, sums) : []
  })
  const labelled: Labelled = { read, speech, labels, neighbours }
  const joined = yield* joinAlike(
    heard.map(({ sums }) => sums),
    limits,
    byVoice(limits, variabilityOf(neighbours)),
  )
  const voices = joined.map(({ sums, members }) => ({
    sums,
    labelled,
    parts: members.flatMap((member) => heard[member]?.part ?? []),
  }))
  return [labelled, voices]
}

/** The number of each voice's speaker, loudest talker first; `NOBODY` for what is too short to be one. */
function* speakersAmong(
  voices: ReadonlyArray<VoiceSums>,
  limits: VoiceLimits,
  blocks: ReadonlyArray<Labelled>,
) {
  const kinship = byVoice(limits, variabilityOf(blocks.flatMap(({ neighbours }) => neighbours)))
  const speakers = [...(yield* joinAlike(voices, limits, kinship))]
    .sort((left, right) => right.sums.frames - left.sums.frames)
    .filter(({ sums }, index) => index < limits.least || sums.frames >= FRAMES_OF_A_SPEAKER)
  const numbers = new Int16Array(voices.length).fill(NOBODY)
  for (const [speaker, { members }] of speakers.entries()) {
    for (const member of members) numbers[member] = speaker
  }
  return { numbers, count: speakers.length }
}

/** Writes the speaker of each voice into its parts; answers how many speakers there are. */
export function* labelVoices(
  blocks: ReadonlyArray<Labelled>,
  voices: ReadonlyArray<Voice>,
  limits: VoiceLimits,
): Steps<number> {
  const sums = voices.map((voice) => voice.sums)
  const { numbers, count } = yield* speakersAmong(sums, limits, blocks)
  for (const [index, { labelled, parts }] of voices.entries()) {
    for (const { sound, from, to } of parts) labelled.labels[sound]?.fill(numbers[index] ?? NOBODY, from, to)
  }
  return count
}

/** Joins speakers that turn out to be one, and renumbers the labels; answers how many are left. */
export function* joinSpeakers(
  blocks: ReadonlyArray<Labelled>,
  speakers: number,
  limits: VoiceLimits,
): Steps<number> {
  const voices = new Map<number, VoiceSums>()
  for (const { read, speech, labels } of blocks) {
    for (const [sound, { features }] of read().entries()) {
      const clear = clearIn(features, speech)
      const all = { from: 0, to: features.frames }
      for (let speaker = 0; speaker < speakers; speaker++) {
        const isTheirs: FrameChoice = (frame) => labels[sound]?.[frame] === speaker && clear(frame)
        const sums = voiceSumsOf(features.values, all, isTheirs)
        if (sums.frames === 0) continue
        const before = voices.get(speaker)
        voices.set(speaker, before === undefined ? sums : joinVoices(before, sums))
      }
      yield
    }
  }
  const { numbers, count } = yield* speakersAmong([...voices.values()], limits, blocks)
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
