import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Duration, Effect, Layer } from "effect"
import { explained, StoreClock, withClock } from "../src/contracts/Case.js"
import { onManualClock } from "../src/contracts/index.js"

describe("a failure of a suite", () => {
  it("says who was asked for what, and keeps the difference", () => {
    const difference = Cause.fail(
      (() => {
        try {
          assert.strictEqual(200, 20)
        } catch (error) {
          return error
        }
      })(),
    )
    const error = explained(
      "RateLimiter: mine",
      'keep the promise "buckets do not know each other"',
      difference,
    )
    assert.strictEqual(
      error.message,
      'RateLimiter: mine has to keep the promise "buckets do not know each other", and did not: expected 200 to equal 20',
    )
    assert.deepStrictEqual([Reflect.get(error, "actual"), Reflect.get(error, "expected")], [200, 20])
    assert.include(
      explained("a", "start", Cause.fail("no server")).message,
      "a has to start, and did not: no server",
    )
  })
})

class Times extends Effect.Tag("Times")<Times, { readonly now: Effect.Effect<number> }>() {}

describe("a clock of a layer", () => {
  it.live("is moved by the suite, and by nothing else", () =>
    Effect.gen(function* () {
      const clock = yield* StoreClock
      const before = yield* Times.now
      assert.strictEqual(yield* clock.now, before)
      yield* clock.advance(Duration.hours(1))
      assert.strictEqual((yield* Times.now) - before, 3_600_000)
      assert.notStrictEqual(yield* Clock.currentTimeMillis, yield* clock.now)
    }).pipe(
      Effect.provide(
        withClock(
          onManualClock(
            Layer.effect(
              Times,
              Effect.map(Effect.clock, (clock) => Times.of({ now: clock.currentTimeMillis })),
            ),
          ),
        ),
      ),
    ),
  )
})
