import type { IncomingMessage } from "node:http"
import type { Scope } from "@earmark/core/jobs"
import { Keys, Unauthorized } from "@earmark/service"
import { Effect, Redacted } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { type Caller, headerOf } from "./Arrived.js"

const BEARER = /^bearer +(\S+)$/i

const lacks = (scope: Scope) =>
  new Refusal({ code: "insufficient_scope", detail: `This needs a key with the scope ${scope}.` })

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
export const makeAuthenticate = Effect.map(
  Keys,
  (keys) => (request: IncomingMessage) =>
    Effect.suspend(() => {
      const key = keyOf(request)
      return key === undefined ? new Unauthorized() : keys.authenticate(Redacted.make(key))
    }),
)

export const requireScope = ({ scopes }: Caller, scope: Scope): Effect.Effect<void, Refusal> =>
  scopes.includes(scope) ? Effect.void : Effect.fail(lacks(scope))
