import { createServer, type Server } from "node:net"

/** A listener where nobody should ever come. It counts connections, whatever is said on them. */
export interface Canary {
  readonly port: number
  readonly hits: () => number
  readonly stop: () => void
}

const listenOn = (server: Server, host: string, port: number) =>
  new Promise<number>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })

/** One port on several addresses of this machine. */
export const startCanary = async (...hosts: ReadonlyArray<string>): Promise<Canary> => {
  let hits = 0
  const servers: Array<Server> = []
  let port = 0
  for (const host of hosts) {
    const server = createServer((socket) => {
      hits += 1
      socket.destroy()
    })
    servers.push(server)
    port = await listenOn(server, host, port)
  }
  return {
    port,
    hits: () => hits,
    stop: () => {
      for (const server of servers) server.close()
    },
  }
}
