import { warningOf } from "@earmark/core/jobs"
import type { AudioWindow, Recognition, Span, WorkFailed } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref, Stream, TestClock } from "effect"
import {
  failed,
  keeping,
  mediaOf,
  named,
  nothing,
  options,
  tenSeconds,
  transcriberWith,
  windowOf,
  word,
} from "./hearing.js"

/** Which windows an engine was given, as texts. */
const asked = () => {
  const calls: Array<string> = []
  /** Notes a window and gives an answer. */
  const noting =
    (answer: (window: AudioWindow, call: number) => Effect.Effect<Recognition, WorkFailed>) =>
    (window: AudioWindow) =>
      Effect.suspend(() => {
        const call = calls.push(`${window.start}-${window.end}`)
        return answer(window, call)
      })
  return { calls, noting }
}

const textsOf = ({ words }: { readonly words: ReadonlyArray<{ readonly text: string }> }) =>
  words.map(({ text }) => text)

describe("an engine that fails", () => {
  it.scoped("once costs one more try of that window", () =>
    Effect.gen(function* () {
      const { calls, noting } = asked()
      const { transcribe } = yield* transcriberWith(
        noting((window, call) => (call === 2 ? Effect.fail(failed()) : Effect.succeed(named(window)))),
      )
      const { checkpoints } = keeping()
      const heard = yield* transcribe(mediaOf(tenSeconds(3)), options, checkpoints)
      assert.deepStrictEqual(calls, ["0-10000", "10000-20000", "10000-20000", "20000-30000"])
      assert.strictEqual(heard.words.length, 3)
    }),
  )

  it.scoped("on a window again and again is given its halves, cut where it is quietest", () =>
    Effect.gen(function* () {
      const { calls, noting } = asked()
      const { transcribe } = yield* transcriberWith(
        noting((window) =>
          window.end - window.start > 6000 ? Effect.fail(failed()) : Effect.succeed(named(window)),
        ),
      )
      const window = windowOf(0, 0, 10_000)
      window.samples.fill(0, 4200 * 16, 4600 * 16)
      const { checkpoints, saved } = keeping()
      yield* transcribe(mediaOf([window]), options, checkpoints)
      assert.deepStrictEqual(calls.slice(0, 2), ["0-10000", "0-10000"])
      const [left = "", right = ""] = calls.slice(2)
      const cut = Number(left.split("-")[1])
      assert.isTrue(cut >= 4250 && cut <= 4550, `cut at ${cut}`)
      assert.strictEqual(right, `${cut}-10000`)
      assert.deepStrictEqual(saved.map(textsOf), [[left, right]])
    }),
  )

  it.scoped("on a half too ends the hearing; what was heard is kept", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* transcriberWith((window) =>
        window.start >= 10_000 ? Effect.fail(failed()) : Effect.succeed(named(window)),
      )
      const { checkpoints, saved } = keeping()
      const error = yield* Effect.flip(transcribe(mediaOf(tenSeconds(3)), options, checkpoints))
      assert.strictEqual(error.code, "engine_error")
      assert.deepStrictEqual(
        saved.map(({ index }) => index),
        [0],
      )
    }),
  )

  it.scoped("for want of an engine is not asked again", () =>
    Effect.gen(function* () {
      const { calls, noting } = asked()
      const { transcribe } = yield* transcriberWith(noting(() => Effect.fail(failed("engine_unavailable"))))
      const { checkpoints } = keeping()
      const error = yield* Effect.flip(transcribe(mediaOf(tenSeconds(1)), options, checkpoints))
      assert.deepStrictEqual([error.code, calls.length], ["engine_unavailable", 1])
    }),
  )

  it.scoped("by never answering runs out of time", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* transcriberWith(() => Effect.never)
      const { checkpoints } = keeping()
      const hearing = yield* Effect.fork(
        Effect.flip(transcribe(mediaOf([windowOf(0, 0, 900)]), options, checkpoints)),
      )
      yield* TestClock.adjust("59 seconds")
      assert.isTrue((yield* Fiber.poll(hearing))._tag === "None")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(hearing)).code, "engine_timeout")
    }),
  )

  it.scoped("by words at times that were never heard is not believed", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* transcriberWith(() =>
        Effect.succeed({ ...nothing, words: [word("later", 50_000)] }),
      )
      const { checkpoints } = keeping()
      const error = yield* Effect.flip(transcribe(mediaOf(tenSeconds(1)), options, checkpoints))
      assert.strictEqual(error.code, "engine_error")
    }),
  )
})

