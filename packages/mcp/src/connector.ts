import type { JobNews } from "@earmark/service"
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { Runtime } from "effect"
import { bodyOfTooManyValues, bodyTooLarge, bodyUnreadable, scopesLacking } from "./connector/answers.js"
import type { Caller } from "./connector/Caller.js"
import { neededToCall, neededToHear } from "./connector/neededScopes.js"
import { readBody } from "./connector/readBody.js"
import { makeSessions } from "./connector/Sessions.js"
import { makeCalls } from "./server/Calls.js"
import { type Changes, eventsOf } from "./server/Changes.js"
import { makeServer } from "./server/makeServer.js"
import { type Customer, productFor, scopesOfTools } from "./server/product.js"
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
  /** Ends all sessions and streams, once the calls that are underway are answered: those that wait with what there is. */
  readonly close: () => Promise<void>
}

const LOOK_EVERY_SECONDS = 2

export const makeConnector = (options: ConnectorOptions): Connector => {
  const {
    backendFor,
    extras = nothingServed,
    resourceMetadataUrl,
    runtime = Runtime.defaultRuntime,
  } = options
  /** Whose request it is, by what goes through the protocol with it. */
  const customers = new WeakMap<AuthInfo, Customer>()

  const customerOf = ({ http }: ServerContext): Customer => {
    const customer = http?.authInfo === undefined ? undefined : customers.get(http.authInfo)
    if (customer === undefined) throw new Error("A request without a caller reached the connector")
    return customer
  }

  const calls = makeCalls()
  const newServer = (tells = true) =>
    makeServer(together(productFor({ customerOf, files: null, runtime, calls }), extras), { tells })

  /** Whose requests may be answered in whose name: the backend that an account came with last. */
  const backends = new Map<string, TranscriptionBackend["Type"]>()
  const changes =
    options.changes ??
    watchJobs((account) => backends.get(account), {
      runtime,
      everySeconds: LOOK_EVERY_SECONDS,
      news: options.news,
    })

  const sessions = makeSessions(
    () => newServer(),
    changes,
    () => performance.now(),
  )

  /** One for each account, so that nobody hears of the changes of another one. */
  const handlers = new Map<string, McpHttpHandler>()
  const handlerFor = ({ account }: Caller): McpHttpHandler => {
    const known = handlers.get(account)
    if (known !== undefined) return known
    // Older clients have no stream to hear of changes on, where they have no session.
    const handler = createMcpHandler(({ era }) => newServer(era === "modern").server, {
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

  /** Keys without the scope of a tool are told so by the tool: they cannot come back with more. */
  const lackedScopes = (body: unknown, { scopes, canAskForScopes }: Caller) => {
    const toCall = canAskForScopes ? neededToCall(body, toolScopes) : []
    const needed = [...new Set([...toCall, ...neededToHear(body)])]
    return needed.every((scope) => scopes.some((held) => held === scope)) ? [] : needed
  }

  const fetch: Connector["fetch"] = async (request, caller) => {
    const auth: AuthInfo = { token: "", clientId: caller.key ?? caller.account, scopes: [...caller.scopes] }
    const backend = backendFor(caller)
    customers.set(auth, { backend, scopes: caller.scopes })
    if (!backends.has(caller.account)) backends.set(caller.account, backend)
    let body: unknown
    if (request.method === "POST") {
      const read = await readBody(request)
      if (read.type === "too_large") return bodyTooLarge()
      if (read.type === "too_many_values") return bodyOfTooManyValues()
      if (read.type === "unreadable") return bodyUnreadable()
      body = read.value
    }
    const lacked = lackedScopes(body, caller)
    if (lacked.length > 0) return scopesLacking(lacked, caller, resourceMetadataUrl)
    if (options.sessions && (await isLegacyRequest(request, body))) {
      return sessions.fetch({ request, body, caller, auth })
    }
    return handlerFor(caller).fetch(request, {
      authInfo: auth,
      ...(body !== undefined && { parsedBody: body }),
    })
  }

  const close = async () => {
    await calls.end()
    await Promise.all([sessions.close(), ...[...handlers.values()].map((handler) => handler.close())])
  }

  return { fetch, close }
}
