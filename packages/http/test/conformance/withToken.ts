/** Adds a token to whatever goes through: the suite has no way to send one. */
import { request as ask, createServer } from "node:http"

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** Our own name becomes that of the target; a foreign one stays as it was sent, and so does a foreign page. */
const renamed = (name: string, target: string): string => (LOOPBACK.test(name) ? target : name)

export interface Passage {
  readonly url: string
  readonly stop: () => void
}

/** A passage to `target`, an address on this machine. */
export const withToken = (target: string, token: string) =>
  new Promise<Passage>((resolve) => {
    const { host, hostname, port, pathname } = new URL(target)
    const server = createServer((arrived, response) => {
      const { origin = "" } = arrived.headers
      const headers = {
        ...arrived.headers,
        authorization: `Bearer ${token}`,
        host: renamed(arrived.headers.host ?? "", host),
        ...(origin !== "" && { origin: `http://${renamed(origin.replace(/^https?:\/\//, ""), host)}` }),
      }
      const path = arrived.url ?? "/"
      const passed = ask({ hostname, port, path, method: arrived.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        response.flushHeaders()
        answer.pipe(response)
      })
      passed.once("error", () => response.destroy())
      response.once("close", () => passed.destroy())
      arrived.pipe(passed)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const own = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        url: `http://127.0.0.1:${own}${pathname}`,
        stop: () => {
          server.closeAllConnections()
          server.close()
        },
      })
    })
  })
