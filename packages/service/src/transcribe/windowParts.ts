/** Windows made of windows: less of them, or the same later. */
import { quietestCut, SAMPLES_PER_MILLISECOND } from "@earmark/core/audio"
import type { Span } from "@earmark/core/transcripts"
import type { AudioWindow } from "../ports/Speech.js"

/** What a window has of the sound before and after its speech, in milliseconds. */
const PADDING = 250
/** No engine is given a window shorter than twice this, in milliseconds, to be cut in two. */
const SHORTEST_HALF = 500
/** What is left of the sound before and after a voice, in milliseconds, where a window is cut down to it. */
const MARGIN = 100
/** How much earlier a window begins, in milliseconds of silence, when it is heard once more. */
const LEAD = 600
/** A longer pause, in milliseconds, is left out where speakers are told apart: noise in it would count as somebody's speech. */
const LONGEST_PAUSE = 1000
/** The silence between a window and the part of its neighbour that it is joined with, in milliseconds. */
const JOINT = 400

/** The windows before and after one, where there are any. */
export interface Neighbours {
  readonly before: AudioWindow | null
  readonly after: AudioWindow | null
}

/** The two halves of a window, cut where it is quietest; null when it is too short for that. */
export const halvesOf = (window: AudioWindow): readonly [AudioWindow, AudioWindow] | null => {
  const { start, end, samples } = window
  if (end - start < 2 * SHORTEST_HALF || samples.length === 0) return null
  // The middle half: no part is to be hardly shorter than the whole.
  const from = Math.floor(samples.length / 4 / SAMPLES_PER_MILLISECOND) * SAMPLES_PER_MILLISECOND
  const cut = from + quietestCut(samples.subarray(from, samples.length - from))
  const moment = start + Math.round(((end - start) * cut) / samples.length)
  return [
    { ...window, end: moment, samples: samples.subarray(0, cut) },
    { ...window, start: moment, samples: samples.subarray(cut) },
  ]
}

/** A part of a window, by its times. */
export const partOf = (window: AudioWindow, from: number, to: number): AudioWindow => {
  const start = Math.max(window.start, from)
  const end = Math.min(window.end, to)
  const at = (time: number) => Math.round(time - window.start) * SAMPLES_PER_MILLISECOND
  const part = { ...window, start, end, samples: window.samples.subarray(at(start), at(end)) }
  if (window.speech === undefined) return part
  const inside = window.speech.filter((span) => span.start < end && span.end > start)
  const clamped = (span: Span) => ({ start: Math.max(start, span.start), end: Math.min(end, span.end) })
  return { ...part, speech: inside.map(clamped) }
}

/** Where a voice is in a window; all of it but its padding where that is not known. */
export const voiceIn = ({ start, end, speech }: AudioWindow): ReadonlyArray<Span> =>
  speech ?? [{ start: start + PADDING, end: end - PADDING }]

/** A window in parts, without its longer pauses. */
export const partsBetweenPauses = (window: AudioWindow): ReadonlyArray<AudioWindow> => {
  const parts: Array<AudioWindow> = []
  let from = window.start
  let last = Number.POSITIVE_INFINITY
  for (const { start, end } of window.speech ?? []) {
    if (start - last > LONGEST_PAUSE) {
      parts.push(partOf(window, from, last + PADDING))
      from = start - PADDING
    }
    last = end
  }
  return [...parts, partOf(window, from, window.end)]
}

/** A window without the noise before and after the voice in it. */
export const trimmedOf = (window: AudioWindow): AudioWindow => {
  const voice = voiceIn(window)
  const from = voice[0]?.start ?? window.start
  const to = voice.at(-1)?.end ?? window.end
  return partOf(window, Math.round(from) - MARGIN, Math.round(to) + MARGIN)
}

/** The same sound after a moment of silence. An engine that stumbles over the first sounds of a window hears them later now. */
export const delayedOf = (window: AudioWindow): AudioWindow => {
  const silence = LEAD * SAMPLES_PER_MILLISECOND
  const samples = new Int16Array(silence + window.samples.length)
  samples.set(window.samples, silence)
  return { ...window, start: window.start - LEAD, samples }
}

/** Two windows in one, with a moment of silence between them, on the timeline of the left or the right one. */
const joinedWindow = (left: AudioWindow, right: AudioWindow, timeline: "left" | "right"): AudioWindow => {
  const silence = JOINT * SAMPLES_PER_MILLISECOND
  const samples = new Int16Array(left.samples.length + silence + right.samples.length)
  samples.set(left.samples)
  samples.set(right.samples, left.samples.length + silence)
  const lead = (left.samples.length + silence) / SAMPLES_PER_MILLISECOND
  const start = timeline === "left" ? left.start : right.start - lead
  return {
    index: timeline === "left" ? left.index : right.index,
    start,
    end: start + samples.length / SAMPLES_PER_MILLISECOND,
    samples,
  }
}

/** A window together with the nearest stretch of speech of each neighbour, as far as both are no longer than `longest`. */
export const joinedWithNeighbours = (
  window: AudioWindow,
  { before, after }: Neighbours,
  longest: number,
): ReadonlyArray<AudioWindow> => {
  const joined: Array<AudioWindow> = []
  const spoken = before === null ? undefined : voiceIn(before).at(-1)
  if (before !== null && spoken !== undefined) {
    const end = Math.min(spoken.end + MARGIN, window.start)
    joined.push(
      joinedWindow(partOf(before, Math.round(spoken.start) - MARGIN, Math.round(end)), window, "right"),
    )
  }
  const next = after === null ? undefined : voiceIn(after)[0]
  if (after !== null && next !== undefined) {
    const start = Math.max(next.start - MARGIN, window.end)
    joined.push(joinedWindow(window, partOf(after, Math.round(start), Math.round(next.end) + MARGIN), "left"))
  }
  return joined.filter(({ start, end }) => end - start <= longest)
}
