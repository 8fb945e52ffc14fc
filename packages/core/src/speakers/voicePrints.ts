import type { Steps } from "../audio/steps.js"
import type { Turn } from "../transcripts/speakerTurns.js"
import { joinAlike, type VoiceCount } from "./joinAlike.js"
import type { SpeakerCount } from "./tellSpeakersApart.js"

/** A stretch of speech on the timeline, in milliseconds, and what a model makes of the voice in it: alike for one speaker. */
export interface VoicePrint {
  readonly start: number
  readonly end: number
  /** Of any length, the same for all; only where it points counts. */
  readonly vector: ArrayLike<number>
}

/** Where one or many prints point: all that it takes to compare them. They add up. */
interface Direction {
  readonly values: Float64Array
  readonly length: number
}

/** Voices that point more alike than this are one (cosine). */
const ALIKE = 0.5
/** So many prints are compared with each other; their voices are then compared with those of the others. */
const BLOCK = 240
/** Who says less, in milliseconds, is no speaker, unless so many were asked for. */
const SHORTEST_SPEAKER = 3_000
const ROUNDS = 2
/** What a change of speaker costs, in the same measure as `ALIKE`, where one stretch follows on another. */
const CHANGE = 0.1
const LONGEST_STEP = 500

const dot = (one: Float64Array, other: Float64Array): number => {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

const directionOf = (values: Float64Array): Direction => ({ values, length: Math.sqrt(dot(values, values)) })

/** Every print counts the same, however loud it was. */
const unitOf = ({ vector }: VoicePrint): Direction => {
  const { values, length } = directionOf(
    Float64Array.from(vector, (value) => (Number.isFinite(value) ? value : 0)),
  )
  return length === 0 ? { values, length } : { values: values.map((value) => value / length), length: 1 }
}

/** The cosine between two directions; 0 where one of them has none. */
const likeness = (one: Direction, other: Direction): number => {
  const lengths = one.length * other.length
  return lengths === 0 ? 0 : dot(one.values, other.values) / lengths
}

const kinship = {
  join: (one: Direction, other: Direction): Direction => {
    const values = Float64Array.from(one.values)
    for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) + (other.values[at] ?? 0)
    return directionOf(values)
  },
  distance: (one: Direction, other: Direction): number => ALIKE - likeness(one, other),
  isSpeaker: (): boolean => true,
}

/** Where prints point together; null for none. */
const soundOf = (prints: ReadonlyArray<VoicePrint>): Direction | null => {
  let sum: Float64Array | null = null
  for (const print of prints) {
    const { values } = unitOf(print)
    if (sum === null) sum = values
    else for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (values[at] ?? 0)
  }
  return sum === null ? null : directionOf(sum)
}

/** Prints of one voice, by their places. */
interface Speaker {
  readonly direction: Direction
  readonly places: ReadonlyArray<number>
}

/** Who there is, as far as whole blocks and their voices tell. Directions are made when they are needed: prints may be small. */
function* speakersAmong(
  prints: ReadonlyArray<VoicePrint>,
  { least, most }: VoiceCount,
): Steps<ReadonlyArray<Speaker>> {
  const voices: Array<Speaker> = []
  for (let from = 0; from < prints.length; from += BLOCK) {
    const block = prints.slice(from, from + BLOCK).map(unitOf)
    const joined = yield* joinAlike(block, { least, most: Number.POSITIVE_INFINITY }, kinship)
    for (const { sums, members } of joined) {
      voices.push({ direction: sums, places: members.map((member) => from + member) })
    }
  }
  const joined = yield* joinAlike(
    voices.map(({ direction }) => direction),
    { least, most },
    kinship,
  )
  return joined.map(({ sums, members }) => ({
    direction: sums,
    places: members.flatMap((member) => voices[member]?.places ?? []),
  }))
}

/** The likeliest sequence of speakers: a lone stretch amid another's is rather a slip than a change. */
const deal = (prints: ReadonlyArray<VoicePrint>, speakers: ReadonlyArray<Direction>): Int16Array => {
  const count = speakers.length
  const cameFrom = new Int16Array(prints.length * count)
  const scores = new Float64Array(count)
  for (const [at, print] of prints.entries()) {
    const direction = unitOf(print)
    const pause = print.start - (prints[at - 1]?.end ?? Number.NEGATIVE_INFINITY)
    const leader = scores.indexOf(Math.max(...scores))
    const led = (scores[leader] ?? 0) - (pause <= LONGEST_STEP ? CHANGE : 0)
    for (const [speaker, own] of speakers.entries()) {
      const stayed = scores[speaker] ?? 0
      cameFrom[at * count + speaker] = stayed >= led ? speaker : leader
      scores[speaker] = Math.max(stayed, led) + likeness(direction, own)
    }
  }
  const labels = new Int16Array(prints.length)
  let speaker = scores.indexOf(Math.max(...scores))
  for (let at = prints.length - 1; at >= 0; at--) {
    labels[at] = speaker
    speaker = cameFrom[at * count + speaker] ?? speaker
  }
  return labels
}

const turnsOf = (prints: ReadonlyArray<VoicePrint>, labels: Int16Array): ReadonlyArray<Turn> => {
  const names = new Map<number, string>()
  const turns: Array<Turn> = []
  prints.forEach(({ start, end }, at) => {
    const label = labels[at] ?? 0
    const speaker = names.get(label) ?? `${names.size + 1}`
    names.set(label, speaker)
    const last = turns.at(-1)
    if (last?.speaker === speaker && start <= last.end) turns[turns.length - 1] = { ...last, end }
    else turns.push({ start, end, speaker })
  })
  return turns
}

/**
 * Who speaks when, by voice prints in order of time. Voices that are alike are joined, block by block and then all of them; then,
 * twice, the stretches are dealt out again by what each speaker sounds like on the whole.
 */
export function* voicePrintSteps(
  prints: ReadonlyArray<VoicePrint>,
  range: SpeakerCount | null,
): Steps<ReadonlyArray<Turn>> {
  if (prints.length === 0) return []
  const least = range?.min ?? 1
  const said = ({ places }: Speaker) =>
    places.reduce((sum, place) => sum + (prints[place]?.end ?? 0) - (prints[place]?.start ?? 0), 0)
  const found = yield* speakersAmong(prints, { least, most: range?.max ?? Number.POSITIVE_INFINITY })
  let speakers: ReadonlyArray<Direction> = [...found]
    .sort((left, right) => said(right) - said(left))
    .filter((speaker, at) => at < least || said(speaker) >= SHORTEST_SPEAKER)
    .map(({ direction }) => direction)
  let labels: Int16Array = new Int16Array(prints.length)
  for (let round = 0; round < ROUNDS && speakers.length > 1; round++) {
    labels = deal(prints, speakers)
    yield
    speakers = speakers.map(
      (before, speaker) => soundOf(prints.filter((_, at) => labels[at] === speaker)) ?? before,
    )
  }
  return turnsOf(prints, labels)
}
