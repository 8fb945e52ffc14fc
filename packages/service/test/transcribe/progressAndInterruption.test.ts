import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref, Stream, TestClock } from "effect"
import { keeping, mediaOf, named, options, tenSeconds, transcriberWith } from "./hearing.js"

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
