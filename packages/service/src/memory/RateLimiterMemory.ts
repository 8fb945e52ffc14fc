import { type RateState, take } from "@earmark/core/requests"
import { Effect, Layer } from "effect"
import { RateLimiter } from "../ports/RateLimiter.js"

const ROUND = 10_000

export const layer = Layer.effect(
  RateLimiter,
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const buckets = new Map<string, RateState>()

    const forgetFull = (now: number) => {
      for (const [bucket, state] of buckets) if (state === null || state <= now * 1000) buckets.delete(bucket)
    }

    return RateLimiter.of({
      take: (bucket, policy) =>
        Effect.sync(() => {
          const now = clock.unsafeCurrentTimeMillis()
          const { state, ...taken } = take(buckets.get(bucket) ?? null, policy, now)
          buckets.set(bucket, state)
          if (buckets.size % ROUND === 0) forgetFull(now)
          return taken
        }),
    })
  }),
)
