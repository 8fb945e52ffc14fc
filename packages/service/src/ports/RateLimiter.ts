import type { RatePolicy, Taken } from "@earmark/core/requests"
import { Context, type Effect } from "effect"

/** How often somebody may do something. The arithmetic is `take` of core. */
export class RateLimiter extends Context.Tag("@earmark/service/RateLimiter")<
  RateLimiter,
  {
    /**
     * Takes one from a bucket. Of any number of racing calls exactly as many pass as the policy lets.
     * A limiter that cannot reach its store lets the call through: it never fails.
     */
    readonly take: (bucket: string, policy: RatePolicy) => Effect.Effect<Omit<Taken, "state">>
  }
>() {}
