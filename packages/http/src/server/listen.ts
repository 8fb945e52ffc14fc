import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { TimeLimit } from "@earmark/service"
import { Data, Duration, Effect, Fiber, Runtime } from "effect"
import { answerClientErrors, type Underway } from "./clientErrors.js"
import { continueWhenRead } from "./continueWhenRead.js"
import { Stopping } from "./Stopping.js"
import type { OriginFacts } from "./withOrigins.js"

/** The server cannot listen where it was told to. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{
  readonly host: string
  readonly port: number
  readonly code: string
}> {
  /** What happened, without what to do: hosts differ in where an address is given. */
  get what() {
    return `The server cannot listen on ${this.host}:${this.port}: ${REASONS[this.code] ?? this.code}.`
  }
  /** Whether another port would do. */
  get isPort() {
    return this.code === "EADDRINUSE" || this.code === "EACCES"
  }
  override get message() {
    return `${this.what} Set EARMARK_HOST and EARMARK_PORT.`
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program does",
  EADDRNOTAVAIL: "this machine has no such address",
  EACCES: "only root may use so low a port",
  ENOTFOUND: "the host is unknown",
}

export interface ListenFacts extends OriginFacts {
  readonly host: string
  readonly port: number
  /** How long it goes on answering once it is told to stop, so that whoever sends it requests sees that it is not ready. */
  readonly drain?: Duration.Duration
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Effect.Effect<void>

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // Uploads take as long as they take; bodies have deadlines of their own.
  requestTimeout: 0,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  // Answered by us, as a problem.
  requireHostHeader: false,
} as const

/** How long requests may go on after the listener is closed. */
const LAST_REQUESTS = "8 seconds"

type Address = Pick<ListenFacts, "host" | "port">

const open = (server: Server, { host, port }: Address) =>
  Effect.async<void, ListenFailed>((resume) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(new ListenFailed({ host, port, code: error.code ?? "unknown" })))
    server.once("error", fail)
    server.listen({ host, port }, () => {
      server.off("error", fail)
      resume(Effect.void)
    })
  })

/** The listener goes first; then what has begun is answered, and idle connections are let go. */
const close = (server: Server) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
  }).pipe(
    TimeLimit.to({ duration: LAST_REQUESTS, onSuccess: () => {}, onTimeout: () => {} }),
    Effect.zipRight(Effect.sync(() => server.closeAllConnections())),
  )

/** Whether it is possible to listen there: for those who would make something first, and in vain. */
export const checkAddress = (address: Address): Effect.Effect<void, ListenFailed> =>
  Effect.scoped(
    Effect.suspend(() => {
      const server = createServer()
      return Effect.acquireRelease(open(server, address), () => close(server))
    }),
  )

const UNDERWAY = Symbol("the request that is not answered yet")

/** Measured: kept in a `WeakMap`, every answer outlives the collections of young memory. */
interface Connection extends Duplex {
  [UNDERWAY]?: Underway | undefined
}

/** Answers requests for as long as the scope lives. */
export const listen = Effect.fn("listen")(function* (handle: Handle, facts: ListenFacts) {
  const stopping = yield* Stopping
  const runtime = yield* Effect.runtime<never>()
  const run = Runtime.runFork(runtime)
  let isStopping = false
  let isClosed = false

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (isStopping) response.setHeader("Connection", "close")
    const connection: Connection = request.socket
    connection[UNDERWAY] = { request, response }
    const fiber = run(handle(request, response))
    response.once("close", () => {
      if (connection[UNDERWAY]?.response === response) connection[UNDERWAY] = undefined
      // The last answer of a connection leaves it idle: nobody waits for the next request any more. Before the listener is closed,
      // a request may be on its way on any of them.
      if (isClosed) setImmediate(() => server.closeIdleConnections())
      // Reading for nobody is ended; what changes something is carried through.
      const isReading = request.method === "GET" || request.method === "HEAD"
      if (isReading && !response.writableFinished) run(Fiber.interruptFork(fiber))
    })
  }

  const server = createServer(LIMITS, answer)
  server.on("checkExpectation", answer)
  server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response)
    answer(request, response)
  })
  const refuse = answerClientErrors(facts)
  server.on("clientError", (error, socket: Connection) => refuse(error, socket, socket[UNDERWAY]))
  server.on("connect", (_, socket) => {
    socket.on("error", () => {})
    refuse(Object.assign(new Error("CONNECT"), { code: "CONNECT" }), socket)
  })
  yield* Effect.acquireRelease(open(server, facts), () =>
    Effect.gen(function* () {
      isStopping = true
      yield* stopping.begin
      yield* Effect.sleep(facts.drain ?? Duration.zero)
      isClosed = true
      yield* close(server)
    }),
  )
  return server
})
