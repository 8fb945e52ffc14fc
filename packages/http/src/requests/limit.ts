import type { Access } from "@earmark/api"
import { type RatePolicy, rateHeaders } from "@earmark/core/requests"
import { RateLimiter } from "@earmark/service"
import { Effect } from "effect"
import { Refusal } from "../answers/Refusal.js"
import type { Caller } from "./Arrived.js"

type Rate = Access["Type"]["rate"]

/** How often one account may do something; null: as often as it likes. */
export type RateLimits = Readonly<Record<Rate, RatePolicy | null>>

const NONE: Readonly<Record<string, string>> = {}

/** Counts a request against the limit of its account. Answers the headers that tell where the account stands. */
export const makeLimit = (limits: RateLimits) =>
  Effect.map(RateLimiter, (limiter) =>
    Effect.fnUntraced(function* ({ account }: Pick<Caller, "account">, rate: Rate) {
      const policy = limits[rate]
      if (policy === null) return NONE
      const taken = yield* limiter.take(`${rate} ${account}`, policy)
      const headers = rateHeaders(rate, policy, { ...taken, state: null })
      if (taken.allowed) return headers
      return yield* new Refusal({
        code: "rate_limited",
        detail: `Too many requests. Repeat this one in ${taken.retryAfterSeconds} seconds.`,
        headers,
      })
    }),
  )
