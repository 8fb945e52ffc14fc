import { connect, type Socket } from "node:net"
import { type Administration, AdministrationRefused, refused, TimeLimit } from "@earmark/service"
import { Effect, Schema } from "effect"
import { makeLines } from "./lines.js"
import { AnswerLine, LONGEST_ANSWER, RequestLine } from "./protocol.js"
import { addressOf } from "./socketPlace.js"

const codeOf = (error: Error): string => ("code" in error ? String(error.code) : "unknown")

/** Nobody listens: no socket, or one that a dead process left. */
const NOBODY = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK"])
/** More call at once than the system keeps waiting. */
const CROWDED = new Set(["EAGAIN", "ECONNRESET"])

type Dialed = Socket | "nobody" | "crowded"

const dial = (address: string) =>
  Effect.async<Dialed, AdministrationRefused>((resume) => {
    const socket = connect(address)
    socket.once("connect", () => resume(Effect.succeed(socket)))
    socket.on("error", (error) => {
      const code = codeOf(error)
      if (NOBODY.has(code)) return resume(Effect.succeed("nobody"))
      if (CROWDED.has(code)) return resume(Effect.succeed("crowded"))
      resume(
        Effect.fail(
          refused(
            "not_permitted",
            `The control socket in the data folder cannot be used (${code}): run the command as the user that the service runs as.`,
          ),
        ),
      )
    })
    return Effect.sync(() => socket.destroy())
  })

const CALL = "10 seconds"
const ANSWER = "60 seconds"

const silent = refused(
  "store_in_use",
  "The process that holds the store does not answer. Look whether it is stopped or overloaded, and try again.",
)

const goneAway = refused(
  "outcome_unknown",
  "The process that holds the store went away before it answered: look whether it was done. A grant repeated with its reference counts once, and so does a purchase that is confirmed again.",
)

const decode = Schema.decodeUnknown(AnswerLine)

const answerOf = (socket: Socket, line: string) =>
  Effect.async<string, AdministrationRefused>((resume) => {
    const cut = makeLines(LONGEST_ANSWER)
    const fail = () => resume(Effect.fail(goneAway))
    const read = (chunk: Uint8Array) => {
      try {
        const [first] = cut(chunk)
        if (first !== undefined) resume(Effect.succeed(first))
      } catch {
        fail()
      }
    }
    socket.on("data", read).once("close", fail)
    if (socket.destroyed) fail()
    else socket.write(`${line}\n`)
    return Effect.sync(() => socket.removeListener("data", read).removeListener("close", fail))
  }).pipe(
    Effect.flatMap((text) => Effect.mapError(decode(text), () => goneAway)),
    TimeLimit.fail({ duration: ANSWER, onTimeout: () => silent }),
  )

const encode = Schema.encode(RequestLine)

const askOver = (socket: Socket, turn: Effect.Semaphore): Administration["Type"]["ask"] =>
  Effect.fnUntraced(function* (operation, request) {
    const line = yield* Effect.orDie(encode({ operation, request }))
    const told = yield* turn.withPermits(1)(answerOf(socket, line))
    if ("error" in told) return yield* new AdministrationRefused(told.error)
    return told.answer
  })

const AGAIN = "20 millis"

const dialUntilHeard = Effect.fnUntraced(function* (address: string) {
  for (;;) {
    const dialed = yield* dial(address)
    if (dialed !== "crowded") return dialed
    yield* Effect.sleep(AGAIN)
  }
})

/** The administration of the process that holds the store of a data folder; null when there is none that listens. */
export const callControl = Effect.fnUntraced(function* (folder: string) {
  const address = yield* Effect.sync(() => addressOf(folder))
  if (address === null) return null
  const dialed = yield* Effect.acquireRelease(
    dialUntilHeard(address).pipe(
      TimeLimit.fail({ duration: CALL, onTimeout: () => silent }),
      Effect.interruptible,
    ),
    (called) => Effect.sync(() => (called === "nobody" ? undefined : called.destroy())),
  )
  if (dialed === "nobody") return null
  const ask = askOver(dialed, yield* Effect.makeSemaphore(1))
  return { ask } satisfies Administration["Type"]
})
