import type { Guard, NewJob, StorageError, StoreSettings } from "@earmark/service"
import { Cause, Deferred, Effect, Option, Queue } from "effect"
import type { Database } from "../database/Database.js"
import { DatabaseFailure, isLockTimeout } from "../database/DatabaseFailure.js"
import { json } from "../database/json.js"
import { type GuardRow, guardValues } from "./guards.js"
import { freshRow } from "./jobRows.js"

/** A new job as it was asked for. */
export interface Request {
  readonly job: NewJob
  readonly guard: Guard | null
  readonly maxWaiting: number | null
}

export interface CreatedRow extends GuardRow {
  readonly balance_posted: number | null
  readonly balance_held: number | null
}

type Answer = CreatedRow | undefined

const CREATE =
  "SELECT outcome, known_answer, balance_posted, balance_held FROM create_job($1, $2, $3, $4, $5, $6, $7, $8)"

/** How long jobs wait for a lock that one of them needs, before each goes its own way. */
const PATIENCE = "250ms"

// One call after the other, each seeing what those before it did: the same rules, one commit. Accounts are locked in the order of their
// ids, as everywhere.
const CREATE_ALL = `SELECT r.place, c.outcome, c.known_answer, c.balance_posted, c.balance_held
FROM (SELECT set_config('lock_timeout', '${PATIENCE}', true) AS patience) s
CROSS JOIN LATERAL (
  SELECT * FROM jsonb_to_recordset($1) AS given (place integer, guard_key text, fingerprint text, answer text, expires timestamptz,
    most_waiting integer, hold bigint, job jsonb)
  WHERE s.patience IS NOT NULL ORDER BY given.job ->> 'account_id', place
) r
CROSS JOIN LATERAL create_job(r.guard_key, r.fingerprint, r.answer, r.expires, r.most_waiting, r.hold, $2, r.job) c`

const MOST_AT_ONCE = 64
const IN_FLIGHT = 2

const isTaken = (error: StorageError): boolean =>
  error.cause instanceof DatabaseFailure &&
  (error.cause.constraint === "job_pkey" || error.cause.constraint === "credit_hold_pkey")

/** Whether the jobs were refused because of one of them. Alone, the others will be fine. */
const isOfOne = (error: StorageError): boolean =>
  isLockTimeout(error) ||
  (error.cause instanceof DatabaseFailure &&
    (error.cause.kind === "broken" || error.cause.kind === "conflict"))

interface Waiting {
  readonly request: Request
  readonly answer: Deferred.Deferred<Answer, StorageError>
  stage: "waiting" | "taken" | "left"
}

/**
 * Writes new jobs. Those that arrive while others are being written go together, in one statement and one commit: nobody waits for
 * company, and a busy account pays for one commit instead of one each. A job that cannot be written so is written alone.
 */
export const makeJobWriter = (database: Database["Type"], { maxAttempts }: StoreSettings["Type"]) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const queue = yield* Queue.unbounded<Waiting>()

    const writeAlone = ({ job, guard, maxWaiting }: Request): Effect.Effect<Answer, StorageError> => {
      const once = Effect.gen(function* () {
        const values = [...guardValues(guard), maxWaiting, job.hold, maxAttempts, json(freshRow(job))]
        const [row] = yield* database.query<CreatedRow>("JobStore.create", CREATE, values)
        return row
      })
      // Two calls with one id at once: the second finds the job of the first when it looks again.
      return Effect.catchIf(once, isTaken, () => once)
    }
    const alone = ({ request, answer }: Waiting) => Deferred.complete(answer, writeAlone(request))

    const rowOf = ({ request: { job, guard, maxWaiting } }: Waiting, place: number) => {
      const [guard_key, fingerprint, answer, expires] = guardValues(guard)
      return {
        place,
        guard_key,
        fingerprint,
        answer,
        expires,
        most_waiting: maxWaiting,
        hold: job.hold,
        job: freshRow(job),
      }
    }

    const together = (all: ReadonlyArray<Waiting>) =>
      Effect.gen(function* () {
        const rows = yield* database.query<CreatedRow & { readonly place: number }>(
          "JobStore.create",
          CREATE_ALL,
          [json(all.map(rowOf)), maxAttempts],
        )
        const answers = new Map(rows.map((row) => [row.place, row]))
        for (const [place, { answer }] of all.entries()) {
          yield* Deferred.succeed(answer, answers.get(place))
        }
      }).pipe(
        // Also when one of them cannot even be written as JSON.
        Effect.catchAllCause((cause) => {
          const ofAll = Option.filter(Cause.failureOption(cause), (error) => !isOfOne(error))
          const settle = (waiting: Waiting) =>
            Option.match(ofAll, {
              onNone: () => Effect.asVoid(Effect.forkIn(alone(waiting), scope)),
              onSome: (error) => Effect.asVoid(Deferred.fail(waiting.answer, error)),
            })
          return Effect.forEach(all, settle, { discard: true })
        }),
      )

    const turn = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const taken = yield* restore(Queue.takeBetween(queue, 1, MOST_AT_ONCE))
        const wanted = [...taken].filter(({ stage }) => stage === "waiting")
        for (const waiting of wanted) waiting.stage = "taken"
        if (wanted.length > 0) yield* together(wanted)
      }),
    )
    for (let flight = 0; flight < IN_FLIGHT; flight++) yield* Effect.forkScoped(Effect.forever(turn))
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        for (const { answer } of yield* Queue.takeAll(queue)) yield* Deferred.interrupt(answer)
        yield* Queue.shutdown(queue)
      }),
    )

    return (request: Request): Effect.Effect<Answer, StorageError> =>
      Effect.gen(function* () {
        if ((yield* database.joined) !== null) return yield* writeAlone(request)
        const answer = yield* Deferred.make<Answer, StorageError>()
        const waiting: Waiting = { request, answer, stage: "waiting" }
        yield* Queue.offer(queue, waiting)
        return yield* Effect.onInterrupt(Deferred.await(answer), () => {
          // Once it is being written, whoever asked learns what became of it.
          if (waiting.stage === "taken") return Effect.exit(Deferred.await(answer))
          waiting.stage = "left"
          return Effect.void
        })
      })
  })
