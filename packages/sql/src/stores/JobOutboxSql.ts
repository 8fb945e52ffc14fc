import { type Claimed, type Dispatched, JobOutbox } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { Wakes } from "../database/Wakes.js"
import { type JobRow, jobOf } from "./jobRows.js"
import { UNLEASED } from "./queueSteps.js"

/** How many accounts with work one round looks at, at least. */
const WINDOW = 64

const DISPATCH = "SELECT job_id AS job, token FROM dispatch_jobs($1, $2, $3, $4)"

const ACCEPT = `WITH taken AS (
  UPDATE queue q SET state = 1, worker = $3, lease_token = gen_random_uuid()::text, attempt = attempt + 1,
    lease_until = earmark_now() + $4::double precision * interval '1 second'
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (id, token, place)
  WHERE q.id = given.id AND q.lease_token = given.token AND q.state = 4 AND q.lease_until > earmark_now()
  RETURNING q.id, q.lease_token, q.attempt, given.place
), counted AS (
  UPDATE job SET attempts = taken.attempt FROM taken WHERE job.id = taken.id RETURNING job AS entry, job.id
) SELECT taken.lease_token, taken.attempt AS lease_attempt, (counted.entry).*
FROM taken JOIN counted USING (id) ORDER BY taken.place`

const GIVE_BACK = `UPDATE queue q SET state = 0, run_at = earmark_now(), ${UNLEASED}
FROM unnest($1::text[], $2::text[]) AS given (id, token)
WHERE q.id = given.id AND q.lease_token = given.token AND q.state = 4 RETURNING q.id`

interface AcceptedRow extends JobRow {
  readonly lease_token: string
  readonly lease_attempt: number
}

const jobsOf = (dispatched: ReadonlyArray<Dispatched>) => dispatched.map(({ job }) => job)
const tokensOf = (dispatched: ReadonlyArray<Dispatched>) => dispatched.map(({ token }) => token)

const make = Effect.gen(function* () {
  const database = yield* Database
  const wakes = yield* Wakes

  return JobOutbox.of({
    dispatch: ({ want, cap, seconds }) =>
      want <= 0
        ? Effect.succeed([])
        : database.query<Dispatched & QueryResultRow>("JobOutbox.dispatch", DISPATCH, [
            want,
            cap,
            seconds,
            Math.max(WINDOW, want),
          ]),

    accept: (dispatched, { worker, leaseSeconds }) =>
      dispatched.length === 0
        ? Effect.succeed([])
        : Effect.map(
            database.query<AcceptedRow>("JobOutbox.accept", ACCEPT, [
              jobsOf(dispatched),
              tokensOf(dispatched),
              worker,
              leaseSeconds,
            ]),
            (rows) =>
              rows.map(
                (row): Claimed => ({
                  lease: { job: row.id, token: row.lease_token, attempt: row.lease_attempt },
                  job: jobOf(row),
                }),
              ),
          ),

    giveBack: (dispatched) =>
      dispatched.length === 0
        ? Effect.void
        : Effect.flatMap(
            database.query("JobOutbox.giveBack", GIVE_BACK, [jobsOf(dispatched), tokensOf(dispatched)]),
            (rows) => (rows.length === 0 ? Effect.void : wakes.wake("jobs")),
          ),
  })
})

export const layer = Layer.effect(JobOutbox, make)
