import { createServer, type Server, type Socket } from "node:net"
import { Administration, refused } from "@earmark/service"
import { Data, Effect, Either, FiberSet, Schema } from "effect"
import { makeLines } from "./lines.js"
import {
  type AnswerLine,
  answered,
  failed,
  LONGEST_REQUEST,
  RequestLine,
  AnswerLine as Wire,
} from "./protocol.js"
import { type Draft, draftSocket } from "./socketPlace.js"

/** The control socket cannot be made. */
export class ControlSocketFailed extends Data.TaggedError("ControlSocketFailed")<{
  readonly folder: string
  readonly cause: unknown
}> {
  override get message() {
    return `The control socket in ${this.folder} cannot be made (${String(this.cause)}). Use a data folder on a disk of this machine.`
  }
}

const MOST_CONNECTIONS = 64
const IDLE_MILLISECONDS = 60_000

const encode = Schema.encodeSync(Wire)
const decode = Schema.decodeUnknownEither(RequestLine)

const listen = async (folder: string) => {
  // A client that has sent its last line still waits for the answer.
  const server = createServer({ allowHalfOpen: true })
  server.maxConnections = MOST_CONNECTIONS
  const draft = await draftSocket(folder)
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(draft.address, resolve)
  })
  await draft.publish()
  return { server, draft }
}

const close = async ({ server, draft }: { readonly server: Server; readonly draft: Draft }) => {
  server.close()
  await draft.remove()
}

/** The next bytes of a client; null when it has ended, or is gone. */
const read = (socket: Socket) =>
  Effect.async<Uint8Array | null>((resume) => {
    const events = ["readable", "end", "close"]
    const stop = () => {
      for (const event of events) socket.removeListener(event, look)
    }
    const look = () => {
      const chunk: Uint8Array | null = socket.read()
      if (chunk === null && !socket.readableEnded && !socket.destroyed) return
      stop()
      resume(Effect.succeed(chunk))
    }
    for (const event of events) socket.on(event, look)
    look()
    return Effect.sync(stop)
  })

/** Whether the client reads as fast as it is answered. */
const send = (socket: Socket, line: AnswerLine): boolean =>
  !socket.writable || socket.write(`${encode(line)}\n`)

const drained = (socket: Socket) =>
  Effect.async<void>((resume) => {
    const go = () => resume(Effect.void)
    socket.once("drain", go).once("close", go)
    return Effect.sync(() => socket.removeListener("drain", go).removeListener("close", go))
  })

const notALine = refused("invalid_request", 'A request is one line: {"operation": "...", "request": {...}}.')

const tooLong = refused(
  "invalid_request",
  `The request is refused: a line is longer than ${LONGEST_REQUEST} bytes.`,
)

const LINGER_MILLISECONDS = 2000

/** What was written arrives only if the client may still write: what it sends now is thrown away. */
const hangUp = (socket: Socket): void => {
  socket.end()
  socket.resume()
  socket.setTimeout(LINGER_MILLISECONDS, () => socket.destroy())
}

const converse = (administration: Administration["Type"], socket: Socket) => {
  const answer = (line: string) =>
    Either.match(decode(line), {
      onLeft: () => Effect.fail(notALine),
      onRight: ({ operation, request }) => administration.ask(operation, request),
    }).pipe(
      Effect.match({ onFailure: failed, onSuccess: answered }),
      Effect.map((made) => send(socket, made)),
      // Whoever asked may be gone, or this process be ending: what was begun is brought to its end, and told.
      Effect.uninterruptible,
      Effect.flatMap((isFlowing) => (isFlowing ? Effect.void : drained(socket))),
    )
  const cut = makeLines(LONGEST_REQUEST)
  return Effect.gen(function* () {
    for (;;) {
      const chunk = yield* read(socket)
      if (chunk === null) return
      const lines = yield* Effect.try({ try: () => cut(chunk), catch: () => tooLong })
      for (const line of lines) if (line.trim() !== "") yield* answer(line)
    }
  }).pipe(
    Effect.catchAll((error) => Effect.sync(() => send(socket, failed(error)))),
    Effect.ensuring(Effect.sync(() => hangUp(socket))),
  )
}

/**
 * Answers operators on a socket in the data folder, for as long as the scope lives. Whoever holds the embedded store does this, so
 * that commands work while it is held.
 */
export const serveControl = Effect.fnUntraced(function* (folder: string) {
  const administration = yield* Administration
  const run = yield* FiberSet.makeRuntime<never>()
  const { server } = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listen(folder),
      catch: (cause) => new ControlSocketFailed({ folder, cause }),
    }),
    (open) => Effect.promise(() => close(open)),
  )
  server.on("connection", (socket) => {
    socket.on("error", () => socket.destroy())
    socket.setTimeout(IDLE_MILLISECONDS, () => socket.destroy())
    run(converse(administration, socket))
  })
})