describe("an engine that is not at its best", () => {
  const spoken = (window: AudioWindow, ...speech: ReadonlyArray<readonly [start: number, end: number]>) => ({
    ...window,
    speech: speech.map(([start, end]) => ({ start, end })),
  })

  const heardOf = (answer: (window: AudioWindow) => Recognition, window: AudioWindow) =>
    Effect.gen(function* () {
      const { calls, noting } = asked()
      const { transcribe } = yield* transcriberWith(noting((part) => Effect.succeed(answer(part))))
      const { checkpoints, saved } = keeping()
      const speech = window.speech ?? []
      const media = mediaOf([window], {
        summary: Effect.succeed({ durationSeconds: 10, speech, warnings: [] }),
      })
      const { lost, warnings } = yield* transcribe(media, options, checkpoints)
      return { calls, lost, codes: warnings.map(({ code }) => code), words: saved[0]?.words.length }
    })

  it.scoped("a voice without a word is heard again without the noise before it", () =>
    Effect.gen(function* () {
      const window = spoken(windowOf(0, 0, 10_000), [4000, 9000])
      const { calls, lost, words } = yield* heardOf(
        (part) => (part.start === 0 ? nothing : named(part)),
        window,
      )
      assert.strictEqual(calls.length, 2)
      assert.strictEqual(words, 1)
      assert.deepStrictEqual(lost, [])
    }),
  )

  it.scoped("then in halves, then after a moment of silence, with times that stay inside the window", () =>
    Effect.gen(function* () {
      const window = spoken(windowOf(0, 0, 10_000), [250, 9750])
      const halves = yield* heardOf((part) => (part.end - part.start > 9000 ? nothing : named(part)), window)
      assert.strictEqual(halves.words, 2)
      const delayed = yield* heardOf((part) => (part.start < 0 ? named(part) : nothing), window)
      assert.strictEqual(delayed.words, 1)
      assert.deepStrictEqual(delayed.codes, [])
    }),
  )

  it.scoped("then together with the window before or after, of which no word is taken", () =>
    Effect.gen(function* () {
      const windows = [
        spoken(windowOf(0, 0, 10_000), [1000, 3000], [5000, 9000]),
        spoken(windowOf(1, 12_000, 16_000), [12_500, 15_500]),
        spoken(windowOf(2, 18_000, 28_000), [18_500, 20_000], [21_000, 27_500]),
      ]
      for (const [from, to, other] of [
        [7800, 15_600, 8300],
        [12_400, 17_700, 17_000],
      ] as const) {
        const { calls, noting } = asked()
        const joint = [word("joint", 13_000), word("other", other)].sort(
          (left, right) => left.start - right.start,
        )
        const { transcribe } = yield* transcriberWith(
          noting((part) =>
            Effect.succeed(
              part.index !== 1
                ? named(part)
                : part.start === from && part.end === to
                  ? { ...nothing, words: joint }
                  : nothing,
            ),
          ),
        )
        const { checkpoints } = keeping()
        const { words, lost } = yield* transcribe(mediaOf(windows), options, checkpoints)
        assert.deepStrictEqual(
          [textsOf({ words }), lost],
          [["0-10000", "joint", "18000-28000"], []],
          calls.join(" "),
        )
      }
    }),
  )

  it.scoped("a voice in which no way finds a word is lost, and told", () =>
    Effect.gen(function* () {
      const window = spoken(windowOf(0, 0, 10_000), [1000, 2500], [4000, 5000])
      const { calls, lost, codes } = yield* heardOf(() => nothing, window)
      assert.strictEqual(calls.length, 5)
      assert.deepStrictEqual(lost, [
        { start: 1000, end: 2500 },
        { start: 4000, end: 5000 },
      ])
      assert.deepStrictEqual(codes, ["speech_lost"])
      const cough = yield* heardOf(() => nothing, spoken(windowOf(0, 0, 1000), [250, 750]))
      assert.strictEqual(cough.calls.length, 1)
      assert.deepStrictEqual(cough.lost, [])
    }),
  )

  it.scoped("words in circles are heard once more without the vocabulary", () =>
    Effect.gen(function* () {
      const loop = {
        ...nothing,
        words: Array.from({ length: 24 }, (_, at) => word(["round", "we", "go"][at % 3] ?? "", at * 400)),
      }
      const { transcribe } = yield* transcriberWith((window, { vocabulary }) =>
        Effect.succeed(vocabulary.length > 0 ? loop : named(window)),
      )
      const first = keeping()
      yield* transcribe(mediaOf(tenSeconds(1)), { ...options, vocabulary: ["Earmark"] }, first.checkpoints)
      assert.deepStrictEqual(first.saved.map(textsOf), [["0-10000"]])
    }),
  )
})

