import type { IncomingMessage } from "node:http"
import type { Scope } from "@earmark/core/wire"
import { Keys, Unauthorized } from "@earmark/service"
import { Effect, Redacted } from "effect"
import { Refusal } from "../answers/Refusal.js"
import { type Caller, headerOf } from "./Arrived.js"

const BEARER = /^bearer +(\S+)$/i
const BASIC = /^basic +([a-z0-9+/=]+)$/i

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

/** The key as the password of an address (`http://user:em_live_...@host`). Never from a web page: browsers send it by themselves. */
const passwordIn = (request: IncomingMessage): string | undefined => {
  const [, encoded] = BASIC.exec(headerOf(request, "authorization") ?? "") ?? []
  if (encoded === undefined || request.headers.origin !== undefined) return undefined
  const text = Buffer.from(encoded, "base64").toString()
  const at = text.indexOf(":")
  return at < 0 ? undefined : text.slice(at + 1)
}

const keyOf = (request: IncomingMessage, orIn: "basic" | undefined): string | undefined => {
  if (!isGivenOnce(request)) return undefined
  const bearer = BEARER.exec(headerOf(request, "authorization") ?? "")?.[1]
  return bearer ?? (orIn === "basic" ? passwordIn(request) : undefined)
}

/** Whose key a request came with. The key is nowhere but in its header. */
export const makeAuthenticate = Effect.map(
  Keys,
  (keys) => (request: IncomingMessage, orIn?: "basic") =>
    Effect.suspend(() => {
      const key = keyOf(request, orIn)
      return key === undefined ? new Unauthorized() : keys.authenticate(Redacted.make(key))
    }),
)

export const requireScope = ({ scopes }: Caller, scope: Scope): Effect.Effect<void, Refusal> =>
  scopes.includes(scope) ? Effect.void : Effect.fail(lacks(scope))
