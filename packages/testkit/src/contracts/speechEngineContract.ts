import { warningOf } from "@earmark/core/jobs"
import { type AudioWindow, SpeechEngine, type WorkFailed } from "@earmark/service"
import { assert, describe } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import { type Case, casesIn, promise } from "./Case.js"

/** An engine to be tested, and what it is tested with. */
export interface SpeechBackend<E> {
  readonly layer: Layer.Layer<SpeechEngine, E>
  /** A window of at least two seconds in which somebody speaks a language that the engine knows. */
  readonly spoken: AudioWindow
  /** The language of that window. */
  readonly language: string
  /** A language that the engine does not know; null when it knows every one. */
  readonly unknownLanguage: string | null
  /** Ends the processes that the engine has at work, as a crash would; null for an engine that has none. */
  readonly crash: Effect.Effect<void> | null
}

class SpeechTrial extends Context.Tag("@earmark/testkit/SpeechTrial")<
  SpeechTrial,
  Omit<SpeechBackend<never>, "layer">
>() {}

type Asked = Parameters<SpeechEngine["Type"]["recognize"]>[1]

const RATE = 16
const GIVE_UP = Duration.seconds(1)

const hear = Effect.fnUntraced(function* (window: AudioWindow, asked: Partial<Asked> = {}) {
  const { recognize } = yield* SpeechEngine
  const { language } = yield* SpeechTrial
  return yield* recognize(window, { language, quality: "fast", vocabulary: [], ...asked })
})

const cut = (window: AudioWindow, milliseconds: number): AudioWindow => ({
  ...window,
  end: window.start + milliseconds,
  samples: window.samples.slice(0, milliseconds * RATE),
})

const silence = (milliseconds: number, loudness = 0): AudioWindow => ({
  index: 9,
  start: 60_000,
  end: 60_000 + milliseconds,
  samples: Int16Array.from({ length: milliseconds * RATE }, (_, at) => Math.round(loudness * Math.sin(at))),
})

const times = (words: ReadonlyArray<{ readonly start: number; readonly end: number }>) =>
  words.map(({ start, end }) => [start, end])

const failure = (result: Effect.Effect<unknown, WorkFailed, SpeechEngine | SpeechTrial>) =>
  Effect.map(Effect.flip(Effect.as(result, "heard" as const)), ({ code, isTransient }) => ({
    code,
    isTransient,
  }))

/** Two at a time are heard differently only when windows are mixed up. */
const sameWords = Effect.gen(function* () {
  const { spoken } = yield* SpeechTrial
  const half = cut(spoken, Math.floor((spoken.end - spoken.start) / 2))
  const [first, part] = yield* Effect.all([hear(spoken), hear(half)])
  const again = yield* Effect.all([hear(half), hear(spoken), hear(half)], { concurrency: "unbounded" })
  assert.deepStrictEqual(
    again.map(({ words }) => words),
    [part.words, first.words, part.words],
  )
})

