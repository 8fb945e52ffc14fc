/** An app that knows OAuth and has no library. */
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { makeBrowser } from "./browser.js"
import type { Host as WholeHost } from "./world.js"

/** Where a service is; nothing else of it is asked for here. */
type Host = Pick<WholeHost, "base" | "mcp">

export const REDIRECT = "http://127.0.0.1:9999/callback"

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

export interface Told {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Headers
}

const told = async (answer: Response): Promise<Told> => {
  const body: unknown = await answer.json().catch(() => ({}))
  return { status: answer.status, body: isObject(body) ? body : {}, headers: answer.headers }
}

export const text = (value: unknown): string => (typeof value === "string" ? value : "")

export const readJson = async (address: string) => told(await fetch(address))

export const register = async ({ base }: Host, metadata: object = {}) =>
  told(
    await fetch(`${base}/oauth/register`, {
      method: "POST",
      // Where a proxy is believed, each comes from somewhere else.
      headers: { "content-type": "application/json", "x-forwarded-for": randomUUID() },
      body: JSON.stringify({
        client_name: "An app",
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: "none",
        ...metadata,
      }),
    }),
  )

export const post = async ({ base }: Host, path: string, fields: Record<string, string>, headers = {}) =>
  told(
    await fetch(`${base}${path}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(fields),
    }),
  )

export interface Asking {
  readonly client: string
  readonly verifier: string
  readonly address: string
}

/** A question for access, as the address that a browser is sent to. */
export const question = (host: Host, client: string, given: Record<string, string | null> = {}): Asking => {
  const verifier = randomBytes(32).toString("base64url")
  const parameters = new URLSearchParams()
  const all = {
    response_type: "code",
    client_id: client,
    redirect_uri: REDIRECT,
    scope: "transcriptions:read",
    state: "s1",
    resource: host.mcp,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...given,
  }
  for (const [name, value] of Object.entries(all)) if (value !== null) parameters.set(name, value)
  return { client, verifier, address: `${host.base}/oauth/authorize?${parameters}` }
}

/** What a code is exchanged with. */
export const exchange = ({ client, verifier }: Asking, answer: URL): Record<string, string> => ({
  grant_type: "authorization_code",
  client_id: client,
  code: answer.searchParams.get("code") ?? "",
  code_verifier: verifier,
  redirect_uri: REDIRECT,
})

export interface Connected {
  readonly client: string
  readonly access: string
  readonly refresh: string
  readonly scope: string
}

/** From nothing to a token, with a browser in which somebody signs in with a key. */
export const connect = async (
  host: Host,
  key: string,
  given: Record<string, string | null> = {},
  browser = makeBrowser(),
): Promise<Connected> => {
  const client = text((await register(host)).body.client_id)
  const asking = question(host, client, given)
  const answer = await browser.allow(asking.address, key)
  const { body } = await post(host, "/oauth/token", exchange(asking, answer))
  return {
    client,
    access: text(body.access_token),
    refresh: text(body.refresh_token),
    scope: text(body.scope),
  }
}

/** One request to the connector, in the oldest words. */
export const rpc = async (
  host: Host,
  headers: Record<string, string>,
  method = "tools/call",
  params: object = { name: "test_read", arguments: {} },
): Promise<Response> =>
  fetch(host.mcp, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...("name" in params && { "mcp-name": String(params.name) }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  })

export const withToken = (token: string) => ({ authorization: `Bearer ${token}` })
