import { StorageError } from "@earmark/service"
import { Cause, Deferred, Effect, Option, Queue } from "effect"
import type { Database } from "./Database.js"
import { DatabaseFailure, isLockTimeout } from "./DatabaseFailure.js"

/** Writes that can go in one transaction. */
interface Writes<Request, Answer, E> {
  readonly mostAtOnce: number
  /** How many transactions may be under way. */
  readonly inFlight: number
  readonly alone: (request: Request) => Effect.Effect<Answer, E | StorageError>
  /** Answers each request, in their order. When it fails because of one of them, nothing was written and each is written alone. */
  readonly together: (
    requests: ReadonlyArray<Request>,
  ) => Effect.Effect<ReadonlyArray<Answer>, E | StorageError>
}

interface Waiting<Request, Answer, E> {
  readonly request: Request
  readonly answer: Deferred.Deferred<Answer, E | StorageError>
  stage: "waiting" | "taken" | "left"
}

/** Whether a failure concerns every request: the database cannot be reached, takes no writes, or has no room. */
const concernsAll = (error: unknown): error is StorageError =>
  error instanceof StorageError &&
  !isLockTimeout(error) &&
  !(
    error.cause instanceof DatabaseFailure &&
    (error.cause.kind === "broken" || error.cause.kind === "conflict")
  )

/**
 * Writes what arrives while other writes are under way in one transaction: no request waits for others to come, and a busy account pays
 * for one commit instead of one each. In a transaction of the caller a request is written alone.
 */
export const makeTogether = <Request, Answer, E>(
  database: Database["Type"],
  { mostAtOnce, inFlight, alone, together }: Writes<Request, Answer, E>,
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const queue = yield* Queue.unbounded<Waiting<Request, Answer, E>>()

    const writeAlone = ({ request, answer }: Waiting<Request, Answer, E>) =>
      Deferred.complete(answer, alone(request))

    const write = (all: ReadonlyArray<Waiting<Request, Answer, E>>) =>
      Effect.gen(function* () {
        const answers = yield* together(all.map(({ request }) => request))
        for (const [place, { answer }] of all.entries()) {
          const given = answers[place]
          yield* given === undefined
            ? Effect.dieMessage("every request has an answer")
            : Deferred.succeed(answer, given)
        }
      }).pipe(
        // Also when one of them cannot even be written as JSON.
        Effect.catchAllCause((cause) => {
          const ofAll = Option.filter(Cause.failureOption(cause), concernsAll)
          const settle = (waiting: Waiting<Request, Answer, E>) =>
            Option.match(ofAll, {
              onNone: () => Effect.asVoid(Effect.forkIn(writeAlone(waiting), scope)),
              onSome: (error) => Effect.asVoid(Deferred.fail(waiting.answer, error)),
            })
          return Effect.forEach(all, settle, { discard: true })
        }),
      )

    const turn = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const taken = yield* restore(Queue.takeBetween(queue, 1, mostAtOnce))
        const wanted = [...taken].filter(({ stage }) => stage === "waiting")
        for (const waiting of wanted) waiting.stage = "taken"
        if (wanted.length > 0) yield* write(wanted)
      }),
    )
    for (let flight = 0; flight < inFlight; flight++) yield* Effect.forkScoped(Effect.forever(turn))
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        for (const { answer } of yield* Queue.takeAll(queue)) yield* Deferred.interrupt(answer)
        yield* Queue.shutdown(queue)
      }),
    )

    return (request: Request): Effect.Effect<Answer, E | StorageError> =>
      Effect.gen(function* () {
        if ((yield* database.joined) !== null) return yield* alone(request)
        const answer = yield* Deferred.make<Answer, E | StorageError>()
        const waiting: Waiting<Request, Answer, E> = { request, answer, stage: "waiting" }
        yield* Queue.offer(queue, waiting)
        return yield* Effect.onInterrupt(Deferred.await(answer), () => {
          // Once it is being written, whoever asked learns what became of it.
          if (waiting.stage === "taken") return Effect.exit(Deferred.await(answer))
          waiting.stage = "left"
          return Effect.void
        })
      })
  })
