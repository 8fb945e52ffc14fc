import {
  LATEST_SPAN,
  makeSampleRing,
  makeStereoMixer,
  makeWindowPlanner,
  quietestCut,
  SAMPLE_RATE,
  SAMPLES_PER_MILLISECOND,
  type SampleRange,
} from "@earmark/core/audio"
import { type AudioWindow, type Listening, type VoiceDetector, WorkFailed } from "@earmark/service"
import { Chunk, Effect, Option, Stream } from "effect"
import { refuse, tooLong } from "./failures.js"
import type { SoundSource } from "./SoundSource.js"

const mono = (source: SoundSource) => {
  const mixer = source.channels === 2 ? makeStereoMixer() : null
  return {
    push: (samples: Int16Array) => (mixer === null ? samples : mixer.push(samples)),
    finish: () => (mixer === null ? new Int16Array(0) : mixer.finish()),
    cancelled: () => mixer?.cancelled() ?? false,
  }
}

/** What listening to a recording has shown so far. */
interface Heard {
  /** Samples decoded, those before the beginning asked for included. */
  decoded: number
  speech: Array<{ readonly start: number; readonly end: number }>
  hasCancelled: boolean
}

/**
 * Speech windows of a sound, as they are asked for: mixed, trimmed, searched for voices and cut. Times are those of the whole
 * recording. Memory stays the same however long it is, but for the list of voice spans.
 */
export const speechWindows = (
  source: SoundSource,
  detector: VoiceDetector,
  { startAt, endAt, windows: shape, maxSeconds }: Listening,
) => {
  const from = (startAt ?? 0) * SAMPLES_PER_MILLISECOND
  const to = (endAt ?? Number.POSITIVE_INFINITY) * SAMPLES_PER_MILLISECOND
  const most = from + (maxSeconds ?? Number.POSITIVE_INFINITY) * SAMPLE_RATE
  // A stretch of speech is told of late, and may be joined to one that was told of before.
  const ring = makeSampleRing(2 * LATEST_SPAN + shape.longest * SAMPLES_PER_MILLISECOND)
  const planner = makeWindowPlanner(shape, ({ start, end }) => start + quietestCut(ring.slice(start, end)))
  const mixer = mono(source)
  const heard: Heard = { decoded: 0, speech: [], hasCancelled: false }
  let index = 0
  let isOver = false
  // A megabyte for each window is more than a collector keeps up with: the memory of windows that are done is used again.
  const free: Array<Int16Array> = []
  // Weak: a window that is never given back is garbage like any other.
  const inUse = new WeakMap<AudioWindow, Int16Array>()

  /** The stretches of speech in a window: the last that were found, and those before them. */
  const speechIn = (start: number, end: number) => {
    const found: Array<{ readonly start: number; readonly end: number }> = []
    for (let at = heard.speech.length - 1; at >= 0; at--) {
      const span = heard.speech[at]
      if (span === undefined || span.end <= start) break
      if (span.start < end) found.push({ start: Math.max(start, span.start), end: Math.min(end, span.end) })
    }
    return found.reverse()
  }

  const windowOf = (range: SampleRange): AudioWindow => {
    const memory = free.pop() ?? new Int16Array(shape.longest * SAMPLES_PER_MILLISECOND)
    const start = (from + range.start) / SAMPLES_PER_MILLISECOND
    const end = (from + range.end) / SAMPLES_PER_MILLISECOND
    const window: AudioWindow = {
      index: index++,
      start,
      end,
      samples: ring.slice(range.start, range.end, memory),
      speech: speechIn(start, end),
    }
    inUse.set(window, memory)
    return window
  }

  const release = (window: AudioWindow) => {
    const memory = inUse.get(window)
    if (memory !== undefined && inUse.delete(window)) free.push(memory)
  }

  const plan = (spans: ReturnType<VoiceDetector["push"]>): ReadonlyArray<AudioWindow> => {
    const ranges = spans.flatMap(({ start, end }) => {
      heard.speech.push({ start: start + (startAt ?? 0), end: end + (startAt ?? 0) })
      return planner.add({
        start: Math.round(start * SAMPLES_PER_MILLISECOND),
        end: Math.min(ring.total(), Math.round(end * SAMPLES_PER_MILLISECOND)),
      })
    })
    return [...ranges, ...planner.passed(ring.total())].map(windowOf)
  }

  /** The part of freshly decoded samples that was asked for. */
  const wanted = (samples: Int16Array): Int16Array => {
    const before = heard.decoded
    heard.decoded += samples.length
    return samples.subarray(
      Math.min(samples.length, Math.max(0, from - before)),
      Math.min(samples.length, Math.max(0, to - before)),
    )
  }

  const listen = (samples: Int16Array): ReadonlyArray<AudioWindow> => {
    const windows: Array<AudioWindow> = []
    // In small parts: the ring holds what a detector may still speak of, and no more.
    for (let at = 0; at < samples.length; at += SAMPLE_RATE) {
      const part = samples.subarray(at, at + SAMPLE_RATE)
      ring.push(part)
      windows.push(...plan(detector.push(part)))
    }
    return windows
  }

  const finish = (): ReadonlyArray<AudioWindow> => {
    const windows = [...listen(wanted(mixer.finish())), ...plan(detector.finish())]
    heard.hasCancelled = mixer.cancelled()
    return [...windows, ...planner.finish(ring.total()).map(windowOf)]
  }

  const step = Effect.gen(function* () {
    const samples = yield* source.read
    if (samples === null) {
      isOver = true
      const windows = finish()
      if (heard.decoded === 0)
        return yield* refuse("empty_media", "The audio track of the file is empty; check the recording.")
      return windows
    }
    const windows = listen(wanted(mixer.push(samples)))
    if (maxSeconds !== null && heard.decoded > most) return yield* tooLong(maxSeconds)
    return windows
  }).pipe(
    Effect.catchAllDefect((cause) => new WorkFailed({ code: "internal_error", isTransient: true, cause })),
  )

  const pull = Effect.gen(function* () {
    while (!isOver) {
      const windows = yield* step
      if (windows.length > 0) return Chunk.unsafeFromArray([...windows])
    }
    return yield* Effect.fail(Option.none<WorkFailed>())
  }).pipe(Effect.mapError((error) => (Option.isOption(error) ? error : Option.some(error))))

  return { windows: Stream.repeatEffectChunkOption(pull), heard, release }
}
