import { randomUUID } from "node:crypto"
import {
  type AuthInfo,
  isInitializeRequest,
  type Server,
  type ServerEvent,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import { type Change, type Changes, eventsOf } from "../server/Changes.js"
import type { Serving } from "../server/makeServer.js"
import { scopeOfResource } from "../server/product.js"
import { sessionMissing, sessionNotFound } from "./answers.js"
import { type Caller, ownerOf } from "./Caller.js"
import { makeEventLog } from "./eventLog.js"

const IDLE_MILLISECONDS = 30 * 60_000
/** More than this many sessions of one account: the one that was idle longest goes. */
const SESSIONS_OF_ONE = 100
const RETRY_MILLISECONDS = 1000

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly serving: Serving
  /** Whose session it is: nobody else's requests find it. */
  readonly owner: string
  /** Who opened the stream that changes are sent on, or else the session. */
  listener: Caller
  seen: number
}

export interface SessionRequest {
  readonly request: Request
  /** Undefined when there is none. */
  readonly body: unknown
  readonly caller: Caller
  readonly auth: AuthInfo
}

/** Lists always; resources when the client has subscribed to them. */
const send = (server: Server, subscribed: ReadonlySet<string>, event: ServerEvent): Promise<void> => {
  switch (event.kind) {
    case "tools_list_changed":
      return server.sendToolListChanged()
    case "prompts_list_changed":
      return server.sendPromptListChanged()
    case "resources_list_changed":
      return server.sendResourceListChanged()
    case "resource_updated":
      return subscribed.has(event.uri) ? server.sendResourceUpdated({ uri: event.uri }) : Promise.resolve()
  }
}

const mayHear = ({ scopes }: Caller, event: ServerEvent): boolean => {
  if (event.kind === "resource_updated") return scopes.includes(scopeOfResource(event.uri))
  return event.kind !== "resources_list_changed" || scopes.includes("transcriptions:read")
}

/** Tells the client of a session what it may know. One that is gone hears nothing, and that is all. */
const tell = ({ serving: { server, subscribed }, listener }: Session, change: Change): void => {
  for (const event of eventsOf(change)) {
    if (mayHear(listener, event)) send(server, subscribed, event).catch(() => {})
  }
}

/**
 * Conversations of clients that begin one (protocol versions up to 2025-11-25), each bound to the account that opened it. What a request
 * may do in it is what its own key or token may do.
 */
export const makeSessions = (newServer: () => Serving, changes: Changes, now: () => number) => {
  const sessions = new Map<string, Session>()

  const drop = (id: string) => {
    const session = sessions.get(id)
    sessions.delete(id)
    return session?.transport.close()
  }

  const sweep = (owner: string) => {
    for (const [id, { seen }] of sessions) if (now() - seen > IDLE_MILLISECONDS) void drop(id)
    const own = [...sessions].filter(([, session]) => session.owner === owner)
    own.sort(([, first], [, second]) => first.seen - second.seen)
    for (const [id] of own.slice(0, Math.max(0, own.length - SESSIONS_OF_ONE + 1))) void drop(id)
  }

  const open = async ({ request, body, caller, auth }: SessionRequest) => {
    const owner = ownerOf(caller)
    sweep(owner)
    const serving = newServer()
    let session: Session | undefined
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: makeEventLog(),
      retryInterval: RETRY_MILLISECONDS,
      onsessioninitialized: (id) => {
        session = { transport, serving, owner, listener: caller, seen: now() }
        sessions.set(id, session)
      },
      onsessionclosed: (id) => {
        sessions.delete(id)
      },
    })
    serving.server.onclose = changes.listen(caller.account, (change) => {
      if (session !== undefined) tell(session, change)
    })
    await serving.server.connect(transport)
    return transport.handleRequest(request, { parsedBody: body, authInfo: auth })
  }

  const fetch = async (arrived: SessionRequest): Promise<Response> => {
    const { request, body, caller, auth } = arrived
    const id = request.headers.get("mcp-session-id")
    if (id === null) return isInitializeRequest(body) ? open(arrived) : sessionMissing()
    const session = sessions.get(id)
    if (session === undefined || session.owner !== ownerOf(caller)) return sessionNotFound()
    session.seen = now()
    if (request.method === "GET") session.listener = caller
    return session.transport.handleRequest(request, { parsedBody: body, authInfo: auth })
  }

  const close = async () => {
    await Promise.all([...sessions.keys()].map(drop))
  }

  return { fetch, close }
}
