import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { continueTrace, FailedAttempts, tooManyFailures, traced, tracingOn } from "@earmark/service"
import { Cause, Effect, FiberRef, FiberRefs, HashMap, Option, Runtime } from "effect"
import { invalid, Refusal } from "../answers/Refusal.js"
import { problemReply, type Reply } from "../answers/Reply.js"
import { type Failure, refusalOf } from "../answers/refusalOf.js"
import type { RequestMeter } from "../metrics/RequestMeter.js"
import { type Arrived, headerOf } from "../requests/Arrived.js"
import { addressThrough } from "../requests/addressThrough.js"
import {
  makeAuthenticate,
  makeAuthenticateOperator,
  requireFreshSignIn,
  requireScope,
} from "../requests/authenticate.js"
import { makeLimit, type RateLimits } from "../requests/limit.js"
import type { Route } from "../routes/Route.js"
import { type Found, makeRouter, type Routed } from "../routes/Router.js"
import { count, isQuiet, isTold, methodOf, tell } from "./note.js"
import { securityHeaders } from "./securityHeaders.js"
import { send } from "./send.js"

export interface HandlerFacts {
  readonly baseUrl: string
  /** Whether each request is a line of the log; without it only those that go wrong are. */
  readonly logRequests: boolean
  readonly rateLimits: RateLimits
  /** How many proxies of ours stand between clients and this process. */
  readonly proxies: number
}

const ID_BYTES = 10
const IDS_AT_ONCE = 400

/** Asking for random bytes costs as much as four hundred of them do. */
const makeRequestIds = () => {
  let bytes = Buffer.alloc(0)
  let used = 0
  return (): string => {
    if (used === bytes.length) {
      bytes = randomBytes(ID_BYTES * IDS_AT_ONCE)
      used = 0
    }
    used += ID_BYTES
    return `req_${bytes.toString("hex", used - ID_BYTES, used)}`
  }
}

/** Path and query of a request target; proxies may send a whole address. */
const addressOf = (target: string): string => {
  if (target.startsWith("/")) return target
  if (!URL.canParse(target)) return "/"
  const { pathname, search } = new URL(target)
  return `${pathname}${search}`
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly address: string
  /** The template of the route, which holds nothing that a client made up. */
  readonly route: string
  /** Headers that were found out on the way. */
  readonly told: Record<string, string>
  readonly routed: Routed
  account?: string
}

const whenOver = (response: ServerResponse) => (then: () => void) => {
  if (response.closed) then()
  else response.once("close", then)
}

const tellWorking = (response: ServerResponse) => () => {
  if (!response.headersSent && !response.destroyed) response.writeProcessing()
}

const spanOf = (requestId: string, route: string) =>
  ({ kind: "server", attributes: { "http.route": route, "earmark.request_id": requestId } }) as const

const VISIBLE = /^[\x21-\x7e]{1,64}$/

const noHost = invalid("#", "The request has no Host header")

const broken = new Refusal({ code: "internal_error", detail: "Something went wrong on our side." })

/** Whether a request did not show whose it is: by a key, the key of the metrics, or a signature. */
const isFailedAttempt = (failure: Failure): boolean => {
  switch (failure._tag) {
    case "Unauthorized":
    case "NoticeInvalid":
      return true
    case "SignedAddressInvalid":
      return failure.reason !== "expired"
    default:
      return failure._tag === "Refusal" && failure.code === "unauthorized"
  }
}

const tooMany = (seconds: number) =>
  new Refusal({
    code: "rate_limited",
    detail: tooManyFailures(seconds),
    headers: { "Retry-After": String(seconds) },
  })

