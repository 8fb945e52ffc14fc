import type { Guard, NewJob, StorageError, StoreSettings } from "@earmark/service"
import { Effect } from "effect"
import type { Database } from "../database/Database.js"
import { DatabaseFailure } from "../database/DatabaseFailure.js"
import { json } from "../database/json.js"
import { makeTogether } from "../database/makeTogether.js"
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
  readonly key_limit: number | null
  readonly key_used: number | null
  readonly key_resets: number | null
}

const ANSWER =
  "c.outcome, c.known_answer, c.balance_posted, c.balance_held, c.key_limit, c.key_used, c.key_resets"

const CREATE = `SELECT ${ANSWER} FROM create_job($1, $2, $3, $4, $5, $6, $7, $8) c`

/** How long jobs wait for a lock that one of them needs, before each goes its own way. */
const PATIENCE = "250ms"

// One call after the other, each seeing what those before it did: the same rules, one commit. Accounts are locked in the order of their
// ids, as everywhere.
const CREATE_ALL = `SELECT r.place, ${ANSWER}
FROM (SELECT set_config('lock_timeout', '${PATIENCE}', true) AS patience) s
CROSS JOIN LATERAL (
  SELECT * FROM jsonb_to_recordset($1) AS given (place integer, guard_key text, fingerprint text, answer text, expires timestamptz,
    most_waiting integer, hold bigint, job jsonb)
  WHERE s.patience IS NOT NULL ORDER BY given.job ->> 'account_id', place
) r
CROSS JOIN LATERAL create_job(r.guard_key, r.fingerprint, r.answer, r.expires, r.most_waiting, r.hold, $2, r.job) c`

const isTaken = (error: StorageError): boolean =>
  error.cause instanceof DatabaseFailure &&
  (error.cause.constraint === "job_pkey" || error.cause.constraint === "credit_hold_pkey")

const rowOf = ({ job, guard, maxWaiting }: Request, place: number) => {
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

/** Writes new jobs, those that arrive together in one statement. A job that cannot be written so is written alone. */
export const makeJobWriter = (database: Database["Type"], { maxAttempts }: StoreSettings["Type"]) =>
  makeTogether<Request, CreatedRow, never>(database, {
    mostAtOnce: 64,
    inFlight: 2,
    alone: ({ job, guard, maxWaiting }) => {
      const values = () => [...guardValues(guard), maxWaiting, job.hold, maxAttempts, json(freshRow(job))]
      const once = Effect.suspend(() => database.query<CreatedRow>("JobStore.create", CREATE, values()))
      // Two calls with one id at once: the second finds the job of the first when it looks again.
      return Effect.flatMap(
        Effect.catchIf(once, isTaken, () => once),
        ([row]) =>
          row === undefined ? Effect.dieMessage("create_job answers one row") : Effect.succeed(row),
      )
    },
    together: (requests) =>
      Effect.map(
        Effect.suspend(() =>
          database.query<CreatedRow & { readonly place: number }>("JobStore.create", CREATE_ALL, [
            json(requests.map(rowOf)),
            maxAttempts,
          ]),
        ),
        (rows) => rows.toSorted((left, right) => left.place - right.place),
      ),
  })
