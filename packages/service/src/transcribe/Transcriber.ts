import type { Warning } from "@earmark/core/jobs"
import { identifyLanguage } from "@earmark/core/text"
import {
  type HeardWindow,
  mergeSpans,
  repairWords,
  type Turn,
  voiceWithoutWords,
  type Word,
} from "@earmark/core/transcripts"
import { type Duration, Effect, Option, Queue, type Scope, Stream } from "effect"
import type { Span } from "../ports/JobQueue.js"
import { type AudioWindow, Diarizer, type Media, SpeechEngine, type WorkFailed } from "../ports/Speech.js"
import { type Checkpoints, type HearingOptions, planOf } from "./Checkpoints.js"
import { makeHearWindow } from "./hearWindow.js"
import { type DetectedLanguage, likeliest, makeDetectLanguage } from "./languages.js"
import { makeMendGaps, SHORTEST_GAP } from "./mendGaps.js"
import { makeProgress } from "./progress.js"
import { openEar } from "./speakers.js"
import { distinct, engineWarnings } from "./warnings.js"
import { type Neighbours, partOf } from "./windowParts.js"
import { type HeardTiming, heardWindows, makeTimeWords, timingOf } from "./wordTimes.js"

/** What was heard of a media file, from its checkpoints and from now. */
export interface Heard {
  /** In order, with times put right. */
  readonly words: ReadonlyArray<Word>
  /** The language given, detected or, by an engine that knows one only, assumed; null when nothing tells. */
  readonly language: string | null
  /** Null when the language was given, or cannot be told. */
  readonly detectedLanguage: DetectedLanguage | null
  readonly warnings: ReadonlyArray<Warning>
  /** False when hearing was to stop before the end: what is there can be gone on from. */
  readonly complete: boolean
  /** How much was heard, and where anyone speaks in it. Known when complete. */
  readonly durationSeconds: number
  readonly voice: ReadonlyArray<{ readonly start: number; readonly end: number }>
  /** The part of that in which the engine found no words, however often it heard it. */
  readonly lost: ReadonlyArray<{ readonly start: number; readonly end: number }>
  /** The stretches that were heard at once, and how well the words of each fit its sound. */
  readonly windows: ReadonlyArray<HeardWindow>
  readonly timing: HeardTiming
  /** Who spoke when, reckoned when it is asked for; null when it cannot be found out, or nobody wanted to know. */
  readonly turns: Effect.Effect<ReadonlyArray<Turn> | null>
}

/** What whoever wants a transcript may add. */
export interface Hearing<E> {
  /** Asked before every window: whether to stop there. */
  readonly isStopping?: () => boolean
  /** Every span in the order of time, once all before it are there; those from checkpoints too. */
  readonly follow?: (span: Span) => Effect.Effect<void, E>
}

/**
 * The language that was voted for, or that of the text by its letters: what an engine that names none has heard. A vote without
 * confidence is no evidence, and neither is the text then: such an engine writes its own language, whatever is spoken.
 */
const languageOf = (
  votes: ReadonlyArray<DetectedLanguage>,
  words: ReadonlyArray<Word>,
): Pick<Heard, "language" | "detectedLanguage"> => {
  const found = likeliest(votes) ?? identifyLanguage(words.map(({ text }) => text).join(" "))
  const language = found?.code ?? null
  return { language, detectedLanguage: found !== null && found.confidence > 0 ? found : null }
}

/** The voice in spans that are noted as lost: all of it where a span has no words, else what is between them. */
const lostIn = (spans: ReadonlyArray<Span>, voice: Heard["voice"]): Heard["lost"] =>
  spans
    .filter(({ notes }) => notes?.warnings.some(({ code }) => code === "speech_lost"))
    .flatMap((span) => {
      const inside = voice
        .filter(({ start, end }) => start < span.end && end > span.start)
        .map(({ start, end }) => ({ start: Math.max(start, span.start), end: Math.min(end, span.end) }))
      return span.words.length === 0 ? inside : voiceWithoutWords(inside, span.words, SHORTEST_GAP)
    })

/**
 * Gives each window to one of so many hands, as they come free. Nothing is decoded ahead of them but so many windows: a full queue stops
 * the decoder. Plain loops, because the streams of Effect make a fiber and its tail of small objects for each window.
 */
const shareOut = Effect.fnUntraced(function* <Window, E>(
  windows: Stream.Stream<Window, E>,
  hands: number,
  hear: (window: Window) => Effect.Effect<void, E>,
) {
  const ready = yield* Queue.bounded<Window | null>(hands)
  const decode = Effect.gen(function* () {
    yield* Stream.runForEach(windows, (window) => ready.offer(window))
    for (let hand = 0; hand < hands; hand++) yield* ready.offer(null)
  })
  const work = Effect.gen(function* () {
    for (let window = yield* ready.take; window !== null; window = yield* ready.take) yield* hear(window)
  })
  yield* Effect.all([decode, ...Array.from({ length: hands }, () => work)], {
    concurrency: "unbounded",
    discard: true,
  })
})

/**
 * Turns media into words, over the engine and the diarizer there are. Every window is a checkpoint; those that are there already are
 * not heard again. Windows may finish in any order, the result is the same. Interruption stops everything that is under way.
 */
