/** A connector on a port: Node's requests become those of the web, and its answers are streamed. */
import { createServer, type IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import type { Caller, Connector } from "@earmark/mcp"

const webRequest = (request: IncomingMessage, base: string, signal: AbortSignal): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, each)
  }
  const method = request.method ?? "GET"
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "DELETE"
  return new Request(new URL(request.url ?? "/", base), {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(request), duplex: "half" }),
  })
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

const isForeign = ({ headers }: IncomingMessage): boolean =>
  !LOOPBACK.test(headers.host ?? "") ||
  (headers.origin !== undefined && !LOOPBACK.test(headers.origin.replace(/^https?:\/\//, "")))

/** Stands for the gate of a host: everybody on this machine is one caller. */
export const listen = (connector: Connector, caller: Caller) =>
  new Promise<{ readonly url: string; readonly stop: () => void }>((resolve) => {
    const server = createServer(async (request, response) => {
      const gone = new AbortController()
      response.once("close", () => gone.abort())
      if (isForeign(request)) return response.writeHead(403).end()
      const answer = await connector.fetch(webRequest(request, "http://127.0.0.1", gone.signal), caller)
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      if (answer.body === null) return response.end()
      response.flushHeaders()
      for await (const chunk of answer.body) response.write(chunk)
      response.end()
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        url: `http://127.0.0.1:${port}/api/mcp`,
        stop: () => {
          server.closeAllConnections()
          server.close()
        },
      })
    })
  })
