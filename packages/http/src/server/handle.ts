import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Option } from "effect"
import { invalid, Refusal } from "../answers/Refusal.js"
import { problemReply, type Reply } from "../answers/Reply.js"
import { type Failure, refusalOf } from "../answers/refusalOf.js"
import { makeAuthenticate, requireScope } from "../requests/authenticate.js"
import { makeLimit, type RateLimits } from "../requests/limit.js"
import type { Route } from "../routes/Route.js"
import { type Found, makeRouter } from "../routes/Router.js"
import { securityHeaders } from "./securityHeaders.js"
import { send } from "./send.js"

export interface HandlerFacts {
  readonly baseUrl: string
  readonly rateLimits: RateLimits
}

const newRequestId = (): string => `req_${randomBytes(10).toString("hex")}`

/** Path and query of a request target; proxies may send a whole address. */
const addressOf = (target: string): string => {
  if (target.startsWith("/")) return target
  if (!URL.canParse(target)) return "/"
  const { pathname, search } = new URL(target)
  return `${pathname}${search}`
}

const VISIBLE = /^[\x21-\x7e]{1,64}$/

const noHost = invalid("#", "The request has no Host header")

const broken = new Refusal({ code: "internal_error", detail: "Something went wrong on our side." })

/** The whole life of a request: found, allowed, done and answered, with a problem for whatever goes wrong. */
export const makeHandle = (routes: ReadonlyArray<Route>, facts: HandlerFacts) =>
  Effect.gen(function* () {
    const find = makeRouter(routes)
    const authenticate = yield* makeAuthenticate
    const limit = yield* makeLimit(facts.rateLimits)
    const common = securityHeaders(facts)

    const perform = Effect.fnUntraced(function* (
      { route: { answer }, path }: Found,
      request: IncomingMessage,
      address: string,
      told: Record<string, string>,
    ) {
      const at = address.indexOf("?")
      const arrived = { request, address, path, query: at < 0 ? "" : address.slice(at + 1) }
      if (answer.type === "open") return yield* answer.reply(arrived)
      const caller = yield* authenticate(request)
      Object.assign(told, yield* limit(caller, answer.access.rate))
      yield* requireScope(caller, answer.access.scope)
      return yield* answer.reply(arrived, caller)
    })

    const replyTo = (request: IncomingMessage, address: string, told: Record<string, string>) =>
      Effect.suspend((): Effect.Effect<Reply, Failure> => {
        if (request.headers.host === undefined && request.httpVersion === "1.1") return noHost
        const routed = find(request.method ?? "GET", address.split("?", 1).join(""))
        return routed.type === "refused" ? routed.refusal : perform(routed, request, address, told)
      })

    const explain = (cause: Cause.Cause<Failure>, requestId: string) =>
      Effect.gen(function* () {
        const failure = Cause.failureOption(cause)
        const refusal = Option.match(failure, {
          onNone: () => broken,
          onSome: (each) => refusalOf(each, facts.baseUrl),
        })
        const isOurs = Option.isNone(failure) || refusal.code === "internal_error"
        if (isOurs) yield* Effect.logError("A request failed", cause)
        else if (refusal.code === "unavailable")
          yield* Effect.logWarning("A request could not be served", cause)
        return problemReply(refusal, { baseUrl: facts.baseUrl, requestId })
      })

    return (request: IncomingMessage, response: ServerResponse): Effect.Effect<void> => {
      const requestId = newRequestId()
      const given = request.headers["x-request-id"]
      const told: Record<string, string> = {}
      return Effect.gen(function* () {
        const reply = yield* replyTo(request, addressOf(request.url ?? "/"), told).pipe(
          Effect.catchAllCause((cause) => explain(cause, requestId)),
        )
        const headers = { ...common, ...told, ...reply.headers, "Request-Id": requestId }
        yield* send(request, response, { ...reply, headers })
        yield* Effect.logDebug(`${request.method} ${response.statusCode}`)
      }).pipe(
        Effect.annotateLogs({
          request: requestId,
          ...(typeof given === "string" && VISIBLE.test(given) && { client_request: given }),
        }),
      )
    }
  })
