import { baseLanguage } from "../text/languages.js"
import { type Doubt, doubtsOf, type HeardWindow, isTextDoubtful } from "./doubts.js"
import { type Repeat, type RepeatLimits, repeatsOf } from "./repeats.js"
import type { Span } from "./spans.js"
import { lengthOf, united, without } from "./spans.js"
import { extentOf, placeOf, type SpokenUnits, spokenUnitsOf } from "./spokenUnits.js"
import type { Segment } from "./Transcript.js"

/** What a report may raise, in the order it does. */
export const integrityFlags = [
  "low_coverage",
  "text_in_silence",
  "impossible_rate",
  "time_disorder",
  "ends_early",
  "interpolated_words",
  "looping",
  "language_switch",
  "text_doubtful",
  "no_audio",
] as const

export type IntegrityFlag = (typeof integrityFlags)[number]

/** Words running that the engine was not sure of, and its mean confidence in them. */
export interface LowConfidence extends Span {
  readonly confidence: number
}

/**
 * How far a transcript can be trusted to hold what was said. Times are whole milliseconds, the two lengths seconds; null
 * where there was no audio to compare. The shape of the integrity field of a job.
 */
export interface IntegrityReport {
  /** How long anyone speaks. */
  readonly speechSeconds: number | null
  /** How much of that has words. */
  readonly transcribedSeconds: number | null
  /** The ratio of the two with three digits; 1 when nobody speaks. */
  readonly coverage: number | null
  /** Speech without words: long holes, and whole stretches in which the engine found none. */
  readonly gaps: ReadonlyArray<Span>
  readonly repeats: ReadonlyArray<Repeat>
  /** Text of an engine that may not be what was said. */
  readonly doubts: ReadonlyArray<Doubt>
  readonly lowConfidence: ReadonlyArray<LowConfidence>
  readonly flags: ReadonlyArray<IntegrityFlag>
}

export interface IntegrityInput {
  /** Length of the media in milliseconds. */
  readonly duration: number
  readonly segments: ReadonlyArray<Segment>
  /** Where anyone speaks, by voice activity; null when the transcript did not come from audio. */
  readonly voice: ReadonlyArray<Span> | null
  /** Voice in which no words were found, however short: each is a gap. */
  readonly lost?: ReadonlyArray<Span>
  /** The stretches that an engine heard at once; absent when the transcript did not come from one. */
  readonly windows?: ReadonlyArray<HeardWindow>
  /** How many words got their times from their neighbours. */
  readonly interpolated?: number
  /** The language the transcript claims, and the one its text turned out to be in. */
  readonly language?: string | null
  readonly textLanguage?: string | null
}

/** Every limit of the report. Times in milliseconds. */
export interface IntegrityThresholds extends RepeatLimits {
  readonly padding: number
  readonly hole: number
  readonly gap: number
  readonly coverage: number
  /** A word covers no more than this much for each letter, or one of a few letters no more than `longestShortWord`. */
  readonly longestLetter: number
  readonly longestShortWord: number
  /** Depends on the scale of the engine. */
  readonly confidence: number
  readonly confidenceWords: number
  readonly silence: number
  readonly wordsPerSecond: number
  readonly rateWindow: number
  readonly endsEarly: number
}

export const integrityThresholds: IntegrityThresholds = {
  padding: 300,
  hole: 1000,
  gap: 2000,
  coverage: 0.9,
  longestLetter: 600,
  longestShortWord: 1500,
  confidence: 0.5,
  confidenceWords: 5,
  silence: 2000,
  wordsPerSecond: 7,
  rateWindow: 5000,
  endsEarly: 30_000,
  longestPhrase: 12,
  times: 4,
  longPhrase: 4,
  longTimes: 3,
  segmentTimes: 3,
}

/** The time that words account for. One word stretched over a minute does not account for the minute. */
const coveredBy = ({ count, texts, starts, ends }: SpokenUnits, limits: IntegrityThresholds) => {
  const spans: Array<{ start: number; end: number }> = []
  for (let at = 0; at < count; at++) {
    const longest = Math.max(limits.longestShortWord, limits.longestLetter * (texts[at]?.length ?? 0))
    const start = (starts[at] ?? 0) - limits.padding
    const end = Math.min(ends[at] ?? 0, (starts[at] ?? 0) + longest) + limits.padding
    const last = spans.at(-1)
    // Most words follow the one before closely; the others are sorted out below.
    if (last !== undefined && start >= last.start && start - last.end < limits.hole)
      last.end = Math.max(last.end, end)
    else spans.push({ start, end })
  }
  return united(spans, limits.hole)
}

const lowConfidenceOf = (
  units: SpokenUnits,
  { confidence: least, confidenceWords: size }: IntegrityThresholds,
): ReadonlyArray<LowConfidence> => {
  const { count, confidences } = units
  const confidenceAt = (at: number) => confidences[at] ?? Number.NaN
  const runs: Array<{ from: number; to: number }> = []
  let sum = 0
  let known = 0
  for (let at = 0; at < count; at++) {
    if (Number.isNaN(confidenceAt(at))) {
      sum = 0
      known = 0
      continue
    }
    sum += confidenceAt(at)
    known += 1
    if (known > size) sum -= confidenceAt(at - size)
    if (known < size || sum / size >= least) continue
    const last = runs.at(-1)
    const from = at - size + 1
    if (last !== undefined && from <= last.to) last.to = at + 1
    else runs.push({ from, to: at + 1 })
  }
  return runs.map(({ from, to }) => {
    const mean = confidences.subarray(from, to).reduce((total, value) => total + value, 0) / (to - from)
    return { ...extentOf(units, from, to), confidence: Math.round(mean * 1000) / 1000 }
  })
}