/** The whole life of a request: found, allowed, done and answered, with a problem for whatever goes wrong. */
export const makeHandle = (routes: ReadonlyArray<Route>, facts: HandlerFacts, meter: RequestMeter) =>
  Effect.gen(function* () {
    const find = makeRouter(routes)
    const authenticate = yield* makeAuthenticate(facts.baseUrl)
    const authenticateOperator = yield* makeAuthenticateOperator(facts.baseUrl)
    const attempts = yield* FailedAttempts
    const limit = yield* makeLimit(facts.rateLimits)
    const common = securityHeaders(facts)
    const runtime = yield* Effect.runtime<never>()
    const run = Runtime.runFork(runtime)
    const least = FiberRefs.getOrDefault(runtime.fiberRefs, FiberRef.currentMinimumLogLevel)
    const isTraced = FiberRefs.getOrDefault(runtime.fiberRefs, tracingOn)
    const newRequestId = makeRequestIds()

    const perform = Effect.fnUntraced(function* ({ route: { answer }, path }: Found, exchange: Exchange) {
      const { request, response, address, told } = exchange
      const at = address.indexOf("?")
      const query = at < 0 ? "" : address.slice(at + 1)
      const arrived: Arrived = {
        request,
        address,
        path,
        query,
        whenOver: whenOver(response),
        tellWorking: tellWorking(response),
      }
      if (answer.type === "open") return yield* answer.reply(arrived)
      const caller = yield* answer.isForOperators
        ? authenticateOperator(request)
        : authenticate(request, answer.orIn)
      exchange.account = caller.account
      Object.assign(told, yield* limit(caller, answer.access.rate))
      yield* requireScope(caller, answer.access.scope)
      if (answer.access.needsFreshSignIn) yield* requireFreshSignIn(caller)
      return yield* answer.reply(arrived, caller)
    })

    const replyTo = (exchange: Exchange) =>
      Effect.suspend((): Effect.Effect<Reply, Failure> => {
        const { request, routed } = exchange
        if (request.headers.host === undefined && request.httpVersion === "1.1") return noHost
        if (routed.type === "refused") return routed.refusal
        return perform(routed, exchange)
      })

    const countFailed = (failure: Failure, request: IncomingMessage): Effect.Effect<never, Failure> =>
      Effect.flatMap(attempts.count(addressThrough(request, facts.proxies)), (seconds) =>
        Effect.fail(seconds === null ? failure : tooMany(seconds)),
      )

    const explain = (cause: Cause.Cause<Failure>, { request, requestId, routed }: Exchange) =>
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
        const accept = headerOf(request, "accept")
        const reply = (routed.type === "found" ? routed.route : routed).refusalReply ?? problemReply
        return reply(refusal, { baseUrl: facts.baseUrl, requestId, accept })
      })

    /** Every request has a fiber of its own, so that what its logs say of it ends with it. */
    const annotated = (request: IncomingMessage, requestId: string) => {
      const given = request.headers["x-request-id"]
      return FiberRef.update(FiberRef.currentLogAnnotations, (known) => {
        const named = HashMap.set(known, "request", requestId)
        return typeof given === "string" && VISIBLE.test(given)
          ? HashMap.set(named, "client_request", given)
          : named
      })
    }

    const whole = (work: Effect.Effect<Reply>, { request, route, requestId }: Exchange) => {
      if (!isTraced || isQuiet(route)) return continueTrace(headerOf(request, "traceparent"))(work)
      return work.pipe(
        Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
        traced(`${methodOf(request)} ${route}`, spanOf(requestId, route)),
        continueTrace(headerOf(request, "traceparent")),
      )
    }

    return (request: IncomingMessage, response: ServerResponse): Effect.Effect<void> => {
      const requestId = newRequestId()
      const began = performance.now()
      const address = addressOf(request.url ?? "/")
      const routed = find(request.method ?? "GET", address.split("?", 1).join(""))
      const route = routed.type === "found" ? routed.route.path : "other"
      const exchange: Exchange = { request, response, requestId, address, told: {}, routed, route }

      response.once("close", () => {
        const over = { request, response, route, began, account: exchange.account }
        count(meter, over)
        if (isTold(facts, route, least))
          run(Effect.zipRight(annotated(request, requestId), tell(facts, over)))
      })

      const replied = replyTo(exchange).pipe(
        Effect.catchIf(isFailedAttempt, (failure) => countFailed(failure, request)),
        Effect.catchAllCause((cause) => explain(cause, exchange)),
      )
      const sent = Effect.flatMap(whole(replied, exchange), (reply) => {
        const headers = { ...common, ...exchange.told, ...reply.headers, "Request-Id": requestId }
        return send(request, response, { ...reply, headers })
      })
      return Effect.zipRight(annotated(request, requestId), sent)
    }
  })
