import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { asked, textsOf } from "./askedWindows.js"
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
