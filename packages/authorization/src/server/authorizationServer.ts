/** The authorization server: loaded, with its library, when the first app comes. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { SIGN_IN_PATH } from "../addresses.js"
import { errorPage } from "../pages/errorPage.js"
import { APP_SCOPES, namesNoScope, OPENID } from "../scopes.js"
import { problemOfClient } from "./clientLimits.js"
import { makeInteractions } from "./interactions.js"
import { makeProvider } from "./makeProvider.js"
import { asSeenFromOutside, readText } from "./requests.js"
import type { ServerFacts } from "./ServerFacts.js"

export interface AuthorizationServer {
  /** Answers everything below `/oauth/` and the metadata of the server. `address`: where the client is. */
  readonly answer: (request: IncomingMessage, response: ServerResponse, address: string) => Promise<void>
}

const INTERACTION = /^\/oauth\/interaction\/([\w-]{1,64})(\/answer)?$/

const json = (
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const sent = JSON.stringify(body)
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Length": Buffer.byteLength(sent),
    ...headers,
  })
  response.end(sent)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (body: string | null): unknown => {
  try {
    return JSON.parse(body ?? "")
  } catch {
    return undefined
  }
}

const partsOf = (request: IncomingMessage) => {
  const target = request.url ?? "/"
  const at = target.indexOf("?")
  return at < 0 ? { path: target, query: "" } : { path: target.slice(0, at), query: target.slice(at + 1) }
}

/** What a client that registers means where it says nothing (RFC 7591, 2). Those with a document have no secrets. */
const UNSAID = { token_endpoint_auth_method: "client_secret_basic" } as const

/** The parameters of a request for access. Without a scope of ours it asks for the everyday set. */
const withScope = (parameters: string): string => {
  const named = new URLSearchParams(parameters)
  const scope = named.get("scope") ?? ""
  if (namesNoScope(scope)) {
    // Kept where it was: parameters such as `nonce` are refused without it.
    const kept = scope.split(" ").includes(OPENID) ? [OPENID] : []
    named.set("scope", [...kept, ...APP_SCOPES].join(" "))
  }
  return named.toString()
}

export const makeAuthorizationServer = (facts: ServerFacts): AuthorizationServer => {
  const { addresses } = facts
  /** Where the client of a request is. */
  const clients = new WeakMap<IncomingMessage, string>()
  const provider = makeProvider(facts, (request) => clients.get(request) ?? "unknown")
  const callback = provider.callback()
  const interactions = makeInteractions(provider, facts)

  const library = (request: IncomingMessage, response: ServerResponse, address: string) => {
    clients.set(request, address)
    return callback(request, response)
  }

  const register = async (request: IncomingMessage, response: ServerResponse, address: string) => {
    const wait = await facts.registerAfter(address)
    if (wait !== null) {
      const description = "Too many clients were registered from this address. Try again later."
      const body = { error: "temporarily_unavailable", error_description: description }
      return json(response, 429, body, { "Retry-After": String(wait) })
    }
    const metadata = parsed(await readText(request))
    if (!isObject(metadata)) {
      const description = "The body is a JSON object with the metadata of the client."
      return json(response, 400, { error: "invalid_client_metadata", error_description: description })
    }
    const problem = problemOfClient(metadata)
    if (problem !== null)
      return json(response, 400, { error: problem.error, error_description: problem.description })
    const body = JSON.stringify({ ...UNSAID, ...metadata })
    return library(asSeenFromOutside(request, addresses, { body }), response, address)
  }

  /** Parameters that were pushed before are named by `request_uri`, and complete. */
  const ask = (request: IncomingMessage, response: ServerResponse, address: string) => {
    const { path, query } = partsOf(request)
    const isPushed = new URLSearchParams(query).has("request_uri")
    const url = isPushed ? `${path}?${query}` : `${path}?${withScope(query)}`
    return library(asSeenFromOutside(request, addresses, { url }), response, address)
  }

  const push = async (request: IncomingMessage, response: ServerResponse, address: string) => {
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")
    const body = isForm ? await readText(request) : null
    const change = body === null ? {} : { body: withScope(body) }
    return library(asSeenFromOutside(request, addresses, change), response, address)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse, address: string) => {
    const { path, query } = partsOf(request)
    const [, uid, isAnswer] = INTERACTION.exec(path) ?? []
    if (uid !== undefined) {
      const seen = asSeenFromOutside(request, addresses, { keepsOrigin: true })
      return interactions(seen, response, { uid, isAnswer: isAnswer !== undefined, query, address })
    }
    if (path === SIGN_IN_PATH) {
      const attempt = new URLSearchParams(query).get("state") ?? ""
      const location = `/oauth/interaction/${encodeURIComponent(attempt)}/answer?${query}`
      response.writeHead(303, { Location: location, "Cache-Control": "no-store", "Content-Length": "0" })
      response.end()
      return
    }
    if (path === "/oauth/register" && request.method === "POST") return register(request, response, address)
    if (path === "/oauth/authorize") return ask(request, response, address)
    if (path === "/oauth/par" && request.method === "POST") return push(request, response, address)
    return library(asSeenFromOutside(request, addresses), response, address)
  }

  return {
    answer: (request, response, address) =>
      answer(request, response, address).catch((cause: unknown) => {
        // The client left before its request was whole: that is no error of ours.
        if (request.readableAborted) return void response.destroy()
        facts.onError("A request of an app failed", cause)
        if (response.headersSent) return void response.destroy()
        const { status, headers, html } = errorPage(500, "Something went wrong on our side.", "server_error")
        response.writeHead(status, headers)
        response.end(html)
      }),
  }
}
