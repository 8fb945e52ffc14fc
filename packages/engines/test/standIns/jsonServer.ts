/** A server on the loopback that takes JSON and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, Option, Schema } from "effect"

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  /** The body as it came. */
  readonly text: string
}

export type Reply = (asked: Asked, response: ServerResponse, turn: number) => void

/** The body of a request, by a schema; a test that does not fit ends here. */
export const bodyAs =
  <A, I>(schema: Schema.Schema<A, I>) =>
  ({ text }: Pick<Asked, "text">): A =>
    Option.getOrThrow(Schema.decodeUnknownOption(Schema.parseJson(schema))(text))

/** Starts a server for the scope; answers its address and what it was asked. */
export const jsonServer = (reply: Reply) =>
  Effect.gen(function* () {
    const requests: Array<Asked> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { method = "", url: path = "", headers } = request
        const asked = { method, path, headers, text: Buffer.concat(chunks).toString() }
        requests.push(asked)
        reply(asked, response, requests.length - 1)
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.async<void>((resume) => {
          server.closeAllConnections()
          server.close(() => resume(Effect.void))
        }),
    )
    const address = server.address()
    const port = address !== null && typeof address === "object" ? address.port : 0
    return { origin: `http://127.0.0.1:${port}`, requests }
  })
