/** Signing in and out in a browser, and who is signed in. */
import { decodeRequest, type Scope } from "@earmark/core/wire"
import { makeSessions, type Session, Unauthorized } from "@earmark/service"
import { DateTime, Effect, Redacted, Schema } from "effect"
import { notFound, Refusal } from "../answers/Refusal.js"
import { jsonReply, type Reply } from "../answers/Reply.js"
import type { Arrived } from "../requests/Arrived.js"
import { readBody } from "../requests/readBody.js"
import { open } from "../routes/page.js"
import type { Route } from "../routes/Route.js"
import { browserOf } from "./browserOf.js"
import { cookieName, cookieOf, setCookie } from "./cookie.js"
import { isFromConsole } from "./isFromConsole.js"
import { providerRoutes } from "./providerRoutes.js"

const OWN = "/api/v1/session"
const ALL = "/api/v1/sessions"

const Secret = Schema.String.pipe(Schema.maxLength(200))

const SignIn = Schema.Union(Schema.Struct({ key: Secret }), Schema.Struct({ link: Secret }))

const readSignIn = decodeRequest(SignIn)

const inTheOpen = new Refusal({
  code: "invalid_request",
  detail: "Signing in needs https: over http the session could be read on the way.",
})

const done: Reply = { status: 204, headers: {}, body: null }

const timeOf = (milliseconds: number): string => DateTime.formatIso(DateTime.unsafeMake(milliseconds))

const show = (session: Session & { readonly keyName: string | null }, current: string | undefined) => {
  const { id, key, keyName, scopes, isTest, browser, signedInAt, expiresAt } = session
  return {
    id,
    key_id: key,
    key_name: keyName,
    scopes,
    is_test: isTest,
    role: session.isOperator ? "operator" : "account",
    is_current: id === current,
    user_agent: browser,
    created_at: timeOf(signedInAt),
    expires_at: timeOf(expiresAt),
  }
}

type Guarded = Extract<Route["answer"], { readonly type: "guarded" }>

const guarded = (method: Route["method"], path: string, scope: Scope, reply: Guarded["reply"]): Route => ({
  method,
  path,
  answer: { type: "guarded", access: { scope, rate: "read" }, reply },
})

/** What a browser signs in and out with. The value of a session is in its cookie and nowhere else. */
export const sessionRoutes = (
  facts: { readonly baseUrl: string; readonly proxies: number },
  { hasKeys = true }: { readonly hasKeys?: boolean } = {},
) =>
  Effect.gen(function* () {
    const { baseUrl } = facts
    const sessions = yield* makeSessions
    const name = cookieName(baseUrl)

    /** The session that a browser is signed in with. */
    const currentOf = ({ request }: Arrived) => {
      const value = name === null ? undefined : cookieOf(request, name)
      return value === undefined
        ? Effect.succeed(null)
        : Effect.catchTag(sessions.find(value), "Unauthorized", () => Effect.succeed(null))
    }

    const endCurrent = (arrived: Arrived) =>
      Effect.flatMap(currentOf(arrived), (session) =>
        session === null ? Effect.void : Effect.asVoid(sessions.end(session.account, session.id)),
      )

    const signIn = Effect.fnUntraced(function* (arrived: Arrived) {
      if (!isFromConsole(arrived.request, baseUrl)) return yield* new Unauthorized()
      if (name === null) return yield* inTheOpen
      const given = yield* readSignIn(yield* readBody(arrived.request, true))
      const browser = browserOf(arrived.request)
      const session = yield* "key" in given
        ? sessions.open(Redacted.make(given.key.trim()), browser)
        : sessions.openWithLink(given.link, browser)
      yield* endCurrent(arrived)
      return { ...done, headers: { "Set-Cookie": setCookie(name, session) } }
    })

    const signOut = Effect.fnUntraced(function* (arrived: Arrived) {
      if (!isFromConsole(arrived.request, baseUrl)) return yield* new Unauthorized()
      yield* endCurrent(arrived)
      return name === null
        ? done
        : { ...done, headers: { "Set-Cookie": setCookie(name, { value: "", seconds: 0 }) } }
    })

    const ofProvider = yield* providerRoutes({ ...facts, hasKeys }, { sessions, name, currentOf, endCurrent })

    return [
      ...ofProvider,
      open({ method: "POST", path: OWN }, signIn),
      open({ method: "DELETE", path: OWN }, signOut),
      guarded("GET", ALL, "keys", (_, { account, session }) =>
        Effect.map(sessions.list(account), (found) =>
          jsonReply(200, { data: found.map((each) => show(each, session?.id)) }),
        ),
      ),
      guarded("DELETE", ALL, "keys", (_, { account }) => Effect.as(sessions.endAll(account), done)),
      guarded("DELETE", `${ALL}/:id`, "keys", ({ path }, { account }) =>
        Effect.flatMap(sessions.end(account, path.id ?? ""), (wasThere) =>
          wasThere ? Effect.succeed(done) : notFound,
        ),
      ),
    ]
  })