describe("checkpoints", () => {
  it.scoped(
    "what the engine said beside its words is kept with them: a resumed job ends as one that ran through",
    () =>
      Effect.gen(function* () {
        const speaking = (window: AudioWindow): Recognition => ({
          ...named(window),
          language: { code: window.index === 2 ? "en" : "de", confidence: 0.5 },
          warnings: window.index === 0 ? [warningOf("no_confidence")] : [],
        })
        const { transcribe } = yield* transcriberWith((window) => Effect.succeed(speaking(window)))
        const asked = { ...options, language: null }
        const first = keeping()
        const through = yield* transcribe(mediaOf(tenSeconds(3)), asked, first.checkpoints)
        assert.strictEqual(through.detectedLanguage?.code, "de")
        const second = keeping(first.saved.slice(0, 2))
        const resumed = yield* transcribe(mediaOf(tenSeconds(3)), asked, second.checkpoints)
        assert.strictEqual(second.saved.length, 1)
        assert.deepStrictEqual(resumed.detectedLanguage, through.detectedLanguage)
        assert.deepStrictEqual(resumed.warnings, through.warnings)
        assert.isTrue(resumed.warnings.some(({ code }) => code === "no_confidence"))
      }),
  )

  const kept = (index: number): Span => ({
    index,
    start: index * 10_000,
    end: (index + 1) * 10_000,
    words: [word(`kept ${index}`, index * 10_000)],
  })

  it.scoped("what is there is not heard again, and stands in its place", () =>
    Effect.gen(function* () {
      const { calls, noting } = asked()
      const { transcribe } = yield* transcriberWith(noting((window) => Effect.succeed(named(window))))
      const { checkpoints, saved } = keeping([kept(2), kept(0)])
      const followed: Array<number> = []
      const heard = yield* transcribe(mediaOf(tenSeconds(4)), options, checkpoints, {
        follow: ({ index }) => Effect.sync(() => void followed.push(index)),
      })
      assert.deepStrictEqual(calls, ["10000-20000", "30000-40000"])
      assert.deepStrictEqual(textsOf(heard), ["kept 0", "10000-20000", "kept 2", "30000-40000"])
      assert.deepStrictEqual(
        saved.map(({ index }) => index),
        [1, 3],
      )
      assert.deepStrictEqual(followed, [0, 1, 2, 3])
    }),
  )

  it.scoped("a plan is named by media, cut, engine, model and the options that words depend on", () =>
    Effect.gen(function* () {
      const { checkpoints, plans } = keeping()
      const hear = Effect.succeed(nothing)
      const { transcribe } = yield* transcriberWith(() => hear)
      const other = yield* transcriberWith(() => hear, { model: "other" })
      const media = mediaOf([])
      yield* transcribe(media, options, checkpoints)
      yield* transcribe({ ...media, durationSeconds: 9 }, { ...options, qualityExplicit: true }, checkpoints)
      assert.strictEqual(plans[0], plans[1])
      yield* transcribe({ ...media, fingerprint: "g" }, options, checkpoints)
      yield* transcribe({ ...media, cut: "d" }, options, checkpoints)
      yield* transcribe(media, { ...options, quality: "accurate" }, checkpoints)
      yield* transcribe(media, { ...options, language: null }, checkpoints)
      yield* transcribe(media, { ...options, vocabulary: ["a"] }, checkpoints)
      yield* other.transcribe(media, options, checkpoints)
      assert.strictEqual(new Set(plans).size, 7)
    }),
  )

  it.scoped("asked to stop, it finishes what is under way and decodes no more", () =>
    Effect.gen(function* () {
      let pulled = 0
      const windows = Stream.fromIterable(tenSeconds(100)).pipe(
        Stream.rechunk(1),
        Stream.tap(() =>
          Effect.sync(() => {
            pulled += 1
          }),
        ),
      )
      const { checkpoints, saved } = keeping()
      const { transcribe } = yield* transcriberWith((window) => Effect.succeed(named(window)))
      const heard = yield* transcribe(mediaOf([], { windows }), options, checkpoints, {
        isStopping: () => saved.length >= 5,
      })
      assert.isFalse(heard.complete)
      assert.isAtMost(saved.length, 6)
      assert.isAtMost(pulled, 10)
    }),
  )
})

