import type { Rate } from "@earmark/core/operations"
import { type RatePolicy, rateHeaders } from "@earmark/core/requests"
import { counted } from "@earmark/core/text"
import { RateLimiter } from "@earmark/service"
import { Effect } from "effect"
import { Refusal } from "../answers/Refusal.js"
import type { Caller } from "./Arrived.js"

/** How often one account may do something; null: as often as it likes. */
export type RateLimits = Readonly<Record<Rate, RatePolicy | null>> & {
  /** How often one address may fail to show whose it is; null: as often as it likes. */
  readonly failures: RatePolicy | null
}

const unlimited: Effect.Effect<Readonly<Record<string, string>>> = Effect.succeed({})

/** Counts a request against the limit of its account. Answers the headers that tell where the account stands. */
export const makeLimit = (limits: RateLimits) =>
  Effect.map(RateLimiter, (limiter) => ({ account }: Pick<Caller, "account">, rate: Rate) => {
    const policy = limits[rate]
    if (policy === null) return unlimited
    return Effect.flatMap(limiter.take(`${rate} ${account}`, policy), (taken) => {
      const headers = rateHeaders(rate, policy, { ...taken, state: null })
      if (taken.allowed) return Effect.succeed(headers)
      return new Refusal({
        code: "rate_limited",
        detail: `Too many requests. Repeat this one in ${counted(taken.retryAfterSeconds, "second")}.`,
        headers,
      })
    })
  })
