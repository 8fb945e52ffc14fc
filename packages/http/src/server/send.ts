import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import type { Reply } from "../answers/Reply.js"

const BODILESS: ReadonlyArray<number> = [204, 304]

/** Pieces as fast as the client takes them. A client that goes away ends it. */
const stream = (chunks: Iterable<string | Uint8Array>, response: ServerResponse) =>
  Effect.tryPromise((signal) =>
    pipeline(Readable.from(chunks, { objectMode: true }), response, { signal }),
  ).pipe(
    Effect.catchAll(() => Effect.sync(() => response.destroy())),
    Effect.asVoid,
  )

const end = (response: ServerResponse, body?: string) =>
  Effect.async<void>((resume) => {
    const done = () => resume(Effect.void)
    response.once("close", done)
    response.end(body, done)
  })

/** Writes a reply. What the client sent and nobody read is let go of with the connection. */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (response.destroyed || response.headersSent) return Effect.void
    const isUnread =
      !request.complete && request.readableLength + Number(request.headers["content-length"] ?? 0) > 0
    const closing = isUnread ? { Connection: "close" } : {}
    const isFile = typeof body !== "string" && body !== null
    const length =
      isFile || BODILESS.includes(status) ? {} : { "Content-Length": Buffer.byteLength(body ?? "") }
    response.writeHead(status, { ...headers, ...closing, ...length })
    if (isFile && request.method !== "HEAD") return stream(body, response)
    return end(response, isFile || body === null ? undefined : body)
  })
