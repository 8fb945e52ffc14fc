/** One window through an engine that may crash, hang, fall silent or lose the thread. */
import { warningOf } from "@earmark/core/jobs"
import { integrityOf, type Span, type Word } from "@earmark/core/transcripts"
import { Duration, Effect } from "effect"
import { measureEngine } from "../observing/measure.js"
import {
  type AudioWindow,
  type EngineAnswer,
  type Recognition,
  type SpeechEngine,
  WorkFailed,
} from "../ports/Speech.js"
import * as TimeLimit from "../TimeLimit.js"
import type { HearingOptions } from "./Checkpoints.js"
import {
  delayedOf,
  halvesOf,
  joinedWithNeighbours,
  type Neighbours,
  trimmedOf,
  voiceIn,
} from "./windowParts.js"
import { windowsOf } from "./windowsOf.js"
import type { TimedRecognition } from "./wordTimes.js"

type Asked = Pick<HearingOptions, "language" | "quality" | "vocabulary">

/** Less of a voice than this, in milliseconds, may be a cough; more of it without a word is heard again. */
const SUSPICIOUS = 600
/** How far outside its own part of a joined window a word may lie, in milliseconds. */
const BESIDE = 100
/** How far outside its window a word may lie. */
const OVERHANG = 1000
/** A window may take so many times its own length, whatever the limit is. */
const SLOWEST = 20

const recognitionOf = (answer: EngineAnswer): Recognition => ({
  ...answer,
  words: answer.words.map((word) => ({ ...word, speaker: word.speaker ?? null })),
})

const joined = (left: Recognition, right: Recognition): Recognition => ({
  words: [...left.words, ...right.words],
  language: left.language ?? right.language,
  warnings: [...left.warnings, ...right.warnings],
})

const isInside =
  ({ start, end }: AudioWindow) =>
  (word: Word) =>
    word.start >= start - OVERHANG && word.end <= end + OVERHANG && word.end >= word.start

/** Words of a window that began earlier, put inside this one. */
const within = (heard: Recognition, { start, end }: AudioWindow): Recognition => {
  const inside = (time: number) => Math.min(end, Math.max(start, time))
  const words = heard.words.map((word) => ({ ...word, start: inside(word.start), end: inside(word.end) }))
  return { ...heard, words }
}

const lengthOf = (spans: ReadonlyArray<Span>): number =>
  spans.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0)

const hasLoop = ({ start, end }: AudioWindow, { words }: Recognition): boolean => {
  const text = words.map((word) => word.text).join(" ")
  const segment = { start, end, speaker: null, text, words }
  return integrityOf({ duration: end, segments: [segment], voice: null }).repeats.length > 0
}

/** Whether hearing the same again, or less of it at once, may help. */
const isWorthATry = ({ code }: WorkFailed): boolean => code === "engine_error" || code === "engine_timeout"

/** Gives up on a window that takes longer than is allowed for its length. */
export const tooLong =
  ({ start, end }: AudioWindow, windowTimeout: Duration.Duration) =>
  <A, R>(effect: Effect.Effect<A, WorkFailed, R>) =>
    TimeLimit.fail(effect, {
      duration: Duration.max(windowTimeout, Duration.millis(SLOWEST * (end - start))),
      onTimeout: () => new WorkFailed({ code: "engine_timeout", isTransient: true }),
    })

/**
 * Hears windows with an engine. One that fails is heard once more, then in two halves; if a half fails too, so does the window. Nothing is
 * skipped silently: a voice without words is heard again without the noise around it, in halves, after a moment of silence and together
 * with its neighbours, and is noted as lost when none of these finds a word. Text that runs in circles is heard once more without the vocabulary.
 */
export const makeHearWindow = (
  engine: SpeechEngine["Type"],
  windowTimeout: Duration.Duration,
  timeWords: (window: AudioWindow, recognition: Recognition, asked: Asked) => Effect.Effect<TimedRecognition>,
) => {
  const measure = measureEngine(engine.capabilities.id)

  const once = (window: AudioWindow, asked: Asked): Effect.Effect<Recognition, WorkFailed> =>
    engine.recognize(window, asked).pipe(
      tooLong(window, windowTimeout),
      Effect.map(recognitionOf),
      Effect.filterOrFail(
        ({ words }) => words.every(isInside(window)),
        () =>
          new WorkFailed({
            code: "engine_error",
            isTransient: true,
            detail: "The speech engine gave words at times that were never heard.",
          }),
      ),
      measure(window),
    )

  const twice = (window: AudioWindow, asked: Asked) =>
    once(window, asked).pipe(
      Effect.tapError((failed) => Effect.logDebug("A window failed", failed)),
      Effect.retry({ times: 1, while: isWorthATry }),
    )

  /** Both halves; null when there are none. */
  const inHalves = Effect.fnUntraced(function* (window: AudioWindow, asked: Asked) {
    const halves = halvesOf(window)
    if (halves === null) return null
    const [left, right] = halves
    return joined(yield* twice(left, asked), yield* twice(right, asked))
  })

  const surely = (window: AudioWindow, asked: Asked) =>
    twice(window, asked).pipe(
      Effect.catchIf(isWorthATry, (failed) =>
        Effect.flatMap(inHalves(window, asked), (heard) =>
          heard === null ? Effect.fail(failed) : Effect.succeed(heard),
        ),
      ),
    )

  /** The words of a window that was heard as a part of another one; none where it cannot be told which they are. */
  const ownOf = Effect.fnUntraced(function* (window: AudioWindow, joint: AudioWindow, asked: Asked) {
    const heard = yield* timeWords(joint, yield* surely(joint, asked), asked)
    const isOwn = ({ start, end }: Word) =>
      start + end > 2 * (window.start - BESIDE) && start + end < 2 * (window.end + BESIDE)
    const words = heard.timing === "estimated" ? [] : heard.words.filter(isOwn)
    const warnings =
      heard.timing === "aligned" ? [...heard.warnings, warningOf("no_word_times")] : heard.warnings
    return within({ words, language: heard.language, warnings }, window)
  })

  /** A window in which the engine found no words, in other ways; the last of them has no words either when all of them failed. */
  const again = Effect.fnUntraced(function* (
    window: AudioWindow,
    asked: Asked,
    first: Recognition,
    neighbours: Neighbours,
  ) {
    const trimmed = trimmedOf(window)
    const { longest } = windowsOf(engine, asked)
    const ways = [
      surely(trimmed, asked),
      Effect.map(inHalves(trimmed, asked), (heard) => heard ?? first),
      Effect.map(surely(delayedOf(trimmed), asked), (heard) => within(heard, window)),
      ...joinedWithNeighbours(trimmed, neighbours, longest).map((joint) => ownOf(trimmed, joint, asked)),
    ]
    for (const way of ways) {
      const heard = yield* way
      if (heard.words.length > 0) return heard
    }
    return { ...first, warnings: [...first.warnings, warningOf("speech_lost")] }
  })

  const hear = Effect.fnUntraced(function* (
    window: AudioWindow,
    asked: Asked,
    neighbours: Neighbours = { before: null, after: null },
  ) {
    const first = yield* surely(window, asked)
    if (first.words.length === 0)
      return lengthOf(voiceIn(window)) < SUSPICIOUS ? first : yield* again(window, asked, first, neighbours)
    if (asked.vocabulary.length === 0 || !hasLoop(window, first)) return first
    const second = yield* surely(window, { ...asked, vocabulary: [] })
    return second.words.length === 0 || hasLoop(window, second) ? first : second
  })

  return hear
}
