/** A service that answers as a test tells it to, over a real socket. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { platformWith } from "../../src/client/Platform.js"
import { Transport } from "../../src/client/Transport.js"

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type Behaviour = (response: ServerResponse, asked: Asked, request: IncomingMessage) => void

export interface Service {
  readonly baseUrl: string
  readonly asked: ReadonlyArray<Asked>
  readonly stop: () => void
}

/** Each request meets the next behaviour; the last one stays. */
export const startService = (...behaviours: ReadonlyArray<Behaviour>): Promise<Service> =>
  new Promise((resolve) => {
    const asked: Array<Asked> = []
    const server = createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      try {
        for await (const chunk of request) chunks.push(chunk)
      } catch {
        return
      }
      const { method = "", url = "", headers } = request
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
      asked.push(one)
      behaviours[Math.min(asked.length, behaviours.length) - 1]?.(response, one, request)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        baseUrl: `http://127.0.0.1:${port}`,
        asked,
        stop: () => {
          server.closeAllConnections()
          server.close()
        },
      })
    })
  })

export const json =
  (body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    response
      .writeHead(status, { "Content-Type": "application/json", "Request-Id": "req_1", ...headers })
      .end(JSON.stringify(body))

export const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  json(
    { type: `#${code}`, title: "A title", status, detail: "A sentence.", code, request_id: "req_1" },
    status,
    { "Content-Type": "application/problem+json", ...headers },
  )

export const drop: Behaviour = (response) => response.destroy()

export const hang: Behaviour = () => {}

const platform = platformWith(undefined)

/** A client that never really waits; `pauses` are the milliseconds that it would have waited. */
export const impatient = (
  baseUrl: string,
  options: { readonly timeout?: number; readonly retries?: number } = {},
) => {
  const pauses: Array<number> = []
  const timeout = options.timeout ?? 20_000
  const transport = new Transport({
    baseUrl,
    credentials: { Authorization: "Bearer em_live_x" },
    timeout,
    retries: options.retries ?? 2,
    platform: {
      ...platform,
      random: () => 0.5,
      later: (milliseconds, callback) => {
        // What is as long as the time allowed is no pause.
        if (milliseconds >= timeout) return platform.later(milliseconds, callback)
        pauses.push(milliseconds)
        return platform.later(0, callback)
      },
    },
  })
  return { transport, pauses }
}
