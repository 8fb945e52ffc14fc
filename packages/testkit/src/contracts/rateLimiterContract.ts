import type { RatePolicy } from "@earmark/core/requests"
import { RateLimiter } from "@earmark/service"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Backend, type Case, promise, runCases, type StoreClock } from "./Case.js"
import { advance, unique } from "./makers.js"
import { racing } from "./working.js"

// One a minute: a slow store does not win one back while the test runs.
const policy: RatePolicy = { limit: 1, windowSeconds: 60, burst: 20 }

const take = (bucket: string, given = policy) =>
  Effect.flatMap(RateLimiter, (limiter) => limiter.take(bucket, given))

const allowed = (takes: ReadonlyArray<{ readonly allowed: boolean }>): number =>
  takes.filter((taken) => taken.allowed).length

export const rateLimiterCases: ReadonlyArray<Case<RateLimiter | StoreClock>> = [
  promise(
    "of any number of racing calls as many pass as the burst lets",
    Effect.gen(function* () {
      const bucket = yield* unique
      assert.strictEqual(allowed(yield* racing(200, () => take(bucket))), 20)
    }),
  ),
  promise(
    "what is used up comes back at the rate of the policy",
    Effect.gen(function* () {
      const bucket = yield* unique
      yield* racing(30, () => take(bucket))
      yield* advance(600)
      assert.strictEqual(allowed(yield* racing(30, () => take(bucket))), 10)
      yield* advance(3600)
      assert.strictEqual(allowed(yield* racing(30, () => take(bucket))), 20)
    }),
  ),
  promise(
    "each answer says what is left and when to come again",
    Effect.gen(function* () {
      const bucket = yield* unique
      const slow: RatePolicy = { limit: 1, windowSeconds: 100, burst: 2 }
      const first = yield* take(bucket, slow)
      assert.deepInclude(first, { allowed: true, remaining: 1, retryAfterSeconds: 0 })
      assert.closeTo(first.resetSeconds, 100, 1)
      yield* take(bucket, slow)
      const refused = yield* take(bucket, slow)
      assert.deepInclude(refused, { allowed: false, remaining: 0 })
      assert.closeTo(refused.resetSeconds, 200, 2)
      assert.closeTo(refused.retryAfterSeconds, 100, 2)
      yield* advance(refused.retryAfterSeconds)
      assert.isTrue((yield* take(bucket, slow)).allowed)
    }),
  ),
  promise(
    "buckets do not know each other",
    Effect.gen(function* () {
      const [first, second] = [yield* unique, yield* unique]
      yield* racing(25, () => take(first))
      assert.strictEqual(allowed(yield* racing(25, () => take(second))), 20)
    }),
  ),
]

/** Every layer of `RateLimiter` passes this suite unchanged. */
export const rateLimiterContract = <Own, E>(name: string, backend: Backend<RateLimiter, Own, E>): void =>
  runCases(`RateLimiter: ${name}`, backend, rateLimiterCases)
