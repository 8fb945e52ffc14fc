import { randomBytes } from "node:crypto"
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { Refusal } from "../answers/Refusal.js"
import { problemReply } from "../answers/Reply.js"
import { securityHeaders } from "./securityHeaders.js"

const refusals = {
  HPE_HEADER_OVERFLOW: new Refusal({
    code: "headers_too_large",
    detail: "The first line and the headers have at most 16384 bytes.",
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal({
    code: "request_timeout",
    detail: "The headers did not arrive in time.",
  }),
  CONNECT: new Refusal({
    code: "invalid_request",
    detail: "This server is not a proxy and does not take CONNECT.",
  }),
} as const

const malformed = new Refusal({ code: "invalid_request", detail: "This is not a valid HTTP/1.1 request." })

const isKnown = (code: unknown): code is keyof typeof refusals =>
  typeof code === "string" && Object.hasOwn(refusals, code)

/** How long a client may go on sending after it was refused. Cut at once, it would never read why. */
const LINGER_MILLISECONDS = 2000

/** What Node refused, with the bytes that it was reading. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

const ACCEPT = /^accept:(.*)$/i

/** The Accept header, as far as it stands in the bytes at hand: there is no parsed request. */
const acceptIn = ({ rawPacket }: ClientError): string | undefined => {
  const [head = ""] = (rawPacket?.toString("latin1") ?? "").split("\r\n\r\n", 1)
  const lines = head.split("\r\n").flatMap((line) => ACCEPT.exec(line)?.[1] ?? [])
  return lines.length === 0 ? undefined : lines.join(",")
}

const answerText = (error: ClientError, facts: { readonly baseUrl: string }): string => {
  const { code } = error
  const requestId = `req_${randomBytes(10).toString("hex")}`
  const refusal = isKnown(code) ? refusals[code] : malformed
  const { status, headers, body } = problemReply(refusal, { ...facts, requestId, accept: acceptIn(error) })
  const text = typeof body === "string" ? body : ""
  const lines = Object.entries({
    ...securityHeaders(facts),
    ...headers,
    "Request-Id": requestId,
    "Content-Length": String(Buffer.byteLength(text)),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${text}`
}

/** The request of a connection that has no whole answer yet. */
export interface Underway {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Answers what Node's own parser refuses, which it would do without a word. An answer that is on its way is never written into: a
 * connection with one is cut, and one whose request was whole, so that it is owed an answer, is closed behind that.
 */
export const answerClientErrors = (facts: { readonly baseUrl: string }) => {
  const refused = new WeakSet<Duplex>()
  return (error: ClientError, socket: Duplex, underway?: Underway): void => {
    if (refused.has(socket)) return
    if (error.code === "ECONNRESET" || !socket.writable || underway?.response.headersSent) {
      socket.destroy()
      return
    }
    refused.add(socket)
    if (underway?.request.complete) {
      underway.response.setHeader("Connection", "close")
      return
    }
    // Others that came before it on this connection are owed their answers first.
    if (underway?.response.socket === null) {
      socket.destroy()
      return
    }
    // @effect-diagnostics-next-line globalTimers:off -- called by Node outside of every fiber
    const cut = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
    socket.once("close", () => {
      clearTimeout(cut)
      // Node forgets it with its parser, and whoever reads its body would wait.
      underway?.request.destroy()
    })
    socket.end(answerText(error, facts))
    socket.resume()
  }
}
