import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { makeServing } from "@earmark/authorization"
import { Cause, Effect } from "effect"
import type { AgentFacts } from "../AgentFacts.js"
import { jsonReply } from "../answers/Reply.js"
import { addressThrough } from "../requests/addressThrough.js"
import { type CorsRule, corsHeaders, isForeign, isPreflight } from "../requests/cors.js"
import { type Mount, pathOf } from "../server/Mount.js"
import { securityHeaders } from "../server/securityHeaders.js"
import { send } from "../server/send.js"
import { isForConsole } from "../sessions/isForConsole.js"

const isMetadata = (path: string): boolean =>
  path === "/.well-known/oauth-authorization-server" || path === "/.well-known/openid-configuration"

const BY_APPS: ReadonlyArray<string> = ["/oauth/token", "/oauth/register", "/oauth/revoke", "/oauth/par"]

const ruleOf = (path: string): CorsRule => {
  if (isMetadata(path) || path === "/oauth/jwks") return "anybody"
  return BY_APPS.includes(path) ? "listed" : "nobody"
}

const unavailable = jsonReply(
  503,
  { error: "temporarily_unavailable", error_description: "Repeat the request in a second." },
  { "Retry-After": "1" },
)

const foreign = jsonReply(403, {
  error: "invalid_request",
  error_description: "Web pages of this site may not ask: EARMARK_CORS_ORIGINS does not name it.",
})

/** Mounts our own authorization server. Its library and its keys are loaded when the first app comes. */
export const authorizationMount = (facts: AgentFacts) =>
  Effect.gen(function* () {
    const serving = yield* makeServing(facts)
    const common = securityHeaders(facts)
    const own = new URL(facts.baseUrl).origin

    const answer: Mount["answer"] = (request: IncomingMessage, response: ServerResponse) => {
      const path = pathOf(request)
      const rule = ruleOf(path)
      const requestId = `req_${randomBytes(10).toString("hex")}`
      const told = {
        ...common,
        ...corsHeaders(request, rule, facts.corsOrigins),
        "Request-Id": requestId,
      }
      return Effect.gen(function* () {
        if (isPreflight(request)) {
          return yield* send(request, response, { status: 204, headers: told, body: null })
        }
        if (rule === "listed" && isForeign(request, own, facts.corsOrigins)) {
          return yield* send(request, response, { ...foreign, headers: { ...told, ...foreign.headers } })
        }
        const server = yield* serving
        for (const [name, value] of Object.entries(told)) response.setHeader(name, value)
        yield* Effect.promise(() => server.answer(request, response, addressThrough(request, facts.proxies)))
      }).pipe(
        Effect.catchAllCause((cause) => {
          const reply = { ...unavailable, headers: { ...told, ...unavailable.headers } }
          const isOver = Cause.isInterruptedOnly(cause)
          const failed = isOver ? Effect.void : Effect.logError("The authorization server failed", cause)
          return Effect.zipRight(failed, send(request, response, reply))
        }),
        Effect.annotateLogs({ request: requestId }),
      )
    }

    const mount: Mount = {
      owns: (path, request) => isMetadata(path) || (path.startsWith("/oauth/") && !isForConsole(request)),
      route: "/oauth",
      answer,
    }
    return mount
  })
