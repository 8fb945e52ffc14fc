import { IncomingMessage } from "node:http"
import type { Addresses } from "../addresses.js"
import { readWhole } from "../readWhole.js"

const MOST_BYTES = 56 * 1024

/** The body of a request as text; null when it is larger than any that is expected, or not UTF-8. */
export const readText = async (request: IncomingMessage): Promise<string | null> => {
  const bytes = await readWhole(request, MOST_BYTES)
  try {
    return bytes === null ? null : new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

interface Change {
  readonly url?: string
  /** Takes the place of a body that has been read. */
  readonly body?: string
  /** The library has rules of its own for other sites, which are ours to have. */
  readonly keepsOrigin?: true
}

const FORWARDED = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-http-method-override)$/i

/**
 * The request as the library is to see it: under the address that the service is known by, whatever a client or a proxy says of that,
 * and changed where something has to be.
 */
export const asSeenFromOutside = (
  request: IncomingMessage,
  { host, isSecure }: Addresses,
  { url, body, keepsOrigin }: Change = {},
): IncomingMessage => {
  const seen = body === undefined ? request : new IncomingMessage(request.socket)
  const headers = { ...request.headers }
  for (const name of Object.keys(headers)) if (FORWARDED.test(name)) delete headers[name]
  if (keepsOrigin === undefined) delete headers.origin
  headers.host = host
  headers["x-forwarded-proto"] = isSecure ? "https" : "http"
  if (body !== undefined) {
    delete headers["transfer-encoding"]
    headers["content-length"] = String(Buffer.byteLength(body))
    seen.method = request.method ?? "POST"
    seen.httpVersion = request.httpVersion
    // Or it would take the connection with it when it ends.
    seen.complete = true
    seen.push(body)
    seen.push(null)
  }
  seen.url = url ?? request.url ?? "/"
  seen.headers = headers
  return seen
}
