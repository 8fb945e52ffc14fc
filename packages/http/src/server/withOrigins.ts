import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect } from "effect"
import { securityHeaders } from "./securityHeaders.js"

export interface OriginFacts {
  readonly baseUrl: string
  /** Whose pages may read answers in a browser; nobody's where it is empty. */
  readonly corsOrigins: ReadonlyArray<string>
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Effect.Effect<void>

/** What a page may read of an answer beside its body. */
const READABLE =
  "Content-Disposition, ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Request-Id, Retry-After, WWW-Authenticate"

/**
 * What a page may send. Without cookies `*` allows every header but Authorization, which is named: clients such as
 * OpenAI's send some of their own, and others with each version.
 */
const SENDABLE = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "Access-Control-Allow-Headers": "Authorization, *",
  "Access-Control-Max-Age": "600",
} as const

/** Lets pages of the origins named ask and read; a page of any other is kept out by its browser, as it is where none is named. */
export const withOrigins = (handle: Handle, facts: OriginFacts): Handle => {
  if (facts.corsOrigins.length === 0) return handle
  const common = securityHeaders(facts)

  const allow = (request: IncomingMessage, response: ServerResponse, origin: string) =>
    Effect.suspend(() => {
      response.setHeader("Access-Control-Allow-Origin", origin)
      const isPreflight =
        request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined
      if (!isPreflight) {
        response.setHeader("Access-Control-Expose-Headers", READABLE)
        return handle(request, response)
      }
      return Effect.sync(() => {
        const requestId = `req_${randomBytes(10).toString("hex")}`
        response.writeHead(204, { ...common, ...SENDABLE, "Request-Id": requestId }).end()
      })
    })

  return (request, response) =>
    Effect.suspend(() => {
      response.setHeader("Vary", "Origin")
      const { origin } = request.headers
      return origin !== undefined && facts.corsOrigins.includes(origin)
        ? allow(request, response, origin)
        : handle(request, response)
    })
}
