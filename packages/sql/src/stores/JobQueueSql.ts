import { advance, type JobId, type JobState } from "@earmark/core/jobs"
import {
  type Claimed,
  type DeadEntry,
  describedJob,
  JobQueue,
  type Lease,
  LeaseLost,
  type Span,
  StoreSettings,
} from "@earmark/service"
import { Effect, Either, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database, type Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { Wakes } from "../database/Wakes.js"
import { encodeContent } from "./contents.js"
import { type JobRow, jobOf, sourceColumn } from "./jobRows.js"
import { queueStats } from "./queueStats.js"
import { type Entry, type LockedJob, lockJobs, writeChanges } from "./writeChanges.js"

const LEASED = 1

interface ClaimedRow extends JobRow {
  readonly lease_token: string
  readonly lease_attempt: number
}

type KeptWords = Span["words"] | Required<Pick<Span, "words" | "notes">>

interface SpanRow extends QueryResultRow {
  readonly idx: number
  readonly start_ms: number
  readonly end_ms: number
  readonly words: KeptWords
}

interface KeptRow extends QueryResultRow {
  readonly idx: number | null
  readonly start_ms: number | null
  readonly end_ms: number | null
  readonly words: KeptWords | null
}

/** The words alone, or with what the engine said beside them. */
const heardIn = (kept: KeptWords): Pick<Span, "words" | "notes"> =>
  "notes" in kept ? { words: kept.words, notes: kept.notes } : { words: kept }

const keptSpan = ({ idx, start_ms, end_ms, words }: KeptRow): ReadonlyArray<Span> =>
  idx === null || start_ms === null || end_ms === null || words === null
    ? []
    : [{ index: idx, start: start_ms, end: end_ms, ...heardIn(words) }]

/** How many accounts with work one claim looks at, at least. */
const WINDOW = 64

const CLAIM = "SELECT lease_token, lease_attempt, (entry).* FROM claim_jobs($1, $2, $3, $4, $5)"

const EXTEND = `UPDATE queue q SET lease_until = earmark_now() + $3::double precision * interval '1 second'
FROM unnest($1::text[], $2::text[]) AS lease (id, token)
WHERE q.id = lease.id AND q.lease_token = lease.token AND q.state = 1 AND q.lease_until > earmark_now()
RETURNING q.id, q.lease_token AS token`

// One row without a span says that the lease is good and that nothing is kept.
const RESUME = `WITH held AS (
  SELECT id, plan FROM queue WHERE id = $1 AND lease_token = $2 AND state = 1 AND lease_until > earmark_now() FOR UPDATE
), planned AS (
  UPDATE queue q SET plan = $3 FROM held WHERE q.id = held.id AND held.plan IS DISTINCT FROM $3
), forgotten AS (
  DELETE FROM job_span s USING held WHERE s.job_id = held.id AND held.plan IS DISTINCT FROM $3
) SELECT s.idx, s.start_ms, s.end_ms, s.words FROM held LEFT JOIN job_span s ON s.job_id = held.id AND held.plan = $3 ORDER BY s.idx`

const SAVE_SPAN = `WITH held AS (
  SELECT id FROM queue WHERE id = $1 AND lease_token = $2 AND state = 1 AND lease_until > earmark_now() FOR SHARE
), saved AS (
  INSERT INTO job_span (job_id, idx, start_ms, end_ms, words) SELECT id, $3, $4, $5, $6 FROM held ON CONFLICT DO NOTHING
) SELECT id FROM held`

const EXPIRED = `SELECT id FROM queue WHERE state = 1 AND lease_until <= earmark_now()
ORDER BY lease_until LIMIT $1 FOR UPDATE SKIP LOCKED`

// Dispatched entries that nobody accepted: no attempt began, so there is nothing to decide.
const COME_BACK = `UPDATE queue SET state = 0, run_at = earmark_now(), lease_token = NULL, lease_until = NULL, worker = NULL
WHERE id IN (
  SELECT id FROM queue WHERE state = 4 AND lease_until <= earmark_now() ORDER BY lease_until LIMIT $1 FOR UPDATE SKIP LOCKED
) RETURNING id`

// The running sum is cut where core would refuse the next hold; it decides over each of them again, on locked rows.
const WAITING = `SELECT waiting.id FROM (
  SELECT q.id, q.seq, sum(greatest(0, q.needed - coalesce(h.amount, 0))) OVER (ORDER BY q.seq) AS total
  FROM queue q JOIN job j ON j.id = q.id LEFT JOIN credit_hold h ON h.job_id = q.id AND h.state = 'open'
  WHERE q.account_id = $1 AND q.state = 3 AND j.phase = 'waiting_for_credits'
) waiting JOIN credit_balance b ON b.account_id = $1
WHERE waiting.total <= greatest(0, b.posted - b.held) ORDER BY waiting.seq LIMIT 5000`

const isSameState = (before: JobState, after: JobState): boolean =>
  before.status === "queued" &&
  after.status === "queued" &&
  before.phase === after.phase &&
  before.progress === after.progress

const unleased = "lease_token = NULL, lease_until = NULL, worker = NULL"

const make = Effect.gen(function* () {
  const database = yield* Database
  const wakes = yield* Wakes
  const settings = yield* StoreSettings

  /** What a lease gives the right to change; nothing when it has run out or a newer one exists. */
  const lockLease = (run: Run, lease: Lease) =>
    Effect.gen(function* () {
      const { jobs, changes } = yield* lockJobs(run, [lease.job], settings)
      const [found] = jobs
      const entry = found?.entry ?? null
      if (found === undefined || entry === null || !entry.live || entry.token !== lease.token) {
        return yield* new LeaseLost({ job: lease.job })
      }
      return { job: found.job, entry, changes }
    })

  type Held = Effect.Effect.Success<ReturnType<typeof lockLease>>

  /** A change under a lease: everything that the body gathers and does, or nothing. */
  const fenced = <A, E>(
    operation: string,
    lease: Lease,
    body: (run: Run, held: Held) => Effect.Effect<A, E>,
  ) =>
    database.transaction(operation, (run) =>
      Effect.gen(function* () {
        const held = yield* lockLease(run, lease)
        const result = yield* body(run, held)
        yield* writeChanges(run, held.changes, settings)
        return result
      }),
    )

  // The states of a job under a lease allow these steps always; a refusal would be a defect.
  const certainly = <A, E>(step: Either.Either<A, E>) => Effect.orDie(step)

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

  const putBack = (run: Run, ids: ReadonlyArray<JobId>) =>
    run(`UPDATE queue SET state = 0, run_at = earmark_now(), ${unleased} WHERE id = ANY ($1)`, [ids])

  const isSpent = (entry: Entry): boolean => entry.attempt >= entry.maxAttempts

  const isExpired = ({ entry }: LockedJob): boolean => entry !== null && entry.state === LEASED && !entry.live

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
              `UPDATE queue SET state = 0, run_at = earmark_now(), attempt = attempt - 1, ${unleased} WHERE id = $1`,
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
              `UPDATE queue SET state = 3, run_at = 'infinity', attempt = attempt - 1, needed = $2, ${unleased} WHERE id = $1`,
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

    resume: (lease, plan) =>
      Effect.flatMap(
        database.query<KeptRow>("JobQueue.resume", RESUME, [lease.job, lease.token, plan]),
        (rows) =>
          rows.length === 0
            ? Effect.fail(new LeaseLost({ job: lease.job }))
            : Effect.succeed(rows.flatMap(keptSpan)),
      ),

    saveSpan: (lease, { index, start, end, words, notes }) =>
      Effect.flatMap(
        database.query("JobQueue.saveSpan", SAVE_SPAN, [
          lease.job,
          lease.token,
          index,
          start,
          end,
          json(notes === undefined ? words : { words, notes }),
        ]),
        (rows) => (rows.length === 0 ? Effect.fail(new LeaseLost({ job: lease.job })) : Effect.void),
      ),

    spans: (job, after) =>
      Effect.map(
        database.query<SpanRow>(
          "JobQueue.spans",
          "SELECT idx, start_ms, end_ms, words FROM job_span WHERE job_id = $1 AND idx > $2 ORDER BY idx",
          [job, after],
          { reads: true },
        ),
        (rows) =>
          rows.map((row) => ({
            index: row.idx,
            start: row.start_ms,
            end: row.end_ms,
            ...heardIn(row.words),
          })),
      ),

    complete: (lease, finished, { cacheKey, shared }) =>
      Effect.gen(function* () {
        const encoded = yield* encodeContent(finished.content)
        yield* fenced("JobQueue.complete", lease, (run, { job, changes }) =>
          Effect.gen(function* () {
            yield* certainly(changes.finish(job, finished, encoded))
            if (cacheKey === null) return
            yield* run(
              `INSERT INTO result_cache (scope, key, job_id) VALUES ($1, $2, $3)
              ON CONFLICT (scope, key) DO UPDATE SET job_id = excluded.job_id`,
              [shared ? "public" : job.account, cacheKey, job.id],
            )
          }),
        )
        yield* wakes.wake("jobs")
        yield* wakes.wake("deliveries")
      }),

    fail: (lease, { code, retryInSeconds }) =>
      Effect.tap(
        fenced("JobQueue.fail", lease, (run, { job, entry, changes }) =>
          Effect.gen(function* () {
            if (retryInSeconds === null || isSpent(entry)) {
              yield* certainly(changes.fail(job, code))
              return "failed" as const
            }
            yield* certainly(changes.move(job, { type: "released", at: changes.now }))
            yield* run(
              `UPDATE queue SET state = CASE WHEN $2::double precision > 0 THEN 3 ELSE 0 END, run_at = earmark_now() + $2::double precision * interval '1 second',
                last_error = $3, ${unleased} WHERE id = $1`,
              [job.id, retryInSeconds, code],
            )
            return "again" as const
          }),
        ),
        (came) =>
          Effect.zipRight(wakes.wake("jobs"), came === "failed" ? wakes.wake("deliveries") : Effect.void),
      ),

    reapExpired: (limit) =>
      Effect.tap(
        database.transaction("JobQueue.reapExpired", (run) =>
          Effect.gen(function* () {
            const rows = yield* run<{ readonly id: JobId }>(EXPIRED, [limit])
            const ids = rows.map(({ id }) => id)
            const { jobs, changes } = yield* lockJobs(run, ids, settings)
            const expired = jobs.filter(isExpired)
            const again: Array<JobId> = []
            for (const { job, entry } of expired) {
              if (entry !== null && isSpent(entry)) yield* certainly(changes.fail(job, "internal_error"))
              else {
                yield* certainly(changes.move(job, { type: "released", at: changes.now }))
                again.push(job.id)
              }
            }
            yield* writeChanges(run, changes, settings)
            if (again.length > 0) yield* putBack(run, again)
            const unaccepted = yield* run(COME_BACK, [limit])
            return expired.length + unaccepted.length
          }),
        ),
        (count) =>
          count === 0 ? Effect.void : Effect.zipRight(wakes.wake("jobs"), wakes.wake("deliveries")),
      ),

    wakeAccount: (account) =>
      Effect.tap(
        database.transaction("JobQueue.wakeAccount", (run) =>
          Effect.gen(function* () {
            const rows = yield* run<{ readonly id: JobId }>(WAITING, [account])
            const order = rows.map(({ id }) => id)
            const { jobs, changes } = yield* lockJobs(run, order, settings)
            const known = new Map(jobs.map((locked) => [locked.job.id, locked]))
            const woken: Array<JobId> = []
            for (const id of order) {
              const locked = known.get(id)
              if (locked === undefined || locked.entry === null) continue
              if (locked.job.state.status !== "queued" || locked.job.state.waitingSince === null) continue
              if (Either.isLeft(changes.hold(locked.job, locked.job.state.run, locked.entry.needs))) break
              yield* certainly(changes.move(locked.job, { type: "credits_granted", at: changes.now }))
              woken.push(id)
            }
            yield* writeChanges(run, changes, settings)
            yield* run("UPDATE queue SET state = 0, run_at = earmark_now() WHERE id = ANY ($1)", [woken])
            return woken.length
          }),
        ),
        (count) => (count === 0 ? Effect.void : wakes.wake("jobs")),
      ),

    wakeUps: wakes.wakeUps("jobs"),

    stats: queueStats(database),

    bury: (lease, reason) =>
      Effect.zipLeft(
        fenced("JobQueue.bury", lease, (run, { job, changes }) =>
          Effect.gen(function* () {
            yield* certainly(changes.move(job, { type: "released", at: changes.now }))
            yield* run(`UPDATE queue SET state = 2, last_error = $2, ${unleased} WHERE id = $1`, [
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

export const layer = Layer.effect(JobQueue, make)
