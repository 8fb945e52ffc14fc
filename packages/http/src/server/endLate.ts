import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { problemReply } from "../answers/Reply.js"
import { bodyTooSlow } from "../requests/readBody.js"
import { securityHeaders } from "./securityHeaders.js"

interface Facts {
  readonly baseUrl: string
  readonly milliseconds: number
}

/** Answers a request whose body does not arrive in time, for those who read bodies without a deadline. */
export const endLate = (
  request: IncomingMessage,
  response: ServerResponse,
  { baseUrl, milliseconds }: Facts,
): void => {
  const tell = () => {
    if (request.complete) return
    if (response.headersSent) {
      response.destroy()
      return
    }
    const requestId = `req_${randomBytes(10).toString("hex")}`
    const { status, headers, body } = problemReply(bodyTooSlow, { baseUrl, requestId })
    const told = { ...securityHeaders({ baseUrl }), ...headers, "Request-Id": requestId }
    response.writeHead(status, told).end(body)
  }
  // @effect-diagnostics-next-line globalTimers:off -- a race of two fibers costs more than most requests
  const late = setTimeout(tell, milliseconds)
  response.once("close", () => clearTimeout(late))
}
