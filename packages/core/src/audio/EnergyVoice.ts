/**
 * Tells speech from silence by loudness: a frame counts when it is louder than the loudest of the last minute less 35 dB, and louder
 * than the quietest plus 6 dB. Pauses under 0.3 s belong to the speech around them; what lasts under 0.2 s is none.
 */
import { FRAME_MILLISECONDS } from "./frames.js"
import { SAMPLES_PER_MILLISECOND } from "./samples.js"

const FRAME = FRAME_MILLISECONDS * SAMPLES_PER_MILLISECOND
/** Frames that are judged together, and how many such blocks say how loud it is here. */
const BLOCK = 2000
const BLOCKS = 3

const SHORTEST_PAUSE = 30
const SHORTEST_SPEECH = 20
/** Speech without a pause is cut after this many frames, in the latter half, where it is quietest. */
const LONGEST_SPEECH = 2000
const QUIET = 20

const BELOW_LOUDEST = 35
const ABOVE_QUIETEST = 6
const SILENCE = -70

const FLOOR = -100
const BINS = 200
const binOf = (decibels: number): number =>
  Math.max(0, Math.min(BINS - 1, Math.floor(((decibels - FLOOR) * BINS) / -FLOOR)))
const decibelsOf = (bin: number): number => FLOOR + ((bin + 0.5) * -FLOOR) / BINS

/** A stretch with a voice in it, in milliseconds. */
export interface VoiceSpan {
  readonly start: number
  readonly end: number
}

export interface EnergyVoice {
  /** Takes the next samples; answers the spans that have ended since. The same samples give the same spans, however they were cut. */
  readonly push: (samples: Int16Array) => ReadonlyArray<VoiceSpan>
  readonly finish: () => ReadonlyArray<VoiceSpan>
}

const percentile = (histograms: ReadonlyArray<Uint32Array>, share: number): number => {
  let total = 0
  for (const histogram of histograms) for (const count of histogram) total += count
  let passed = 0
  for (let bin = 0; bin < BINS; bin++) {
    for (const histogram of histograms) passed += histogram[bin] ?? 0
    if (passed > total * share) return decibelsOf(bin)
  }
  return 0
}

/** Joins loud frames to spans, one after the other. */
const makeRuns = (found: (span: VoiceSpan) => void) => {
  const energies = new Float32Array(LONGEST_SPEECH)
  let at = 0
  let start = -1
  let lastLoud = -1
  /** Whether the span goes on where the one before was cut: then it is speech however short it is. */
  let goesOn = false

  const tell = (from: number, to: number) => {
    if (to - from >= (goesOn ? 1 : SHORTEST_SPEECH)) {
      found({ start: from * FRAME_MILLISECONDS, end: to * FRAME_MILLISECONDS })
    }
  }

  const quietest = () => {
    let sum = 0
    let least = Number.POSITIVE_INFINITY
    let best = LONGEST_SPEECH
    for (let frame = LONGEST_SPEECH / 2; frame < LONGEST_SPEECH; frame++) {
      sum += energies[(start + frame) % LONGEST_SPEECH] ?? 0
      if (frame >= LONGEST_SPEECH / 2 + QUIET) sum -= energies[(start + frame - QUIET) % LONGEST_SPEECH] ?? 0
      if (frame < LONGEST_SPEECH / 2 + QUIET - 1 || sum >= least) continue
      least = sum
      best = frame + 1 - QUIET / 2
    }
    return start + best
  }

  const frame = (energy: number, isLoud: boolean) => {
    energies[at % LONGEST_SPEECH] = energy
    if (start >= 0 && at - lastLoud > SHORTEST_PAUSE) {
      tell(start, lastLoud + 1)
      start = -1
      goesOn = false
    }
    if (isLoud) {
      if (start < 0) start = at
      lastLoud = at
    }
    at += 1
    if (start >= 0 && at - start >= LONGEST_SPEECH) {
      const cut = quietest()
      tell(start, cut)
      start = cut
      goesOn = true
    }
  }

  const finish = () => {
    if (start >= 0) tell(start, lastLoud + 1)
    start = -1
  }

  return { frame, finish }
}

/** Listens to one recording, in order. A span is told of at most a minute after its beginning. */
export const makeEnergyVoice = (): EnergyVoice => {
  let spans: Array<VoiceSpan> = []
  const runs = makeRuns((span) => spans.push(span))
  const block = new Float32Array(BLOCK)
  let histograms: ReadonlyArray<Uint32Array> = []
  let frames = 0
  let sum = 0
  let inFrame = 0

  const judge = () => {
    const histogram = new Uint32Array(BINS)
    for (let frame = 0; frame < frames; frame++) {
      const bin = binOf(block[frame] ?? 0)
      histogram[bin] = (histogram[bin] ?? 0) + 1
    }
    histograms = [...histograms, histogram].slice(-BLOCKS)
    const threshold = Math.max(
      percentile(histograms, 0.9) - BELOW_LOUDEST,
      percentile(histograms, 0.05) + ABOVE_QUIETEST,
      SILENCE,
    )
    for (let frame = 0; frame < frames; frame++) {
      const energy = block[frame] ?? 0
      runs.frame(energy, energy > threshold)
    }
    frames = 0
  }

  const taken = () => {
    const found = spans
    spans = []
    return found
  }

  const push = (samples: Int16Array) => {
    for (let at = 0; at < samples.length; ) {
      const end = Math.min(samples.length, at + FRAME - inFrame)
      inFrame += end - at
      // What a closure keeps is written to the heap: each sample would leave a number behind for the collector.
      let energy = sum
      for (; at < end; at++) {
        const sample = samples[at] ?? 0
        energy += sample * sample
      }
      sum = energy
      if (inFrame < FRAME) break
      block[frames] = 10 * Math.log10(sum / (FRAME * 32_768 * 32_768) + 1e-10)
      frames += 1
      sum = 0
      inFrame = 0
      if (frames === BLOCK) judge()
    }
    return taken()
  }

  const finish = () => {
    if (frames > 0) judge()
    runs.finish()
    return taken()
  }

  return { push, finish }
}
