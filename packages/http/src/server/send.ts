import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { TimeLimit } from "@earmark/service"
import { Effect } from "effect"
import type { Reply } from "../answers/Reply.js"

const BODILESS: ReadonlyArray<number> = [204, 304]

/** Pieces as fast as the client takes them. A client that goes away ends it. */
const stream = (
  chunks: Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>,
  response: ServerResponse,
) =>
  Effect.tryPromise((signal) =>
    pipeline(Readable.from(chunks, { objectMode: true }), response, { signal }),
  ).pipe(
    Effect.catchAll(() => Effect.sync(() => response.destroy())),
    Effect.asVoid,
  )

/** A player that has enough for now takes nothing for a while; one that has gone away without a word takes nothing for longer. */
const PAUSED_MILLISECONDS = 300_000

const streamSlowly = (bytes: AsyncIterable<Uint8Array>, response: ServerResponse) =>
  Effect.suspend(() => {
    response.setTimeout(PAUSED_MILLISECONDS, () => response.destroy())
    return stream(bytes, response)
  })

const TAKEN_WITHIN = "60 seconds"

/** Writes, and waits until the client has taken it. One that takes nothing for a minute is let go of. */
const writeTo = (response: ServerResponse) => (text: string) =>
  Effect.async<void>((resume) => {
    if (response.destroyed) return resume(Effect.interrupt)
    if (response.write(text)) return resume(Effect.void)
    const drained = () => resume(Effect.void)
    response.once("drain", drained)
    return Effect.sync(() => response.off("drain", drained))
  }).pipe(
    TimeLimit.to({
      duration: TAKEN_WITHIN,
      onSuccess: () => Effect.void,
      onTimeout: () => Effect.sync(() => response.destroy()),
    }),
    Effect.flatten,
  )

const writeLive = (response: ServerResponse, live: NonNullable<Reply["live"]>) =>
  Effect.suspend(() => {
    response.flushHeaders()
    return Effect.zipRight(live(writeTo(response)), end(response))
  })

// Nobody waits until the client has it: what comes after an answer hears that it is closed.
const end = (response: ServerResponse, body?: string) =>
  Effect.sync(() => {
    response.end(body)
  })

/** A client that was refused may go on sending for so long, and be silent for so long. */
const LINGER_MILLISECONDS = 30_000
const SILENT_MILLISECONDS = 2000

/** Lets a client finish what it sends. Cut at once, it would know that its connection broke, and never read why. */
const linger = (request: IncomingMessage, response: ServerResponse) =>
  Effect.async<void>((resume) => {
    const done = () => {
      clearTimeout(silent)
      clearTimeout(last)
      request.off("data", hear).off("end", done).off("close", done).off("error", done)
      response.off("close", done)
      resume(Effect.void)
    }
    const hear = () => {
      silent.refresh()
    }
    // @effect-diagnostics-next-line globalTimers:off -- begun anew with every piece that comes
    const silent = setTimeout(done, SILENT_MILLISECONDS)
    // @effect-diagnostics-next-line globalTimers:off -- as the other one
    const last = setTimeout(done, LINGER_MILLISECONDS)
    response.once("close", done)
    // Whoever began to read has stopped, and left its listener.
    request.removeAllListeners("readable")
    request.on("data", hear).once("end", done).once("close", done).once("error", done)
    request.resume()
  })

/** What an answer depends on, together with what was found out before: caches on the way keep one for each. */
const varying = (response: ServerResponse, { Vary }: Reply["headers"]): Reply["headers"] => {
  const before = response.getHeader("Vary")
  return Vary === undefined || before === undefined ? {} : { Vary: `${String(before)}, ${Vary}` }
}

/** Writes a reply. What the client sent and nobody read is let go of with the connection. */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, bytes, live }: Reply,
): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (response.destroyed || response.headersSent) return Effect.void
    const isUnread =
      !request.complete &&
      (request.headers["transfer-encoding"] !== undefined ||
        request.readableLength + Number(request.headers["content-length"] ?? 0) > 0)
    const closing = isUnread ? { Connection: "close" } : {}
    const isFile = typeof body !== "string" && body !== null
    const length =
      isFile || bytes !== undefined || live !== undefined || BODILESS.includes(status)
        ? {}
        : { "Content-Length": Buffer.byteLength(body ?? "") }
    response.writeHead(status, { ...headers, ...varying(response, headers), ...closing, ...length })
    if (bytes !== undefined && request.method !== "HEAD") return streamSlowly(bytes, response)
    if (live !== undefined && request.method !== "HEAD") return writeLive(response, live)
    if (isFile && request.method !== "HEAD") return stream(body, response)
    const text = isFile || body === null || request.method === "HEAD" ? "" : body
    // Who asked before sending sends nothing after a refusal.
    const isSending = isUnread && request.headers.expect === undefined
    if (!isSending) return end(response, text)
    if (text === "") response.flushHeaders()
    else response.write(text)
    return Effect.zipRight(linger(request, response), end(response))
  })
