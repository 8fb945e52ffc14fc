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