describe("progress", () => {
  it.scoped(
    "counts what is finished in order, never goes back, tells the time left, and comes once a second",
    () =>
      Effect.gen(function* () {
        const { checkpoints, reports, saved } = keeping()
        // The first of each pair takes longer, so that windows finish out of order.
        const { transcribe } = yield* transcriberWith(
          (window) =>
            Effect.delay(Effect.succeed(named(window)), window.index % 2 === 0 ? "3 seconds" : "1 second"),
          { concurrency: 2 },
        )
        const hearing = yield* Effect.fork(transcribe(mediaOf(tenSeconds(10)), options, checkpoints))
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(
          saved.map(({ index }) => index),
          [1],
        )
        assert.strictEqual(reports[0]?.heardSeconds, 0)
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(hearing)
        const heard = reports.map(({ heardSeconds }) => heardSeconds)
        assert.deepStrictEqual(
          heard,
          [...heard].sort((left, right) => left - right),
        )
        const shares = reports.map(({ share }) => share ?? 0)
        assert.isTrue(shares.every((share) => share <= 0.99))
        assert.isAbove(shares.at(-1) ?? 0, 0.5)
        const middle = reports.find(({ heardSeconds }) => heardSeconds >= 40)
        assert.isTrue((middle?.secondsLeft ?? 0) > 0 && (middle?.secondsLeft ?? 0) < 30)
      }),
  )

  it.scoped("is not known where the length is not", () =>
    Effect.gen(function* () {
      const { checkpoints, reports } = keeping()
      const { transcribe } = yield* transcriberWith((window) => Effect.succeed(named(window)))
      yield* transcribe(mediaOf(tenSeconds(2), { durationSeconds: null }), options, checkpoints)
      assert.deepInclude(reports[0], { share: null, secondsLeft: null })
    }),
  )
})

describe("interruption", () => {
  it.scoped("stops the engine, and the media are let go", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ends = yield* Ref.make<ReadonlyArray<string>>([])
      const note = (end: string) => Ref.update(ends, (before) => [...before, end])
      const { transcribe } = yield* transcriberWith(() =>
        Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => note("engine")),
        ),
      )
      const windows = Stream.fromIterable(tenSeconds(10)).pipe(Stream.ensuring(note("media")))
      const { checkpoints } = keeping()
      const hearing = yield* Effect.fork(transcribe(mediaOf([], { windows }), options, checkpoints))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(hearing)
      assert.deepStrictEqual([...(yield* Ref.get(ends))].sort(), ["engine", "media"])
    }),
  )
})
