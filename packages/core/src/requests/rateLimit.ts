/** Rate limits by the generic cell rate algorithm: one number per account and policy, and no window to reset. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** `limit` requests per `windowSeconds` on average, and `burst` at once. */
export interface RatePolicy {
  readonly limit: number
  readonly windowSeconds: number
  readonly burst: number
}

/** The moment, in microseconds, at which the account will have used up nothing. Null: never used. */
export type RateState = number | null

export interface Taken {
  readonly allowed: boolean
  readonly state: RateState
  /** How many more would pass right now. */
  readonly remaining: number
  /** Whole seconds until everything is free again. */
  readonly resetSeconds: number
  /** Whole seconds until one more passes, at least 1; 0 when this one passed. */
  readonly retryAfterSeconds: number
}

// Whole microseconds: sums of them are exact, so a burst of 20 is 20 and not sometimes 19.
const MICROSECONDS = 1_000_000

/** Takes one request at `now` (milliseconds) from what the policy allows. A refused request uses nothing up. */
export const take = (state: RateState, policy: RatePolicy, now: number): Taken => {
  const interval = Math.max(1, Math.round((policy.windowSeconds * MICROSECONDS) / policy.limit))
  const capacity = interval * policy.burst
  const moment = Math.floor(now * 1000)
  // Never further ahead than a full burst: a clock that jumped back, or a policy made stricter, heals by itself.
  const usedUntil = Math.min(Math.max(state ?? moment, moment), moment + capacity)
  const next = usedUntil + interval
  const allowed = next - moment <= capacity
  const after = allowed ? next : usedUntil
  const untilFree = next - moment - capacity
  return {
    allowed,
    state: allowed ? next : state,
    remaining: Math.max(0, Math.floor((capacity - (after - moment)) / interval)),
    resetSeconds: Math.ceil((after - moment) / MICROSECONDS),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(untilFree / MICROSECONDS)),
  }
}

/** How often one address may come with a key, a token or a signature that is none. */
export const FAILED_ATTEMPTS: RatePolicy = { limit: 20, windowSeconds: 60, burst: 20 }

/** How many apps may register from one address, which many people may share: those of a hosted agent, or of an office. */
export const APP_REGISTRATIONS: RatePolicy = { limit: 200, windowSeconds: 3600, burst: 200 }

/** How many sign-ins at a provider may be begun from one address, which the people of an office share. */
export const SIGN_INS: RatePolicy = { limit: 600, windowSeconds: 3600, burst: 600 }

export class RatePolicyInvalid extends Schema.TaggedError<RatePolicyInvalid>()("RatePolicyInvalid", {
  text: Schema.String,
}) {
  override get message() {
    return `${this.text.slice(0, 64)} is not a rate such as 120/60s:30 (120 in 60 seconds, 30 at once), nor off`
  }
}

const POLICY = /^([1-9]\d{0,8})\/([1-9]\d{0,6})s:([1-9]\d{0,8})$/

/** A policy as an operator writes it: `120/60s:30`, or `off` (null) for none. */
export const parseRatePolicy = (text: string): Either.Either<RatePolicy | null, RatePolicyInvalid> => {
  const trimmed = text.trim()
  if (trimmed === "off") return Either.right(null)
  const parts = POLICY.exec(trimmed)
  if (parts === null) return Either.left(new RatePolicyInvalid({ text }))
  const [limit = 0, windowSeconds = 0, burst = 0] = parts.slice(1).map(Number)
  return Either.right({ limit, windowSeconds, burst })
}

/** The headers that tell a client where it stands. */
export const rateHeaders = (
  name: string,
  policy: RatePolicy,
  taken: Taken,
): Readonly<Record<string, string>> => ({
  "RateLimit-Policy": `"${name}";q=${policy.limit};w=${policy.windowSeconds}`,
  RateLimit: `"${name}";r=${taken.remaining};t=${taken.resetSeconds}`,
  ...(!taken.allowed && { "Retry-After": String(taken.retryAfterSeconds) }),
})
