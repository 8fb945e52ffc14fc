import { advance, type JobState } from "@earmark/core/jobs"
import {
  type Claimed,
  type DeadEntry,
  describedJob,
  JobQueue,
  type Lease,
  LeaseLost,
  StoreSettings,
} from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database, type Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { Wakes } from "../database/Wakes.js"
import { encodeContent } from "./contents.js"
import { type JobRow, jobOf, sourceColumn } from "./jobRows.js"
import { makeJobEnder } from "./makeJobEnder.js"
import { queueReturns } from "./queueReturns.js"
import { queueSpans } from "./queueSpans.js"
import { queueStats } from "./queueStats.js"
import { certainly, isLeasedBy, isSpent, UNLEASED } from "./queueSteps.js"
import { lockJobs, writeChanges } from "./writeChanges.js"

interface ClaimedRow extends JobRow {
  readonly lease_token: string
  readonly lease_attempt: number
}

/** How many accounts with work one claim looks at, at least. */
const WINDOW = 64

const CLAIM = "SELECT lease_token, lease_attempt, (entry).* FROM claim_jobs($1, $2, $3, $4, $5)"

// Locked in the order of ids, as everywhere.
const EXTEND = `WITH kept AS (
  SELECT q.id FROM queue q JOIN unnest($1::text[], $2::text[]) AS lease (id, token) ON q.id = lease.id AND q.lease_token = lease.token
  WHERE q.state = 1 AND q.lease_until > earmark_now() ORDER BY q.id FOR UPDATE OF q
) UPDATE queue q SET lease_until = earmark_now() + $3::double precision * interval '1 second'
FROM kept WHERE q.id = kept.id RETURNING q.id, q.lease_token AS token`

const isSameState = (before: JobState, after: JobState): boolean =>
  before.status === "queued" &&
  after.status === "queued" &&
  before.phase === after.phase &&
  before.progress === after.progress

