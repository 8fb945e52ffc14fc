import { createServer, type Server, type Socket } from "node:net"
import { Administration, refused } from "@earmark/service"
import { Data, Effect, Either, FiberSet, Schema, Stream } from "effect"
import { LineTooLong, makeLines } from "./lines.js"
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

const goneAway = "the client went away"

/** The lines of a client, until it ends, goes away, or sends what is no line. */
const linesOf = (socket: Socket) => {
  const cut = makeLines(LONGEST_REQUEST)
  return Stream.fromAsyncIterable<Uint8Array, LineTooLong | typeof goneAway>(socket, () => goneAway).pipe(
    Stream.mapConcatEffect((chunk) =>
      Effect.try({
        try: () => cut(chunk),
        catch: (error) => (error instanceof LineTooLong ? error : goneAway),
      }),
    ),
  )
}

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
  return linesOf(socket).pipe(
    Stream.filter((line) => line.trim() !== ""),
    Stream.runForEach(answer),
    Effect.catchIf(
      (error) => error instanceof LineTooLong,
      ({ message }) =>
        Effect.sync(() =>
          send(socket, failed(refused("invalid_request", `The request is refused: ${message}.`))),
        ),
    ),
    // It went away: nobody is left to tell.
    Effect.ignore,
    Effect.ensuring(Effect.sync(() => socket.destroySoon())),
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
