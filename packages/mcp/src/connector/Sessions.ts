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

/** Tells the client of a session. One that is gone hears nothing, and that is all. */
const tell = ({ server, subscribed }: Serving, change: Change): void => {
  for (const event of eventsOf(change)) send(server, subscribed, event).catch(() => {})
}

/** Conversations of clients that begin one (protocol versions up to 2025-11-25), each bound to the account that opened it. */
export const makeSessions = (
  makeServer: (caller: Caller) => Serving,
  changes: Changes,
  now: () => number,
) => {
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
    const { server, subscribed } = makeServer(caller)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: makeEventLog(),
      retryInterval: RETRY_MILLISECONDS,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, serving: { server, subscribed }, owner, seen: now() })
      },
      onsessionclosed: (id) => {
        sessions.delete(id)
      },
    })
    const stopListening = changes.listen(caller.account, (change) => tell({ server, subscribed }, change))
    server.onclose = stopListening
    await server.connect(transport)
    return transport.handleRequest(request, { parsedBody: body, authInfo: auth })
  }

  const fetch = async (arrived: SessionRequest): Promise<Response> => {
    const { request, body, caller, auth } = arrived
    const id = request.headers.get("mcp-session-id")
    if (id === null) return isInitializeRequest(body) ? open(arrived) : sessionMissing()
    const session = sessions.get(id)
    if (session === undefined || session.owner !== ownerOf(caller)) return sessionNotFound()
    session.seen = now()
    return session.transport.handleRequest(request, { parsedBody: body, authInfo: auth })
  }

  const close = async () => {
    await Promise.all([...sessions.keys()].map(drop))
  }

  return { fetch, close }
}
