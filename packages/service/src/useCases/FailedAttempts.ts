import { type RatePolicy, type RateState, take } from "@earmark/core/requests"
import { counted } from "@earmark/core/text"
import { Clock, Context, Effect, Layer } from "effect"

/** Addresses remembered; the one that failed longest ago is forgotten first. */
const REMEMBERED = 10_000

/** What those are told who failed too often. */
export const tooManyFailures = (seconds: number): string =>
  `Too many requests without a valid key. Repeat this one in ${counted(seconds, "second")}.`

/**
 * Requests that did not show whose they are, counted for each address over all doors of this process. A right key is never refused for
 * its neighbours: only what has failed is counted, and answered with a wait once there were too many.
 */
export class FailedAttempts extends Context.Tag("@earmark/service/FailedAttempts")<
  FailedAttempts,
  {
    /** Counts one that failed. Null while that may be told, else how many seconds to wait. */
    readonly count: (address: string) => Effect.Effect<number | null>
  }
>() {
  static readonly layer = (policy: RatePolicy | null) =>
    Layer.sync(FailedAttempts, () => {
      // In this process alone: a wrong key is to cost the store nothing.
      const states = new Map<string, RateState>()
      const count = (address: string, now: number): number | null => {
        if (policy === null) return null
        const { allowed, retryAfterSeconds, state } = take(states.get(address) ?? null, policy, now)
        states.delete(address)
        states.set(address, state)
        const [oldest] = states.keys()
        if (states.size > REMEMBERED && oldest !== undefined) states.delete(oldest)
        return allowed ? null : retryAfterSeconds
      }
      return { count: (address) => Effect.map(Clock.currentTimeMillis, (now) => count(address, now)) }
    })
}
