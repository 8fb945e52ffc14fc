import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import type { QueueStats } from "../../src/ports/JobQueue.js"
import { watchClaims } from "../../src/worker/watchClaims.js"

const idle: QueueStats = { ready: 0, scheduled: 0, leased: 0, dead: 0, oldestSeconds: 0 }

const watched = (stats: () => QueueStats) =>
  Effect.gen(function* () {
    const claims = watchClaims({ stats: Effect.sync(stats) })
    yield* Effect.forkScoped(claims.run)
    yield* TestClock.adjust("1 second")
    return claims
  })

describe("a worker that claims nothing", () => {
  it.scoped("is told when its claims do not come back, and no more once they do", () =>
    Effect.gen(function* () {
      const claims = yield* watched(() => idle)
      const claiming = yield* Effect.fork(claims.noted(Effect.delay(Effect.succeed([]), "100 seconds")))
      yield* TestClock.adjust("20 seconds")
      assert.isNull(yield* claims.trouble)
      yield* TestClock.adjust("60 seconds")
      assert.match((yield* claims.trouble) ?? "", /^the queue has not answered its claim for \d+ seconds$/)
      yield* TestClock.adjust("60 seconds")
      yield* Fiber.join(claiming)
      assert.isNull(yield* claims.trouble)
    }),
  )

  it.scoped("is told when jobs are ready and nobody works on any", () =>
    Effect.gen(function* () {
      let stats = { ...idle, ready: 12, oldestSeconds: 40 }
      const claims = yield* watched(() => stats)
      yield* claims.noted(Effect.succeed([]))
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(
        yield* claims.trouble,
        "12 jobs are ready, the oldest for 40 seconds, and nobody works on any",
      )
      // The cap of an account may keep these waiting.
      stats = { ...stats, leased: 1 }
      yield* TestClock.adjust("30 seconds")
      assert.isNull(yield* claims.trouble)
    }),
  )

  it.scoped("is not told while it takes what is there, or while nothing is", () =>
    Effect.gen(function* () {
      let stats = { ...idle, ready: 3, oldestSeconds: 90 }
      const claims = yield* watched(() => stats)
      for (let round = 0; round < 4; round++) {
        yield* claims.noted(Effect.succeed(["job"]))
        yield* TestClock.adjust("15 seconds")
        assert.isNull(yield* claims.trouble)
      }
      stats = idle
      yield* TestClock.adjust("5 minutes")
      assert.isNull(yield* claims.trouble)
    }),
  )
})
