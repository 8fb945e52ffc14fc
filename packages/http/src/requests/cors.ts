import type { IncomingMessage } from "node:http"

type Headers = Readonly<Record<string, string>>

/** Who may read answers from within a web page: anybody, those in the settings, or nobody. */
export type CorsRule = "anybody" | "listed" | "nobody"

const ALLOWED = {
  "Access-Control-Allow-Methods": "GET, POST, DELETE",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Accept, DPoP, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id",
  "Access-Control-Max-Age": "7200",
} as const

const EXPOSED = {
  "Access-Control-Expose-Headers":
    "WWW-Authenticate, Mcp-Session-Id, Retry-After, RateLimit, RateLimit-Policy, DPoP-Nonce, Request-Id",
} as const

const originOf = ({ headers }: IncomingMessage): string | undefined => headers.origin

/** Whether a web page at another site sent this, and none that the settings name. */
export const isForeign = (request: IncomingMessage, own: string, listed: ReadonlyArray<string>): boolean => {
  const origin = originOf(request)
  return origin !== undefined && origin !== own && !listed.includes(origin)
}

export const isPreflight = (request: IncomingMessage): boolean =>
  request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined

/** What browsers are told. Credentials are never allowed: cookies of ours are for our own pages. */
export const corsHeaders = (
  request: IncomingMessage,
  rule: CorsRule,
  listed: ReadonlyArray<string>,
): Headers => {
  const preflight = isPreflight(request) ? ALLOWED : EXPOSED
  const readable = { "Cross-Origin-Resource-Policy": "cross-origin" } as const
  if (rule === "anybody") return { "Access-Control-Allow-Origin": "*", ...readable, ...preflight }
  const origin = originOf(request)
  if (rule === "nobody") return {}
  const isListed = origin !== undefined && listed.includes(origin)
  return isListed
    ? { "Access-Control-Allow-Origin": origin, Vary: "Origin", ...readable, ...preflight }
    : { Vary: "Origin" }
}