/** Whether any word lies far from every voice. */
const hasTextInSilence = (
  { count, starts, ends }: SpokenUnits,
  voice: ReadonlyArray<Span>,
  silence: number,
) => {
  const near = united(voice.map(({ start, end }) => ({ start: start - silence, end: end + silence })))
  const isNear = (start: number, end: number) => {
    let low = 0
    let high = near.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((near[middle]?.end ?? 0) <= start) low = middle + 1
      else high = middle
    }
    return (near[low]?.start ?? Number.POSITIVE_INFINITY) < Math.max(end, start + 1)
  }
  for (let at = 0; at < count; at++) if (!isNear(starts[at] ?? 0, ends[at] ?? 0)) return true
  return false
}

/** The units by start, or undefined when they are in that order already, as most are. */
const orderByStart = ({ count, starts }: SpokenUnits): Uint32Array | undefined => {
  let isSorted = true
  for (let at = 1; at < count; at++) if ((starts[at] ?? 0) < (starts[at - 1] ?? 0)) isSorted = false
  if (isSorted) return undefined
  const order = new Uint32Array(count)
  for (let at = 0; at < count; at++) order[at] = at
  return order.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0))
}

/** Stretches with more words than anyone can say. */
const fastStretches = (
  units: SpokenUnits,
  { wordsPerSecond, rateWindow }: IntegrityThresholds,
): ReadonlyArray<Span> => {
  const { count, starts, weights } = units
  const most = (wordsPerSecond * rateWindow) / 1000
  const order = orderByStart(units)
  const unitAt = (place: number) => order?.[place] ?? place
  const stretches: Array<Span> = []
  let first = 0
  let inside = 0
  for (let place = 0; place < count; place++) {
    const at = unitAt(place)
    inside += weights[at] ?? 0
    const before = (starts[at] ?? 0) - rateWindow
    for (; first < place && (starts[unitAt(first)] ?? 0) <= before; first++)
      inside -= weights[unitAt(first)] ?? 0
    const [start = 0, end = 0] = [starts[unitAt(first)], starts[at]]
    if (inside > most) stretches.push({ start, end: Math.max(end, start + 1) })
  }
  return united(stretches)
}

const hasTimeDisorder = (segments: ReadonlyArray<Segment>, duration: number, tolerance: number) => {
  let latestSegment = Number.NEGATIVE_INFINITY
  for (const { start, end, words } of segments) {
    if (!(start >= 0) || !(end >= start) || start < latestSegment || end > duration + tolerance) return true
    latestSegment = start
    let latest = Number.NEGATIVE_INFINITY
    for (const word of words) {
      if (!(word.start >= latest) || !(word.end >= word.start) || !(word.start >= 0)) return true
      if (word.end > duration + tolerance) return true
      latest = word.start
    }
  }
  return false
}

/** Speech after the last word. */
const speechAfter = (voice: ReadonlyArray<Span>, units: SpokenUnits) => {
  const last = units.count === 0 ? 0 : extentOf(units, 0, units.count).end
  return voice.reduce((sum, { start, end }) => sum + Math.max(0, end - Math.max(start, last)), 0)
}

const isSwitched = ({ language = null, textLanguage = null }: IntegrityInput) =>
  language !== null && textLanguage !== null && baseLanguage(language) !== baseLanguage(textLanguage)

const placed = ({ start, end }: Span): Span => ({ start: placeOf(start), end: placeOf(end) })

/** Compares a transcript with the voice in its audio and with itself. Linear but for sorting by time; pure. */
export const integrityOf = (
  input: IntegrityInput,
  limits: IntegrityThresholds = integrityThresholds,
): IntegrityReport => {
  const { segments, duration } = input
  const units = spokenUnitsOf(segments)
  const voice = input.voice === null ? null : united(input.voice.map(placed))
  const missing = voice === null ? [] : without(voice, coveredBy(units, limits))
  const speech = voice === null ? null : lengthOf(voice)
  const transcribed = speech === null ? null : Math.round(speech - lengthOf(missing))
  const coverage =
    speech === null || transcribed === null
      ? null
      : speech === 0
        ? 1
        : Math.round((1000 * transcribed) / speech) / 1000
  const repeats = repeatsOf(units, segments, limits)
  const fast = fastStretches(units, limits)
  const { windows = [], lost = [] } = input
  const isWhole = isTextDoubtful(windows, lost.map(placed))
  const raised: Readonly<Record<IntegrityFlag, boolean>> = {
    low_coverage: coverage !== null && coverage < limits.coverage,
    text_in_silence: voice !== null && hasTextInSilence(units, voice, limits.silence),
    impossible_rate: fast.length > 0,
    time_disorder: hasTimeDisorder(segments, duration, limits.hole),
    ends_early: voice !== null && speechAfter(voice, units) > limits.endsEarly,
    interpolated_words: (input.interpolated ?? 0) > 0,
    looping: repeats.length > 0,
    language_switch: isSwitched(input),
    text_doubtful: isWhole,
    no_audio: voice === null,
  }
  return {
    speechSeconds: speech === null ? null : speech / 1000,
    transcribedSeconds: transcribed === null ? null : transcribed / 1000,
    coverage,
    gaps: united([...missing.filter(({ start, end }) => end - start >= limits.gap), ...lost.map(placed)]).map(
      ({ start, end }) => ({ start: Math.round(start), end: Math.round(end) }),
    ),
    repeats,
    doubts: windows.length === 0 ? [] : doubtsOf({ windows, repeats, fast, isWhole }),
    lowConfidence: lowConfidenceOf(units, limits),
    flags: integrityFlags.filter((flag) => raised[flag]),
  }
}
