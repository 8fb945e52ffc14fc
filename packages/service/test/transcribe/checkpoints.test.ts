import { warningOf } from "@earmark/core/jobs"
import type { AudioWindow, Recognition, Span } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { asked, textsOf } from "./askedWindows.js"
import { keeping, mediaOf, named, nothing, options, tenSeconds, transcriberWith, word } from "./hearing.js"

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
