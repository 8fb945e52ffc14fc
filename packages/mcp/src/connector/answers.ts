import { MOST_JSON_VALUES } from "@earmark/core/requests"
import type { Caller } from "./Caller.js"

/** Answers of the connector itself, in front of the protocol. */

const rpcError = (status: number, code: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers })

export const sessionNotFound = () =>
  rpcError(404, -32001, "Unknown session. Begin a new one with initialize.")

export const sessionMissing = () =>
  rpcError(400, -32000, "The Mcp-Session-Id header is missing. Begin a session with initialize.")

export const bodyTooLarge = () => rpcError(413, -32000, "The body is larger than 4 MiB.")

export const bodyOfTooManyValues = () =>
  rpcError(413, -32000, `The body holds more than ${MOST_JSON_VALUES} values. Send fewer in one call.`)

export const bodyUnreadable = () => rpcError(400, -32700, "Parse error: the body is not JSON.")

/** With what an app does to be allowed more (RFC 6750, RFC 9728). */
export const scopesLacking = (
  scopes: ReadonlyArray<string>,
  { canAskForScopes }: Caller,
  resourceMetadataUrl: string | undefined,
) => {
  const message = `This needs the scopes ${scopes.join(" ")}.`
  if (!canAskForScopes) return rpcError(403, -32000, message)
  const metadata = resourceMetadataUrl === undefined ? [] : [`resource_metadata="${resourceMetadataUrl}"`]
  const challenge = ['error="insufficient_scope"', `scope="${scopes.join(" ")}"`, ...metadata].join(", ")
  return rpcError(403, -32000, message, { "WWW-Authenticate": `Bearer ${challenge}` })
}
