/** One window through an engine that may crash, hang, fall silent or lose the thread. */
import { quietestCut, SAMPLES_PER_MILLISECOND } from "@earmark/core/audio"
import { integrityOf, type Word } from "@earmark/core/transcripts"
import { Duration, Effect } from "effect"
import { measureEngine } from "../observing/measure.js"
import { type AudioWindow, type Recognition, type SpeechEngine, WorkFailed } from "../ports/Speech.js"
import type { HearingOptions } from "./Checkpoints.js"

type Asked = Pick<HearingOptions, "language" | "quality" | "vocabulary">

/** No engine is given a window shorter than twice this, in milliseconds, to be cut in two. */
const SHORTEST_HALF = 500
/** So much speech without a word is suspicious. A window has a quarter of a second of padding on both sides. */
const SUSPICIOUS = 3000 + 500
/** How far outside its window a word may lie. */
const OVERHANG = 1000
/** A window may take so many times its own length, whatever the limit is. */
const SLOWEST = 20

/** The two halves of a window, cut where it is quietest; null when it is too short for that. */
const halvesOf = (window: AudioWindow): readonly [AudioWindow, AudioWindow] | null => {
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

const joined = (left: Recognition, right: Recognition): Recognition => ({
  words: [...left.words, ...right.words],
  language: left.language ?? right.language,
  warnings: [...left.warnings, ...right.warnings],
})

const isInside =
  ({ start, end }: AudioWindow) =>
  (word: Word) =>
    word.start >= start - OVERHANG && word.end <= end + OVERHANG && word.end >= word.start

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
    Effect.timeoutFail(effect, {
      duration: Duration.max(windowTimeout, Duration.millis(SLOWEST * (end - start))),
      onTimeout: () => new WorkFailed({ code: "engine_timeout", isTransient: true }),
    })

/**
 * Hears windows with an engine. One that fails is heard once more, then in two halves; if a half fails too, so does the window. Nothing is
 * skipped: speech without words is heard once more in halves, and text that runs in circles once more without the vocabulary.
 */
export const makeHearWindow = (engine: SpeechEngine["Type"], windowTimeout: Duration.Duration) => {
  const measure = measureEngine(engine.capabilities.id)

  const once = (window: AudioWindow, asked: Asked): Effect.Effect<Recognition, WorkFailed> =>
    engine.recognize(window, asked).pipe(
      tooLong(window, windowTimeout),
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

  const hear = Effect.fnUntraced(function* (window: AudioWindow, asked: Asked) {
    const first = yield* surely(window, asked)
    if (first.words.length === 0 && window.end - window.start >= SUSPICIOUS) {
      return (yield* inHalves(window, asked)) ?? first
    }
    if (asked.vocabulary.length === 0 || !hasLoop(window, first)) return first
    const second = yield* surely(window, { ...asked, vocabulary: [] })
    return second.words.length === 0 || hasLoop(window, second) ? first : second
  })

  return hear
}