export const makeTranscriber = (settings: { readonly windowTimeout: Duration.Duration }) =>
  Effect.gen(function* () {
    const engine = yield* SpeechEngine
    const diarizer = yield* Diarizer
    const { capabilities } = engine
    const detectLanguage = makeDetectLanguage(engine, settings.windowTimeout)
    const timeWords = yield* makeTimeWords(capabilities)
    const hearWindow = makeHearWindow(engine, settings.windowTimeout, timeWords)
    const mendGaps = makeMendGaps(hearWindow, timeWords)
    const concurrency = Math.max(1, capabilities.concurrency)

    const transcribe = Effect.fn("Transcriber.transcribe")(function* <E = never, E2 = never>(
      media: Media,
      options: HearingOptions,
      checkpoints: Checkpoints<E>,
      hearing: Hearing<E2> = {},
    ): Effect.fn.Return<Heard, WorkFailed | E | E2, Scope.Scope> {
      const ear = options.diarize ? yield* openEar(diarizer, options.speakers) : null
      const kept = yield* checkpoints.load(planOf(media, capabilities, options))
      const spans = new Map(kept.map((span) => [span.index, span]))
      const detected = yield* detectLanguage(media, options, kept)
      const asked = detected === null ? options : { ...options, language: detected.code }
      const progress = yield* makeProgress(
        { ...options, durationSeconds: media.durationSeconds },
        checkpoints.report,
        hearing.follow ?? (() => Effect.void),
      )
      let stopped = false

      const goesOn = () => {
        stopped = stopped || hearing.isStopping?.() === true
        return !stopped
      }

      const recognize = Effect.fnUntraced(function* (window: AudioWindow, neighbours: Neighbours) {
        const before = spans.get(window.index)
        if (before !== undefined) return yield* progress.finished(before, false)
        if (!goesOn()) return
        const timed = yield* timeWords(window, yield* hearWindow(window, asked, neighbours), asked)
        const recognition = yield* mendGaps(window, asked, timed)
        const { index, start, end } = window
        const { words, warnings, timing, misfit } = recognition
        const language = detected ?? recognition.language
        const notes = {
          ...{ language, warnings },
          ...(timing !== "engine" && { timing }),
          ...(misfit !== null && { misfit: Math.round(1000 * misfit) / 1000 }),
        }
        const isSilent = language === null && warnings.length === 0 && timing === "engine" && misfit === null
        const span: Span = { index, start, end, words, ...(!isSilent && { notes }) }
        yield* checkpoints.save(span)
        spans.set(index, span)
        yield* progress.finished(span, true)
      })

      const over = new Set<number>()
      /** Gives back the windows that nobody looks at any more: a window is looked at with its neighbours too. */
      const release = (windows: ReadonlyArray<AudioWindow | null>) => {
        for (const window of windows) {
          if (window === null) continue
          const { index } = window
          if ((index === 0 || over.has(index - 1)) && over.has(index) && over.has(index + 1))
            media.release?.(window)
        }
      }

      const hearOnce = ([before, window, after]: readonly [
        Option.Option<AudioWindow>,
        AudioWindow,
        Option.Option<AudioWindow>,
      ]) => {
        const neighbours = { before: Option.getOrNull(before), after: Option.getOrNull(after) }
        return Effect.zipLeft(
          recognize(window, neighbours),
          Effect.sync(() => {
            over.add(window.index)
            release([neighbours.before, window, neighbours.after])
          }),
        )
      }

      let listenedTo = 0
      /** Who speaks is listened for once, also where windows overlap. */
      const listen = (window: AudioWindow) => {
        const fresh = partOf(window, listenedTo, window.end)
        listenedTo = window.end
        return ear?.hear(fresh) ?? Effect.void
      }
      const windows = media.windows.pipe(
        Stream.takeWhile(goesOn),
        Stream.tap(listen),
        Stream.zipWithPreviousAndNext,
      )
      yield* shareOut(windows, concurrency, hearOnce)

      // In the order of time, whatever order they were heard in: a resumed job comes to the same as one that ran through.
      const ordered = [...spans.values()].sort((left, right) => left.index - right.index)
      const words = repairWords(mergeSpans(ordered))
      const votes = ordered.flatMap(({ notes }) => notes?.language ?? [])
      const warnings = ordered.flatMap(({ notes }) => notes?.warnings ?? [])
      const { durationSeconds, speech, warnings: decoded } = yield* media.summary
      const heard: Heard = {
        words,
        ...(options.language !== null
          ? { language: options.language, detectedLanguage: null }
          : detected !== null
            ? { language: detected.code, detectedLanguage: detected }
            : languageOf(votes, words)),
        warnings: distinct([
          ...engineWarnings(capabilities, options),
          ...media.warnings,
          ...decoded,
          ...warnings,
        ]),
        complete: !stopped,
        durationSeconds,
        voice: speech,
        lost: lostIn(ordered, speech),
        // Nobody said what a stand-in for an engine writes.
        windows: capabilities.isStandIn === true ? [] : heardWindows(ordered),
        timing: timingOf(ordered),
        turns: ear?.turns ?? Effect.succeed(null),
      }
      return heard
    })

    return { engine, transcribe }
  })
