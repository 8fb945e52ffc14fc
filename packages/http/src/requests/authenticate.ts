import type { IncomingMessage } from "node:http"
import type { Scope } from "@earmark/core/wire"
import { Keys, makeSessions, type StorageError, Unauthorized } from "@earmark/service"
import { Clock, Effect, Redacted } from "effect"
import { notFound, Refusal } from "../answers/Refusal.js"
import { cookieName, cookieOf } from "../sessions/cookie.js"
import { isFromConsole } from "../sessions/isFromConsole.js"
import { type Caller, headerOf } from "./Arrived.js"

/** What operators do in a browser is below this path. */
export const OPERATOR_PATH = "/api/operator/"

const BEARER = /^bearer +(\S+)$/i
/** How long a sign-in is enough for what costs money or gives access. */
const FRESH_MILLISECONDS = 15 * 60_000

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

/** Finds the session of a browser. Its cookie counts below one path alone, and only from pages of this server; else it is null. */
const makeFindSession = (baseUrl: string, below: string) =>
  Effect.map(makeSessions, (sessions) => {
    const name = cookieName(baseUrl)
    return (request: IncomingMessage): Effect.Effect<Caller, Unauthorized | StorageError> | null => {
      const value = name === null ? undefined : cookieOf(request, name)
      const isHere = (request.url ?? "").startsWith(below)
      if (value === undefined || !isHere || !isFromConsole(request, baseUrl)) return null
      if (request.headers.authorization !== undefined) return new Unauthorized()
      return Effect.map(sessions.find(value), (session): Caller => {
        const { account, key, scopes, isTest } = session
        return { account, key, scopes, isTest, session }
      })
    }
  })

/** Whose request it is: by the key in its header, or by the session of a browser. Both at once are refused. */
export const makeAuthenticate = (baseUrl: string) =>
  Effect.gen(function* () {
    const keys = yield* Keys
    const bySession = yield* makeFindSession(baseUrl, "/api/v1/")

    const byKey = (request: IncomingMessage, orIn: "basic" | undefined) => {
      const key = keyOf(request, orIn)
      return key === undefined ? new Unauthorized() : keys.authenticate(Redacted.make(key))
    }

    return (request: IncomingMessage, orIn?: "basic") =>
      Effect.suspend(
        (): Effect.Effect<Caller, Unauthorized | StorageError> => bySession(request) ?? byKey(request, orIn),
      )
  })

/** Accepts sessions of operators only. Every other request gets 404, whatever it sends. */
export const makeAuthenticateOperator = (baseUrl: string) =>
  Effect.map(
    makeFindSession(baseUrl, OPERATOR_PATH),
    (bySession) => (request: IncomingMessage) =>
      Effect.suspend(() => bySession(request) ?? new Unauthorized()).pipe(
        Effect.catchTag("Unauthorized", () => notFound),
        Effect.filterOrFail(
          ({ session }) => session?.isOperator === true,
          () => notFound,
        ),
      ),
  )

export const requireScope = (
  { scopes }: Pick<Caller, "scopes">,
  scope: Scope | null,
): Effect.Effect<void, Refusal> =>
  scope === null || scopes.includes(scope) ? Effect.void : Effect.fail(lacks(scope))

const tooOld = new Refusal({
  code: "sign_in_again",
  detail: "You signed in more than 15 minutes ago. Sign in again.",
})

/** What is asked of a person again after a while. A key is shown with every request. */
export const requireFreshSignIn = ({ session }: Caller): Effect.Effect<void, Refusal> =>
  session === undefined
    ? Effect.void
    : Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - session.signedInAt > FRESH_MILLISECONDS ? Effect.fail(tooOld) : Effect.void,
      )
