/** A balancer as they stand in front of services: it keeps connections, looks who is ready, and repeats nothing that went wrong. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

const LOOKS_EVERY = 100

export interface Balancer {
  readonly baseUrl: string
  readonly add: (port: number) => void
  /** Returns when so many are ready. */
  readonly whenReady: (count: number) => Promise<void>
  /** Requests that no service behind it answered. */
  readonly failed: ReadonlyArray<string>
  readonly stop: () => void
}

export const startBalancer = async (): Promise<Balancer> => {
  const agent = new Agent({ keepAlive: true })
  const ready = new Map<number, boolean>()
  const failed: Array<string> = []
  const looking = new Map<number, NodeJS.Timeout>()
  let turn = 0

  // One that is slow to say so counts as what it was; one that refuses the connection is gone.
  const look = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    ready.set(port, answer?.ok === true)
    looking.set(
      port,
      setTimeout(() => void look(port), LOOKS_EVERY),
    )
  }

  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    const ports = [...ready].filter(([, isReady]) => isReady).map(([port]) => port)
    const port = ports[turn++ % ports.length]
    const fail = (why: string) => {
      failed.push(`${asked.method} ${asked.url}: ${why}`)
      answer.writeHead(502).end()
    }
    if (port === undefined) return fail("nobody is ready")
    const { method = "GET", url, headers } = asked
    const onward = request({ host: "127.0.0.1", port, method, path: url, headers, agent }, (found) => {
      if ((found.statusCode ?? 500) >= 500) failed.push(`${method} ${url}: ${found.statusCode}`)
      answer.writeHead(found.statusCode ?? 502, found.headers)
      found.pipe(answer)
      found.once("error", () => failed.push(`${method} ${url}: cut`))
    })
    onward.once("error", ({ message }) => fail(`${port}: ${message}`))
    asked.pipe(onward)
  }

  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    add: (added) => {
      ready.set(added, false)
      void look(added)
    },
    whenReady: async (count) => {
      while ([...ready.values()].filter((isReady) => isReady).length < count)
        await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY))
    },
    failed,
    stop: () => {
      for (const timer of looking.values()) clearTimeout(timer)
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
