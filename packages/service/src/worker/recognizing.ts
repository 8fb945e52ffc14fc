import { type Warning, warningOf } from "@earmark/core/jobs"
import { identifyLanguage } from "@earmark/core/text"
import { mergeSpans, repairWords, type Word } from "@earmark/core/transcripts"
import { Effect, Stream } from "effect"
import { type Claimed, JobQueue, type Span } from "../ports/JobQueue.js"
import type { Finished, StoredJob } from "../ports/records.js"
import {
  type AudioWindow,
  type EngineCapabilities,
  type Media,
  SpeechEngine,
  WorkFailed,
} from "../ports/Speech.js"
import type { Ear } from "../transcribe/speakers.js"
import { steady } from "./steady.js"
import { WorkerConfig } from "./WorkerConfig.js"

/** What was heard, from the checkpoints and from now. */
interface Heard {
  readonly words: ReadonlyArray<Word>
  readonly detectedLanguage: Finished["detectedLanguage"]
  readonly warnings: ReadonlyArray<Warning>
  /** False when the worker is to stop before the end of the media. */
  readonly complete: boolean
}

/** What a user should know about an engine beforehand. It follows from the job alone, so a resumed one has the same. */
const engineWarnings = (capabilities: EngineCapabilities, { options }: StoredJob): ReadonlyArray<Warning> => [
  ...(capabilities.isDraft ? [warningOf("draft_quality")] : []),
  ...(capabilities.wordTimes ? [] : [warningOf("no_word_times")]),
  ...(capabilities.confidence ? [] : [warningOf("no_confidence")]),
  ...(capabilities.vocabulary === "none" && options.vocabulary.length > 0
    ? [warningOf("vocabulary_ignored")]
    : []),
  ...(options.qualityExplicit && !capabilities.qualities.includes(options.quality)
    ? [warningOf("quality_ignored")]
    : []),
]

/** Each warning once. */
export const distinct = (warnings: ReadonlyArray<Warning>): ReadonlyArray<Warning> => [
  ...new Map(warnings.map((warning) => [warning.code, warning])).values(),
]

type Language = NonNullable<Finished["detectedLanguage"]>

const likeliest = (votes: ReadonlyArray<Language>): Language | null => {
  const sums = new Map<string, number>()
  for (const { code, confidence } of votes) sums.set(code, (sums.get(code) ?? 0) + confidence)
  const [best] = [...sums].sort((left, right) => right[1] - left[1])
  if (best === undefined) return null
  const [code, sum] = best
  return { code, confidence: Math.min(1, sum / votes.length) }
}

const SHARE_BEFORE = 0.05
const SHARE_OF_SPEECH = 0.85

/** Turns windows into words; every window is a checkpoint, and those that are there already are not heard again. */
export const makeRecognizing = Effect.gen(function* () {
  const queue = yield* JobQueue
  const engine = yield* SpeechEngine
  const { windowTimeout } = yield* WorkerConfig

  const hear = Effect.fnUntraced(function* (
    { lease, job }: Claimed,
    media: Media,
    options: {
      readonly durationSeconds: number | null
      readonly isStopping: () => boolean
      readonly ear: Ear | null
    },
  ) {
    const kept = yield* steady(queue.spans(job.id, -1))
    const spans: Array<Span> = [...kept]
    const done = new Set(kept.map(({ index }) => index))
    const votes: Array<Language> = []
    const warnings: Array<Warning> = []
    let stopped = false

    const recognize = Effect.fnUntraced(function* (window: AudioWindow) {
      stopped = stopped || options.isStopping()
      if (stopped) return
      const { language, quality, vocabulary } = job.options
      const recognition = yield* engine.recognize(window, { language, quality, vocabulary }).pipe(
        Effect.timeoutFail({
          duration: windowTimeout,
          onTimeout: () => new WorkFailed({ code: "engine_timeout", isTransient: true }),
        }),
      )
      const { index, start, end } = window
      const span: Span = { index, start, end, words: recognition.words }
      yield* steady(queue.saveSpan(lease, span))
      spans.push(span)
      if (recognition.language !== null) votes.push(recognition.language)
      warnings.push(...recognition.warnings)
      const length = options.durationSeconds
      if (length === null || length === 0) return
      const progress = SHARE_BEFORE + SHARE_OF_SPEECH * Math.min(1, end / (length * 1000))
      yield* steady(queue.report(lease, { phase: "transcribing", progress }))
    })

    yield* media.windows.pipe(
      Stream.tap((window) => options.ear?.hear(window) ?? Effect.void),
      Stream.filter(({ index }) => !done.has(index)),
      Stream.mapEffect(recognize, {
        concurrency: Math.max(1, engine.capabilities.concurrency),
        unordered: true,
      }),
      Stream.runDrain,
    )

    const words = repairWords(mergeSpans(spans))
    const text = words.map((word) => word.text).join(" ")
    const heard: Heard = {
      words,
      detectedLanguage: job.options.language === null ? (likeliest(votes) ?? identifyLanguage(text)) : null,
      warnings: distinct([...engineWarnings(engine.capabilities, job), ...media.warnings, ...warnings]),
      complete: !stopped,
    }
    return heard
  })

  return { hear, engine }
})
