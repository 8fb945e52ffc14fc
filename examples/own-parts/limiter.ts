// A rate limiter of your own: the arithmetic is that of the core, and the numbers are kept where you like.
import { type RateState, take } from "@earmark/core/requests"
import { RateLimiter } from "@earmark/service"
import { Effect, Layer } from "effect"

// #region limiter
export const layer = Layer.effect(
  RateLimiter,
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const kept = new Map<string, RateState>()
    return RateLimiter.of({
      take: (bucket, policy) =>
        Effect.sync(() => {
          const { state, ...taken } = take(kept.get(bucket) ?? null, policy, clock.unsafeCurrentTimeMillis())
          kept.set(bucket, state)
          return taken
        }),
    })
  }),
)
// #endregion
