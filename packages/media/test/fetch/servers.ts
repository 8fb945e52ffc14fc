import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net"
import { Effect, type Scope } from "effect"

/** A server that listens for the time of the scope. */
export interface Listening {
  readonly port: number
  /** The first lines of the requests that came. */
  readonly hits: ReadonlyArray<string>
}

const listening = (server: TcpServer, host: string, destroy: () => void) =>
  Effect.acquireRelease(
    Effect.async<number>((resume) => {
      server.listen(0, host, () => {
        const address = server.address()
        if (typeof address === "object" && address !== null) resume(Effect.succeed(address.port))
      })
    }),
    () => Effect.sync(() => destroy()),
  )

/** An HTTP server on one loopback address; with a certificate it speaks TLS. */
export const httpServer = (
  listener: RequestListener,
  host = "127.0.0.1",
  tls?: { readonly cert: string; readonly key: string },
): Effect.Effect<Listening, never, Scope.Scope> =>
  Effect.gen(function* () {
    const hits: Array<string> = []
    const noted: RequestListener = (request, response) => {
      hits.push(`${request.method} ${request.url}`)
      listener(request, response)
    }
    const server = tls === undefined ? createServer(noted) : createTlsServer(tls, noted)
    const port = yield* listening(server, host, () => {
      server.close()
      server.closeAllConnections()
    })
    return { port, hits }
  })

/** A server of bytes: it says what it likes, HTTP or not. */
export const rawServer = (
  answer: (socket: Socket, request: string) => void,
  host = "127.0.0.1",
): Effect.Effect<Listening, never, Scope.Scope> =>
  Effect.gen(function* () {
    const hits: Array<string> = []
    const sockets = new Set<Socket>()
    const server = createTcpServer((socket) => {
      sockets.add(socket)
      hits.push("connection")
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket))
      socket.once("data", (chunk) => answer(socket, chunk.toString("latin1")))
    })
    const port = yield* listening(server, host, () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
    return { port, hits }
  })