export const speechEngineCases: ReadonlyArray<Case<SpeechEngine | SpeechTrial>> = [
  promise(
    "words are heard, lie inside the window and are in order, on the timeline of the media",
    Effect.gen(function* () {
      const { spoken } = yield* SpeechTrial
      const { words } = yield* hear(spoken)
      assert.isAbove(words.length, 2)
      words.forEach((word, at) => {
        assert.isTrue(Number.isInteger(word.start) && Number.isInteger(word.end), word.text)
        assert.isTrue(
          spoken.start <= word.start && word.start <= word.end && word.end <= spoken.end,
          word.text,
        )
        assert.isAtLeast(word.start, words[at - 1]?.start ?? 0, word.text)
        assert.strictEqual(word.text, word.text.trim())
        assert.notStrictEqual(word.text, "")
        assert.isNull(word.speaker ?? null, "engines do not tell speakers apart")
      })
    }),
  ),
  promise(
    "the same sound later in the media gives the same words, later",
    Effect.gen(function* () {
      const { spoken } = yield* SpeechTrial
      const moved = { ...spoken, index: 7, start: spoken.start + 100_000, end: spoken.end + 100_000 }
      const [here, there] = yield* Effect.all([hear(spoken), hear(moved)])
      assert.deepStrictEqual(
        there.words.map((word) => ({ ...word, start: word.start - 100_000, end: word.end - 100_000 })),
        here.words,
      )
    }),
  ),
  promise("the same window with the same options gives the same words, whatever else is heard", sameWords),
  promise(
    "nothing, a tenth of a second, and silence have no words",
    Effect.gen(function* () {
      const { spoken } = yield* SpeechTrial
      for (const window of [
        cut(spoken, 0),
        cut(spoken, 50),
        silence(100),
        silence(3_000),
        silence(3_000, 4),
      ]) {
        assert.deepStrictEqual(times((yield* hear(window)).words), [])
      }
      const { words } = yield* hear(cut(spoken, 100))
      for (const { start, end } of words) assert.isTrue(spoken.start <= start && end <= spoken.start + 100)
    }),
  ),
  promise(
    "confidence is a share where the engine has one, and null where not, which is told",
    Effect.gen(function* () {
      const { spoken } = yield* SpeechTrial
      const { capabilities } = yield* SpeechEngine
      const { words, warnings } = yield* hear(spoken)
      const isTold = warnings.some(({ code }) => code === "no_confidence")
      for (const { confidence, text } of words) {
        if (confidence === null) assert.isTrue(isTold || !capabilities.confidence, text)
        else assert.isTrue(capabilities.confidence && confidence >= 0 && confidence <= 1, text)
      }
    }),
  ),
  promise(
    "what cannot be honoured is told, by capabilities or warnings",
    Effect.gen(function* () {
      const { spoken } = yield* SpeechTrial
      const { capabilities } = yield* SpeechEngine
      const asked = {
        language: null,
        vocabulary: Array.from({ length: 200 }, (_, at) => `Okafor number ${at}`),
      }
      const { words, warnings, language } = yield* hear(spoken, asked)
      const told = new Set(warnings.map(({ code }) => code))
      assert.isAbove(words.length, 0)
      for (const warning of warnings) assert.deepStrictEqual(warning, warningOf(warning.code))
      if (!capabilities.detectsLanguage) {
        assert.isTrue(told.has("language_guessed"))
        assert.strictEqual(language?.confidence ?? 0, 0)
      }
      if (language !== null) assert.isTrue(language.confidence >= 0 && language.confidence <= 1)
      // Two hundred phrases are more than any prompt takes.
      if (capabilities.vocabulary === "prompt") assert.isTrue(told.has("vocabulary_truncated"))
      assert.isAbove(capabilities.qualities.length, 0)
    }),
  ),
  promise(
    "capabilities make sense",
    Effect.gen(function* () {
      const { capabilities } = yield* SpeechEngine
      const { longest, joinUpTo } = capabilities.windows
      assert.isAtLeast(capabilities.concurrency, 1)
      assert.isTrue(longest > 0 && longest <= 30_000 && joinUpTo >= 0 && joinUpTo <= longest)
      assert.match(capabilities.id, /^[a-z-]+$/)
    }),
  ),
  promise(
    "a language that it does not know is refused, for good",
    Effect.gen(function* () {
      const { spoken, unknownLanguage } = yield* SpeechTrial
      if (unknownLanguage === null) return
      const refused = yield* failure(hear(spoken, { language: unknownLanguage }))
      assert.deepStrictEqual(refused, { code: "language_unsupported", isTransient: false })
      assert.isAbove((yield* hear(spoken)).words.length, 0)
    }),
  ),
  promise(
    "a region of a language is that language",
    Effect.gen(function* () {
      const { spoken, language } = yield* SpeechTrial
      const [plain, regional] = yield* Effect.all([
        hear(spoken),
        hear(spoken, { language: `${language}-GB` }),
      ])
      assert.deepStrictEqual(regional.words, plain.words)
    }),
  ),
  promise(
    "a window that is given up is given up within a second, and the next one is heard",
    Effect.gen(function* () {
      const { spoken } = yield* SpeechTrial
      const { words } = yield* hear(spoken)
      const fiber = yield* Effect.fork(hear(spoken))
      yield* Effect.sleep("30 millis")
      const [took] = yield* Effect.timed(Fiber.interrupt(fiber))
      assert.isTrue(Duration.lessThan(took, GIVE_UP), Duration.format(took))
      assert.deepStrictEqual((yield* hear(spoken)).words, words)
    }),
  ),
  promise(
    "a crash in the middle of a window fails that window, which can be heard again",
    Effect.gen(function* () {
      const { spoken, crash } = yield* SpeechTrial
      if (crash === null) return
      const { words } = yield* hear(spoken)
      const fiber = yield* Effect.fork(hear(spoken))
      yield* Effect.sleep("30 millis")
      yield* crash
      const failed = yield* failure(Fiber.join(fiber))
      assert.deepStrictEqual(failed, { code: "engine_error", isTransient: true })
      assert.deepStrictEqual((yield* hear(spoken)).words, words)
    }),
  ),
]

/** Every speech engine passes this suite unchanged. Clocks are real: engines are processes and servers. */
export const speechEngineContract = <E>(
  name: string,
  { layer: engine, ...trial }: SpeechBackend<E>,
): void => {
  const world = Layer.merge(engine, Layer.succeed(SpeechTrial, trial))
  const whom = `SpeechEngine: ${name}`
  describe(whom, () => casesIn(whom, world, speechEngineCases))
}
