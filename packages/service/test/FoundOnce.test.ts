import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Ref, TestClock } from "effect"
import * as FoundOnce from "../src/FoundOnce.js"

const packages = fileURLToPath(new URL("../..", import.meta.url))

/** A lookup that counts how often it was begun, and waits for `go`. */
const counted = Effect.gen(function* () {
  const begun = yield* Ref.make(0)
  const go = yield* Deferred.make<void>()
  const lookup = Ref.updateAndGet(begun, (times) => times + 1).pipe(Effect.zipLeft(Deferred.await(go)))
  return { begun, go, lookup }
})

describe("what is kept", () => {
  it.effect("is looked for once, for all who ask", () =>
    Effect.gen(function* () {
      const { go, lookup } = yield* counted
      const kept = yield* FoundOnce.one(lookup)
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual([yield* kept, yield* kept], [1, 1])
    }),
  )

  it.effect(
    "is not that somebody went away before it was found, for those who waited and for those who come",
    () =>
      Effect.gen(function* () {
        const { begun, go, lookup } = yield* counted
        const kept = yield* FoundOnce.one(lookup)
        const first = yield* Effect.fork(kept)
        yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), Ref.get(begun)), {
          until: (times) => times === 1,
        })
        const second = yield* Effect.fork(kept)
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(first)
        yield* Deferred.succeed(go, undefined)
        assert.strictEqual(yield* Fiber.join(second), 2)
        assert.strictEqual(yield* kept, 2)
      }),
  )

  it.effect("is not looked for without an end where the lookup interrupts itself", () =>
    Effect.gen(function* () {
      const times = yield* Ref.make(0)
      const look = Effect.zipRight(
        Ref.update(times, (before) => before + 1),
        Effect.interrupt,
      )
      const exit = yield* Effect.exit(yield* FoundOnce.one(look))
      assert.isTrue(Exit.isInterrupted(exit))
      assert.isAtMost(yield* Ref.get(times), 100)
    }),
  )

  it.effect("does not keep a failure: the next call looks again", () =>
    Effect.gen(function* () {
      const times = yield* Ref.make(0)
      const kept = yield* FoundOnce.one(
        Effect.flatMap(
          Ref.updateAndGet(times, (before) => before + 1),
          (now) => (now === 1 ? Effect.fail("away") : Effect.succeed(now)),
        ),
        { timeToLive: "10 minutes" },
      )
      assert.strictEqual(yield* Effect.flip(kept), "away")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* kept, 2)
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual(yield* kept, 2)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* kept, 3)
    }),
  )

  it("is kept by FoundOnce in all sources: Effect.cached may keep only what cannot be interrupted", () => {
    const sources = readdirSync(packages, { recursive: true, encoding: "utf8" }).filter((file) =>
      /^\w+\/src\/.+\.ts$/.test(file),
    )
    assert.isAbove(sources.length, 500)
    const others = sources.filter(
      (file) =>
        file !== "service/src/FoundOnce.ts" &&
        /\bEffect\.cached(Function)?\((?!\s*Effect\.uninterruptible\()/.test(
          readFileSync(`${packages}${file}`, "utf8"),
        ),
    )
    assert.deepStrictEqual(others, [])
  })
})
