import type { IncomingMessage } from "node:http"
import type { Scope } from "@earmark/core/jobs"
import { type RatePolicy, type RateState, take } from "@earmark/core/requests"
import { counted } from "@earmark/core/text"
import { Keys, Unauthorized } from "@earmark/service"
import { Clock, Effect, Redacted } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { type Caller, headerOf } from "./Arrived.js"
import { addressThrough } from "./addressThrough.js"

const BEARER = /^bearer +(\S+)$/i

const lacks = (scope: Scope) =>
  new Refusal({ code: "insufficient_scope", detail: `This needs a key with the scope ${scope}.` })

/** How often one address may come with a key that is none. A right key is never refused for its neighbours. */
const FAILURES: RatePolicy = { limit: 20, windowSeconds: 60, burst: 20 }

/** Addresses remembered; the one that failed longest ago is forgotten first. */
const REMEMBERED = 10_000

const tooManyFailures = (seconds: number) =>
  new Refusal({
    code: "rate_limited",
    detail: `Too many requests without a valid key. Repeat this one in ${counted(seconds, "second")}.`,
    headers: { "Retry-After": String(seconds) },
  })

/** Counted in this process alone: a wrong key is to cost the store nothing. */
const makeFailures = () => {
  const states = new Map<string, RateState>()
  return (address: string, now: number) => {
    const taken = take(states.get(address) ?? null, FAILURES, now)
    states.delete(address)
    states.set(address, taken.state)
    const [oldest] = states.keys()
    if (states.size > REMEMBERED && oldest !== undefined) states.delete(oldest)
    return taken
  }
}

/** Of two headers of the same name Node keeps the first; whoever is in between may have read the second. */
const isGivenOnce = ({ rawHeaders }: IncomingMessage): boolean => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === "authorization") count += 1
  }
  return count === 1
}

const keyOf = (request: IncomingMessage): string | undefined =>
  isGivenOnce(request) ? BEARER.exec(headerOf(request, "authorization") ?? "")?.[1] : undefined

/** Whose key a request came with. The key is nowhere but in its header. */
export const makeAuthenticate = Effect.fnUntraced(function* ({ proxies }: { readonly proxies: number }) {
  const keys = yield* Keys
  const fail = makeFailures()

  const countFailure = (request: IncomingMessage) =>
    Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<never, Unauthorized | Refusal> => {
      const { allowed, retryAfterSeconds } = fail(addressThrough(request, proxies), now)
      return allowed ? Effect.fail(new Unauthorized()) : Effect.fail(tooManyFailures(retryAfterSeconds))
    })

  return (request: IncomingMessage) =>
    Effect.suspend(() => {
      const key = keyOf(request)
      return key === undefined ? new Unauthorized() : keys.authenticate(Redacted.make(key))
    }).pipe(Effect.catchTag("Unauthorized", () => countFailure(request)))
})

export const requireScope = ({ scopes }: Caller, scope: Scope): Effect.Effect<void, Refusal> =>
  scopes.includes(scope) ? Effect.void : Effect.fail(lacks(scope))
