import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { addressesOf, CONNECTOR_PATH, readWhole } from "@earmark/authorization"
import type { Connector } from "@earmark/mcp"
import { FailedAttempts, tooManyFailures } from "@earmark/service"
import { Effect } from "effect"
import type { AgentFacts } from "../AgentFacts.js"
import type { Reply } from "../answers/Reply.js"
import { addressThrough } from "../requests/addressThrough.js"
import { corsHeaders, isForeign, isPreflight } from "../requests/cors.js"
import { isUnderOwnName } from "../requests/isUnderOwnName.js"
import { makeLimit } from "../requests/limit.js"
import type { Mount } from "../server/Mount.js"
import { securityHeaders } from "../server/securityHeaders.js"
import { send } from "../server/send.js"
import { answering, webRequest, writeWebResponse } from "./bridge.js"
import { challengeOf } from "./challenge.js"
import { rateOf } from "./rateOf.js"
import { rpcReply } from "./rpcReply.js"
import { makeVerify } from "./verify.js"

const MOST_BYTES = 4 * 1024 * 1024

const METHODS: ReadonlyArray<string> = ["GET", "POST", "DELETE"]

/** Who may come in front of any credential: under our own name, and from no web page of somebody else (DNS rebinding). */
const refusedAtTheDoor = (request: IncomingMessage, facts: AgentFacts): Reply | null => {
  if (!isUnderOwnName(request, facts.baseUrl)) {
    return rpcReply(
      403,
      "The server is not known under this Host. A proxy in front passes on the Host that clients use.",
    )
  }
  if (isForeign(request, new URL(facts.baseUrl).origin, facts.corsOrigins)) {
    return rpcReply(
      403,
      "Web pages of this site may not ask. The operator of the server can allow it with EARMARK_CORS_ORIGINS.",
    )
  }
  return METHODS.includes(request.method ?? "")
    ? null
    : rpcReply(405, "This address takes GET, POST and DELETE.", { Allow: METHODS.join(", ") })
}

const unavailable = rpcReply(
  503,
  "The server cannot do this at the moment. Repeat the request in a second.",
  {
    "Retry-After": "1",
  },
)

const broken = rpcReply(500, "Something went wrong on our side.")

/** Mounts the connector behind its gate: Host, Origin, credentials, limits, in this order. */
export const connectorMount = (facts: AgentFacts, connector: Connector) =>
  Effect.gen(function* () {
    const addresses = addressesOf(facts.baseUrl)
    const common = securityHeaders(facts)
    const { verify, whileGood } = yield* makeVerify(facts)
    const attempts = yield* FailedAttempts
    const limit = yield* makeLimit(facts.rateLimits)

    const unauthorized = (why: string | null) =>
      rpcReply(
        401,
        why === null ? "Send an API key or a token of an app: Authorization: Bearer ..." : `${why}.`,
        { "WWW-Authenticate": challengeOf(addresses, why) },
      )

    /** A request without credentials is how apps begin; one with wrong ones is an attempt. */
    const refused = (request: IncomingMessage, why: string) =>
      Effect.map(attempts.count(addressThrough(request, facts.proxies)), (seconds) =>
        seconds === null
          ? unauthorized(why)
          : rpcReply(429, tooManyFailures(seconds), { "Retry-After": String(seconds) }),
      )

    const perform = (request: IncomingMessage, response: ServerResponse, told: Reply["headers"]) =>
      Effect.gen(function* () {
        const barred = refusedAtTheDoor(request, facts)
        if (barred !== null) return barred
        const caller = yield* verify(request)
        if (caller === null) return unauthorized(null)
        const body =
          request.method === "POST"
            ? yield* Effect.tryPromise(() => readWhole(request, MOST_BYTES))
            : undefined
        if (body === null) return rpcReply(413, "The body is larger than 4 MiB.")
        const limits = yield* limit(caller, rateOf(body ?? null))
        const work = answering(response)
        const url = `${addresses.resource}${(request.url ?? "").slice(CONNECTOR_PATH.length)}`
        const asked = webRequest(request, { url, body: body ?? null, signal: work.signal })
        const headers = { ...common, ...told, ...limits }
        const answered = Effect.tryPromise(async () => {
          const answer = await connector.fetch(asked, caller)
          if (!response.destroyed && !work.signal.aborted) await writeWebResponse(response, answer, headers)
        })
        yield* Effect.raceFirst(answered, whileGood(request, caller)).pipe(
          Effect.tapErrorTag("TokenRefused", () => Effect.sync(() => work.abort())),
        )
        return null
      }).pipe(
        Effect.catchTags({
          TokenRefused: ({ why }) =>
            // A stream that has begun is ended; its client comes back, and is told then.
            response.headersSent
              ? Effect.as(
                  Effect.sync(() => response.end()),
                  null,
                )
              : refused(request, why),
          Refusal: ({ detail, headers }) => Effect.succeed(rpcReply(429, detail, headers)),
          IssuerAway: () => Effect.succeed(unavailable),
          StorageError: (error) =>
            Effect.as(Effect.logWarning("A request of an app could not be served", error), unavailable),
        }),
        Effect.catchAllCause((cause) =>
          response.destroyed
            ? Effect.succeed(null)
            : Effect.as(Effect.logError("A request of an app failed", cause), broken),
        ),
      )

    const answer: Mount["answer"] = (request, response) => {
      const requestId = `req_${randomBytes(10).toString("hex")}`
      const cors = corsHeaders(request, "listed", facts.corsOrigins)
      const told = { ...cors, "Request-Id": requestId }
      return Effect.gen(function* () {
        const reply = isPreflight(request)
          ? { status: 204, headers: {}, body: null }
          : yield* perform(request, response, told)
        if (reply === null) return
        yield* send(request, response, { ...reply, headers: { ...common, ...told, ...reply.headers } })
      }).pipe(Effect.annotateLogs({ request: requestId }))
    }

    const mount: Mount = { owns: (path) => path === CONNECTOR_PATH, route: CONNECTOR_PATH, answer }
    return mount
  })
