import { type RatePolicy, take } from "@earmark/core/requests"
import { limiterLetThrough, RateLimiter } from "@earmark/service"
import { Effect, Layer, Metric } from "effect"
import { Database } from "../database/Database.js"

const MICROSECONDS = 1_000_000

interface BucketRow {
  readonly before: number
  readonly moment: number
}

/** How far apart requests are, and how much may be used at once, in microseconds. */
const spanOf = ({ windowSeconds, limit, burst }: RatePolicy) => {
  const gap = Math.max(1, Math.round((windowSeconds * MICROSECONDS) / limit))
  return { gap, capacity: gap * burst }
}

const make = Effect.gen(function* () {
  const database = yield* Database

  return RateLimiter.of({
    take: (bucket, policy) => {
      const { gap, capacity } = spanOf(policy)
      return database
        .query<BucketRow>("RateLimiter.take", "SELECT before, moment FROM take_from_bucket($1, $2, $3)", [
          bucket,
          gap,
          capacity,
        ])
        .pipe(
          Effect.map(([row]) => {
            const { state: _, ...taken } = take(row?.before ?? null, policy, (row?.moment ?? 0) / 1000)
            return taken
          }),
          Effect.catchTag("StorageError", (error) =>
            Effect.logWarning("The rate limiter lets a request through", error).pipe(
              Effect.zipRight(Metric.increment(limiterLetThrough)),
              Effect.as({ allowed: true, remaining: policy.burst, resetSeconds: 0, retryAfterSeconds: 0 }),
            ),
          ),
        )
    },
  })
})

export const layer = Layer.effect(RateLimiter, make)
