import type { JobNews } from "@earmark/service"
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpRequestContext,
} from "@modelcontextprotocol/server"
import { Runtime } from "effect"
import { bodyTooLarge, bodyUnreadable, scopeChallenge } from "./connector/answers.js"
import type { Caller } from "./connector/Caller.js"
import { readBody } from "./connector/readBody.js"
import { makeSessions } from "./connector/Sessions.js"
import { type Changes, eventsOf } from "./server/Changes.js"
import { makeServer } from "./server/makeServer.js"
import { productFor, scopesOfTools } from "./server/product.js"
import { nothingServed, type Served, together } from "./server/Served.js"
import { watchJobs } from "./server/watchJobs.js"
import type { TranscriptionBackend } from "./TranscriptionBackend.js"

export interface ConnectorOptions {
  /** The operations of an account, in the name of a caller. */
  readonly backendFor: (caller: Caller) => TranscriptionBackend["Type"]
  /** Whether clients of older protocol versions get sessions. Without, several nodes can answer them without affinity. */
  readonly sessions: boolean
  /** What apps are pointed to when they are not allowed enough (RFC 9728). */
  readonly resourceMetadataUrl?: string
  /** Who tells of jobs that have changed. Without, the newest are looked at every two seconds while somebody listens. */
  readonly news?: JobNews["Type"]
  /** Where changes are heard of instead, in tests. */
  readonly changes?: Changes
  /** What is offered beside the product: the fixtures of protocol suites, in tests. */
  readonly extras?: Served
  /** What the tools run in: loggers and spans of the host. */
  readonly runtime?: Runtime.Runtime<never>
  /** Told of what went wrong beside the answers. */
  readonly onError?: (error: Error) => void
}

/** The hosted MCP server behind a gate: whoever mounts it checks Host, Origin and the bearer first. */
export interface Connector {
  readonly fetch: (request: Request, caller: Caller) => Promise<Response>
  /** Ends all sessions and streams. */
  readonly close: () => Promise<void>
}

const LOOK_EVERY_SECONDS = 2

/** The names of the tools that a body calls. */
const calledTools = (body: unknown): ReadonlyArray<string> => {
  if (Array.isArray(body)) return body.flatMap(calledTools)
  if (typeof body !== "object" || body === null || !("method" in body) || body.method !== "tools/call")
    return []
  if (!("params" in body) || typeof body.params !== "object" || body.params === null) return []
  return "name" in body.params && typeof body.params.name === "string" ? [body.params.name] : []
}

export const makeConnector = (options: ConnectorOptions): Connector => {
  const {
    backendFor,
    extras = nothingServed,
    resourceMetadataUrl,
    runtime = Runtime.defaultRuntime,
  } = options
  const serverFor = (caller: Caller) =>
    makeServer(
      together(
        productFor({ backend: backendFor(caller), scopes: caller.scopes, files: null, runtime }),
        extras,
      ),
    )

  /** Whose requests may be answered in whose name: the backend that an account came with last. */
  const backends = new Map<string, TranscriptionBackend["Type"]>()
  const changes =
    options.changes ??
    watchJobs((account) => backends.get(account), {
      runtime,
      everySeconds: LOOK_EVERY_SECONDS,
      news: options.news,
    })

  const sessions = makeSessions(serverFor, changes, () => performance.now())
  /** Whose request it is that a server is made for. */
  const callers = new WeakMap<AuthInfo, Caller>()

  const serverOf = ({ authInfo }: McpRequestContext) => {
    const caller = authInfo === undefined ? undefined : callers.get(authInfo)
    if (caller === undefined) throw new Error("A request without a caller reached the connector")
    return serverFor(caller).server
  }

  /** One for each account, so that nobody hears of the changes of another one. */
  const handlers = new Map<string, McpHttpHandler>()
  const handlerFor = ({ account }: Caller): McpHttpHandler => {
    const known = handlers.get(account)
    if (known !== undefined) return known
    const handler = createMcpHandler(serverOf, {
      legacy: options.sessions ? "reject" : "stateless",
      bus: {
        publish: () => {},
        subscribe: (hear) =>
          changes.listen(account, (change) => {
            for (const event of eventsOf(change)) hear(event)
          }),
      },
      ...(options.onError !== undefined && { onerror: options.onError }),
    })
    handlers.set(account, handler)
    return handler
  }

  const toolScopes = new Map<string, ReadonlyArray<string>>([
    ...scopesOfTools,
    ...extras.tools.map(({ definition, scopes }) => [definition.name, scopes] as const),
  ])

  const lackedScopes = (body: unknown, { scopes, canAskForScopes }: Caller) => {
    if (!canAskForScopes) return []
    const needed = [...new Set(calledTools(body).flatMap((name) => toolScopes.get(name) ?? []))]
    return needed.every((scope) => scopes.some((held) => held === scope)) ? [] : needed
  }

  const fetch: Connector["fetch"] = async (request, caller) => {
    const auth: AuthInfo = { token: "", clientId: caller.key ?? caller.account, scopes: [...caller.scopes] }
    callers.set(auth, caller)
    if (!backends.has(caller.account)) backends.set(caller.account, backendFor(caller))
    let body: unknown
    if (request.method === "POST") {
      const read = await readBody(request)
      if (read.type === "too_large") return bodyTooLarge()
      if (read.type === "unreadable") return bodyUnreadable()
      body = read.value
    }
    const lacked = lackedScopes(body, caller)
    if (lacked.length > 0) return scopeChallenge(lacked, resourceMetadataUrl)
    if (options.sessions && (await isLegacyRequest(request, body))) {
      return sessions.fetch({ request, body, caller, auth })
    }
    return handlerFor(caller).fetch(request, {
      authInfo: auth,
      ...(body !== undefined && { parsedBody: body }),
    })
  }

  const close = async () => {
    await Promise.all([sessions.close(), ...[...handlers.values()].map((handler) => handler.close())])
  }

  return { fetch, close }
}