const make = Effect.gen(function* () {
  const database = yield* Database
  const wakes = yield* Wakes
  const settings = yield* StoreSettings
  const end = yield* makeJobEnder(database, settings)

  /** What a lease gives the right to change; nothing when it has run out or a newer one exists. */
  const lockLease = (run: Run, lease: Lease) =>
    Effect.gen(function* () {
      const { jobs, changes } = yield* lockJobs(run, [lease.job], settings)
      const [found] = jobs
      const entry = found?.entry ?? null
      if (found === undefined || !isLeasedBy(entry, lease)) return yield* new LeaseLost({ job: lease.job })
      return { job: found.job, entry, changes }
    })

  type Held = Effect.Effect.Success<ReturnType<typeof lockLease>>

  /** A change under a lease: everything that the body decides and does, or nothing. */
  const fenced = <A, E>(
    operation: string,
    lease: Lease,
    body: (run: Run, held: Held) => Effect.Effect<A, E>,
  ) =>
    database.transaction(operation, (run) =>
      Effect.gen(function* () {
        const held = yield* lockLease(run, lease)
        const result = yield* body(run, held)
        yield* writeChanges(run, held.changes)
        return result
      }),
    )

  const claim = ({ worker, want, cap, leaseSeconds }: Parameters<JobQueue["Type"]["claim"]>[0]) =>
    Effect.map(
      database.query<ClaimedRow>("JobQueue.claim", CLAIM, [
        worker,
        want,
        cap,
        leaseSeconds,
        Math.max(WINDOW, want),
      ]),
      (rows) =>
        rows.map(
          (row): Claimed => ({
            lease: { job: row.id, token: row.lease_token, attempt: row.lease_attempt },
            job: jobOf(row),
          }),
        ),
    )

  return JobQueue.of({
    claim: (options) => (options.want <= 0 ? Effect.succeed([]) : claim(options)),

    extend: (leases, leaseSeconds) =>
      leases.length === 0
        ? Effect.succeed([])
        : Effect.map(
            database.query<{ readonly id: string; readonly token: string }>("JobQueue.extend", EXTEND, [
              leases.map(({ job }) => job),
              leases.map(({ token }) => token),
              leaseSeconds,
            ]),
            (rows) => {
              const kept = new Set(rows.map(({ id, token }) => `${id} ${token}`))
              return leases.filter(({ job, token }) => !kept.has(`${job} ${token}`))
            },
          ),

    release: (lease) =>
      Effect.zipLeft(
        fenced("JobQueue.release", lease, (run, { job, entry, changes }) =>
          Effect.gen(function* () {
            yield* certainly(
              changes.move(job, { type: "released", at: changes.now }, { attempts: entry.attempt - 1 }),
            )
            yield* run(
              `UPDATE queue SET state = 0, run_at = earmark_now(), attempt = attempt - 1, ${UNLEASED} WHERE id = $1`,
              [job.id],
            )
          }),
        ),
        wakes.wake("jobs"),
      ),

    park: (lease, { credits, durationSeconds }) =>
      Effect.zipLeft(
        fenced("JobQueue.park", lease, (run, { job, entry, changes }) =>
          Effect.gen(function* () {
            const changed = { attempts: entry.attempt - 1, durationSeconds }
            yield* certainly(changes.move(job, { type: "credits_lacking", at: changes.now }, changed))
            yield* run(
              `UPDATE queue SET state = 3, run_at = 'infinity', attempt = attempt - 1, needed = $2, ${UNLEASED} WHERE id = $1`,
              [job.id, credits],
            )
          }),
        ),
        wakes.wake("jobs"),
      ),

    raiseHold: (lease, { credits, durationSeconds }) =>
      fenced("JobQueue.raiseHold", lease, (run, { job, changes }) =>
        Effect.gen(function* () {
          yield* changes.hold(job, job.state.run, credits)
          if (job.durationSeconds !== durationSeconds) changes.change(job, { durationSeconds })
          yield* run("UPDATE queue SET needed = greatest(needed, $2) WHERE id = $1", [job.id, credits])
        }),
      ),

    describe: (lease, found) =>
      fenced("JobQueue.describe", lease, (run, { job, changes }) =>
        Effect.gen(function* () {
          const described = changes.change(job, describedJob(job, found))
          const { source } = described
          yield* run("UPDATE job SET source = $2, feed_url = $3 WHERE id = $1", [
            job.id,
            json(sourceColumn(source)),
            source.shown.feedUrl ?? null,
          ])
          return described
        }),
      ),

    report: (lease, { phase, progress }) =>
      fenced("JobQueue.report", lease, (_, { job, changes }) =>
        Effect.gen(function* () {
          const entered = yield* certainly(advance(job.state, { type: "entered", phase, at: changes.now }))
          const state = yield* certainly(advance(entered, { type: "progressed", progress, at: changes.now }))
          if (!isSameState(job.state, state)) changes.change(job, { state })
        }),
      ),

    ...queueSpans(database),

    complete: (lease, finished, cached) =>
      Effect.gen(function* () {
        const encoded = yield* encodeContent(finished.content)
        yield* end({ lease, finished, encoded, cached })
        yield* wakes.wake("jobs")
        yield* wakes.wake("deliveries")
      }),

    fail: (lease, { code, detail = null, retryInSeconds }) =>
      Effect.tap(
        fenced("JobQueue.fail", lease, (run, { job, entry, changes }) =>
          Effect.gen(function* () {
            if (retryInSeconds === null || isSpent(entry)) {
              yield* certainly(changes.fail(job, code, detail))
              return "failed" as const
            }
            yield* certainly(changes.move(job, { type: "released", at: changes.now }))
            yield* run(
              `UPDATE queue SET state = CASE WHEN $2::double precision > 0 THEN 3 ELSE 0 END, run_at = earmark_now() + $2::double precision * interval '1 second',
                last_error = $3, ${UNLEASED} WHERE id = $1`,
              [job.id, retryInSeconds, code],
            )
            return "again" as const
          }),
        ),
        (came) =>
          Effect.zipRight(wakes.wake("jobs"), came === "failed" ? wakes.wake("deliveries") : Effect.void),
      ),

    ...queueReturns({ database, wakes, settings }),

    wakeUps: wakes.wakeUps("jobs"),

    stats: queueStats(database),

    bury: (lease, reason) =>
      Effect.zipLeft(
        fenced("JobQueue.bury", lease, (run, { job, changes }) =>
          Effect.gen(function* () {
            yield* certainly(changes.move(job, { type: "released", at: changes.now }))
            yield* run(`UPDATE queue SET state = 2, last_error = $2, ${UNLEASED} WHERE id = $1`, [
              job.id,
              reason,
            ])
          }),
        ),
        wakes.wake("jobs"),
      ),

    dead: (limit) =>
      database.query<DeadEntry & QueryResultRow>(
        "JobQueue.dead",
        `SELECT id AS job, account_id AS account, attempt AS attempts, coalesce(last_error, '') AS reason
        FROM queue WHERE state = 2 ORDER BY id LIMIT $1`,
        [limit],
        { reads: true },
      ),

    requeueDead: (job) =>
      Effect.tap(
        Effect.map(
          database.query(
            "JobQueue.requeueDead",
            "UPDATE queue SET state = 0, attempt = 0, run_at = earmark_now(), last_error = NULL WHERE id = $1 AND state = 2 RETURNING id",
            [job],
          ),
          (rows) => rows.length > 0,
        ),
        (found) => (found ? wakes.wake("jobs") : Effect.void),
      ),
  })
})

export const layer = Layer.scoped(JobQueue, make)
