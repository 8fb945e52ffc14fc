import { batchHolds, emptyBalance, LedgerMisused, OutOfCredits } from "@earmark/core/credits"
import {
  type AccountId,
  CREDITS_WAIT_SECONDS,
  creditsWaitIsOver,
  type JobId,
  JobNotFound,
  type PatchTranscription,
} from "@earmark/core/jobs"
import {
  freshJob,
  type Guard,
  type Guarded,
  type IdempotencyKeyReused,
  JobStore,
  type NewBatch,
  type NewJob,
  resultFromCache,
  StorageError,
  type StoredBatch,
  type StoredJob,
  StoreSettings,
  TooManyJobs,
  type Usage,
} from "@earmark/service"
import { Effect, Either, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database, type Run } from "../database/Database.js"
import { DatabaseFailure } from "../database/DatabaseFailure.js"
import { json } from "../database/json.js"
import { PLAN_EACH_TIME } from "../database/statements.js"
import { timeText } from "../database/values.js"
import { Wakes } from "../database/Wakes.js"
import { Changes, type Listener } from "./Changes.js"
import { type ContentRow, contentOf, encodeContent, searchQuery } from "./contents.js"
import { type GuardRow, guarded, guardValues, makeTurns, readGuard } from "./guards.js"
import { freshRow, type JobRow, jobOf, newRow } from "./jobRows.js"
import { listStatement } from "./listJobs.js"
import { pageOf, placeValues } from "./pages.js"
import { releaseUploads } from "./releaseUploads.js"
import { type Locked, type LockedJob, lockJobs, writeChanges } from "./writeChanges.js"

interface CreatedRow extends GuardRow {
  readonly balance_posted: number | null
  readonly balance_held: number | null
}

interface BatchRow extends QueryResultRow {
  readonly id: StoredBatch["id"]
  readonly feed_url: string
  readonly title: string | null
  readonly total: number
  readonly created_at: number
  readonly canceled_at: number | null
  readonly queued: number
  readonly waiting: number
  readonly done: number
  readonly failed: number
  readonly remaining: number
  readonly billed: number
}

const CREATE =
  "SELECT outcome, known_answer, balance_posted, balance_held FROM create_job($1, $2, $3, $4, $5, $6, $7, $8)"

const BATCH = `SELECT b.id, b.feed_url, b.title, b.total, b.created_at, b.canceled_at,
  count(j.id) FILTER (WHERE j.status = 'queued') AS queued,
  count(j.id) FILTER (WHERE j.phase = 'waiting_for_credits') AS waiting,
  count(j.id) FILTER (WHERE j.status = 'done') AS done,
  count(j.id) FILTER (WHERE j.status = 'failed') AS failed,
  coalesce(sum(1 - j.progress) FILTER (WHERE j.status = 'queued'), 0) AS remaining,
  coalesce(sum(j.billed_minutes), 0)::bigint AS billed
FROM batch b LEFT JOIN job j ON j.batch_id = b.id WHERE b.id = $2 AND b.account_id = $1 GROUP BY b.id`

const CONTENT = `SELECT j.id, t.language, t.text, t.segments, t.words, t.summary, t.chapters, t.translation
FROM job j LEFT JOIN transcript t ON t.job_id = j.id WHERE j.id = $2 AND j.account_id = $1`

const CACHED = `SELECT j.*, t.text AS content_text, t.language AS content_language, t.segments, t.words, t.summary, t.chapters,
  t.translation
FROM result_cache c JOIN job j ON j.id = c.job_id JOIN transcript t ON t.job_id = c.job_id
WHERE c.key = $2 AND c.scope IN ($1, 'public') ORDER BY c.scope = 'public' LIMIT 1`

const SEARCH = `${PLAN_EACH_TIME} SELECT j.*, t.text AS content_text, t.language AS content_language, t.segments, t.words,
  t.summary, t.chapters, t.translation
FROM (
  SELECT s.job_id, s.created_at FROM transcript_search s
  WHERE s.account_id = $1 AND s.words @@ $2::tsquery AND ($3::text IS NULL OR s.feed_url = $3)
    AND ($4::timestamptz IS NULL OR s.created_at > $4) AND ($5::timestamptz IS NULL OR s.created_at < $5)
    AND ($7::timestamptz IS NULL OR (s.created_at, s.job_id) <= ($7, $8))
  ORDER BY s.created_at DESC, s.job_id DESC LIMIT $6
) found
JOIN job j ON j.id = found.job_id JOIN transcript t ON t.job_id = found.job_id
ORDER BY found.created_at DESC, found.job_id DESC`

const GROUPS = {
  day: "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  month: "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM')",
  key: "coalesce(key_id, 'none')",
} as const

const usageStatement = (groupBy: keyof typeof GROUPS): string =>
  `SELECT ${GROUPS[groupBy]} COLLATE "C" AS "group", count(*) AS transcriptions, sum(minutes)::bigint AS minutes FROM usage_entry
  WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 GROUP BY 1 ORDER BY 1`

// Each part by its own index; locks come later, in the order of ids.
const DUE = `(SELECT id FROM job WHERE expires_at IS NOT NULL AND expires_at <= earmark_now() AND NOT expired LIMIT $1)
UNION (SELECT id FROM job WHERE waiting_since IS NOT NULL AND waiting_since <= earmark_now() - $2::double precision * interval '1 second' LIMIT $1)
LIMIT $1`

const FORGET_KEYS = `DELETE FROM idempotency WHERE (account_id, key) IN (
  SELECT account_id, key FROM idempotency WHERE expires_at <= earmark_now() LIMIT $1)`

// A bucket that is full again says nothing that a missing one does not.
const FORGET_BUCKETS = `DELETE FROM rate_bucket WHERE key IN (
  SELECT key FROM rate_bucket WHERE tat < extract(epoch FROM earmark_now()) * 1000000 LIMIT $1 FOR UPDATE SKIP LOCKED)`

interface FoundRow extends JobRow {
  readonly content_text: string
  readonly content_language: string | null
  readonly segments: ContentRow["segments"]
  readonly words: Buffer | null
  readonly summary: string | null
  readonly chapters: ContentRow["chapters"]
  readonly translation: ContentRow["translation"]
}

const foundContent = (row: FoundRow) =>
  contentOf({ ...row, text: row.content_text, language: row.content_language })

const namesAfter = (
  names: StoredJob["speakerNames"],
  changes: PatchTranscription["speakers"],
): StoredJob["speakerNames"] => {
  if (changes === undefined) return names
  if (changes === null) return {}
  const merged = Object.entries({ ...names, ...changes })
  return Object.fromEntries(merged.filter((pair): pair is [string, string] => pair[1] !== null))
}

const isTaken = (error: unknown): boolean =>
  error instanceof StorageError &&
  error.cause instanceof DatabaseFailure &&
  (error.cause.constraint === "job_pkey" || error.cause.constraint === "credit_hold_pkey")

const make = Effect.gen(function* () {
  const database = yield* Database
  const wakes = yield* Wakes
  const settings = yield* StoreSettings
  const inTurn = makeTurns()

  /** The job of the account, locked, with room for what changes. */
  const lockOwn = (run: Run, account: AccountId, id: JobId) =>
    Effect.flatMap(
      lockJobs(run, [id], settings),
      ({ jobs, changes }): Effect.Effect<LockedJob & Pick<Locked, "changes">, JobNotFound> => {
        const [found] = jobs
        return found?.job.account === account
          ? Effect.succeed({ ...found, changes })
          : Effect.fail(new JobNotFound({ id }))
      },
    )

  const created = (
    job: NewJob,
    row: CreatedRow | undefined,
    limit: number | null,
  ): Effect.Effect<Guarded, IdempotencyKeyReused | TooManyJobs | OutOfCredits> => {
    switch (row?.outcome) {
      case "created":
        return Effect.succeed({ type: "done" })
      case "too_many":
        return Effect.fail(new TooManyJobs({ limit: limit ?? 0 }))
      case "out_of_credits": {
        const { balance_posted: balance, balance_held: held } = row
        if (balance === null || held === null) {
          return Effect.die(new LedgerMisused({ reason: "account_unknown" }))
        }
        return Effect.fail(
          new OutOfCredits({ balance, available: Math.max(0, balance - held), needed: job.hold }),
        )
      }
      default:
        return row === undefined
          ? Effect.dieMessage("create_job answers one row")
          : Effect.map(readGuard(row), (replayed) => replayed ?? { type: "done" as const })
    }
  }

  const create = (
    job: NewJob,
    { guard, maxWaiting }: { readonly guard: Guard | null; readonly maxWaiting: number | null },
  ) => {
    const once = database
      .query<CreatedRow>("JobStore.create", CREATE, [
        ...guardValues(guard),
        maxWaiting,
        job.hold,
        settings.maxAttempts,
        json(freshRow(job, { batch: null, creditsLacking: false })),
      ])
      // Two calls with one id at once: the second finds the job of the first when it looks again.
      .pipe(
        Effect.retry({ times: 1, while: isTaken }),
        Effect.flatMap(([row]) => created(job, row, maxWaiting)),
        Effect.tap(({ type }) => (type === "done" ? wakes.wake("jobs") : Effect.void)),
      )
    return inTurn(job.account, guard, once)
  }

  const isStored = (run: Run, table: "job" | "batch", account: AccountId, id: string) =>
    Effect.map(
      run(`SELECT 1 FROM ${table} WHERE id = $1 AND account_id = $2`, [id, account]),
      (rows) => rows.length > 0,
    )

  const contextOf = (run: Run, account: AccountId) =>
    Effect.map(
      run<{ readonly moment: number; readonly endpoints: ReadonlyArray<Listener> | null }>(
        `SELECT earmark_now() AS moment, (SELECT jsonb_agg(jsonb_build_object('id', id, 'events', events) ORDER BY id)
          FROM webhook_endpoint WHERE account_id = $1 AND enabled) AS endpoints`,
        [account],
      ),
      ([row]) => {
        const changes = new Changes(row?.moment ?? 0, settings)
        changes.listeners.set(account, row?.endpoints ?? [])
        return changes
      },
    )

  const lockBalance = (run: Run, account: AccountId) =>
    Effect.map(
      run<{ posted: number; held: number; floor: number }>(
        "SELECT posted, held, floor FROM credit_balance WHERE account_id = $1 FOR UPDATE",
        [account],
      ),
      ([row]) => (row === undefined ? undefined : { account, ...row }),
    )

  const writeBatch = (run: Run, { id, account, feedUrl, title, createdAt, jobs }: NewBatch) =>
    Effect.gen(function* () {
      if (yield* isStored(run, "batch", account, id)) return
      const balance = yield* lockBalance(run, account)
      const changes = yield* contextOf(run, account)
      if (balance !== undefined) changes.balances.set(account, balance)
      const paid = jobs.filter(({ hold }) => hold > 0)
      const { held } = yield* batchHolds(
        balance ?? emptyBalance(account),
        paid.map(({ hold }) => hold),
      )
      const unheld = new Set(paid.slice(held).map((job) => job.id))
      yield* run(
        "INSERT INTO batch (id, account_id, feed_url, title, total, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        [id, account, feedUrl, title, jobs.length, timeText(createdAt)],
      )
      for (const job of jobs) {
        const creditsLacking = unheld.has(job.id)
        if (!creditsLacking) yield* changes.hold(job, 0, job.hold)
        changes.made.push(freshRow(job, { batch: id, creditsLacking }))
        changes.entries.push({ id: job.id, account, ofBatch: true, waits: creditsLacking, needs: job.hold })
      }
      yield* writeChanges(run, changes, settings)
    })

  const patched = (job: StoredJob, patch: PatchTranscription): Partial<StoredJob> => ({
    ...(patch.title !== undefined && { title: patch.title }),
    ...(patch.metadata !== undefined && { metadata: patch.metadata }),
    speakerNames: namesAfter(job.speakerNames, patch.speakers),
  })

  const wakeBoth = Effect.zipRight(wakes.wake("jobs"), wakes.wake("deliveries"))

  /** Ends jobs one way or another, in one transaction. */
  const endAll = (run: Run, { jobs, changes }: Locked) =>
    Effect.gen(function* () {
      for (const { job } of jobs) {
        const isPast = job.expiresAt !== null && job.expiresAt <= changes.now
        if (isPast && job.state.status === "queued") yield* Effect.orDie(changes.fail(job, "expired"))
        else if (isPast) yield* Effect.orDie(changes.move(job, { type: "expired", at: changes.now }))
        else if (creditsWaitIsOver(job.state, changes.now)) {
          yield* Effect.orDie(changes.fail(job, "insufficient_credits"))
        }
        if (isPast) changes.withoutContent.push(job.id)
      }
      yield* writeChanges(run, changes, settings)
      const expired = new Set(changes.withoutContent)
      yield* releaseUploads(
        run,
        jobs.map(({ job }) => job).filter(({ id }) => expired.has(id)),
      )
    })

  return JobStore.of({
    create,

    createDone: (job, finished, { guard }) =>
      Effect.gen(function* () {
        const encoded = yield* encodeContent(finished.content)
        const write = database.transaction(
          "JobStore.createDone",
          (run) =>
            guarded(run, job.account, guard, () =>
              Effect.gen(function* () {
                if (yield* isStored(run, "job", job.account, job.id)) return
                const changes = yield* contextOf(run, job.account)
                const stored = freshJob(job, { batch: null })
                // A new job can always be completed: a refusal would be a defect.
                const done = Either.getOrThrow(changes.finish(stored, { ...finished, credits: 0 }, encoded))
                changes.made.push(newRow(done))
                // It is written as it ended, in one go.
                changes.jobs.clear()
                yield* writeChanges(run, changes, settings)
              }),
            ),
          { account: job.account },
        )
        const result = yield* inTurn(job.account, guard, write)
        yield* wakes.wake("deliveries")
        return result
      }),

    createBatch: (batch) =>
      Effect.zipLeft(
        inTurn(
          batch.account,
          batch.guard,
          database.transaction(
            "JobStore.createBatch",
            (run) => guarded(run, batch.account, batch.guard, () => writeBatch(run, batch)),
            { account: batch.account },
          ),
        ),
        wakes.wake("jobs"),
      ),

    get: (account, id) =>
      Effect.flatMap(
        database.query<JobRow>(
          "JobStore.get",
          "SELECT * FROM job WHERE id = $2 AND account_id = $1",
          [account, id],
          {
            reads: true,
            account,
          },
        ),
        ([row]) => (row === undefined ? Effect.fail(new JobNotFound({ id })) : Effect.succeed(jobOf(row))),
      ),

    list: (account, filter) =>
      Effect.gen(function* () {
        const { page, end } = listStatement(account, filter)
        const options = { reads: true, account }
        const rows = yield* database.query<JobRow>("JobStore.list", page.text, page.values, options)
        const found = pageOf(rows.map(jobOf), filter.limit)
        if (found.next !== null || end === null) return found
        const [last] = yield* database.query<JobRow>("JobStore.list", end.text, end.values, options)
        return last === undefined ? found : { ...found, next: { createdAt: last.created_at, id: last.id } }
      }),

    content: (account, id) =>
      Effect.gen(function* () {
        const [row] = yield* database.query<ContentRow & { readonly text: string | null }>(
          "JobStore.content",
          CONTENT,
          [account, id],
          { reads: true, account },
        )
        if (row === undefined) return yield* new JobNotFound({ id })
        return row.text === null ? null : yield* contentOf(row)
      }),

    patch: (account, id, patch) =>
      database.transaction(
        "JobStore.patch",
        (run) =>
          Effect.gen(function* () {
            const { job, changes } = yield* lockOwn(run, account, id)
            const changed = changes.change(job, patched(job, patch))
            yield* writeChanges(run, changes, settings)
            return changed
          }),
        { account },
      ),

    cancel: (account, id) =>
      Effect.zipLeft(
        database.transaction(
          "JobStore.cancel",
          (run) =>
            Effect.gen(function* () {
              const { job, changes } = yield* lockOwn(run, account, id)
              const canceled = yield* changes.fail(job, "canceled")
              yield* writeChanges(run, changes, settings)
              return canceled
            }),
          { account },
        ),
        wakeBoth,
      ),

    retry: (account, id, hold) =>
      Effect.zipLeft(
        database.transaction(
          "JobStore.retry",
          (run) =>
            Effect.gen(function* () {
              const { job, changes } = yield* lockOwn(run, account, id)
              const event = { type: "retried", at: changes.now } as const
              const queued = yield* changes.move(job, event, { attempts: 0, billedMinutes: null })
              yield* changes.hold(queued, queued.state.run, hold)
              const ofBatch = queued.batch !== null
              changes.entries.push({ id, account, ofBatch, waits: false, needs: hold })
              yield* writeChanges(run, changes, settings)
              return queued
            }),
          { account },
        ),
        wakes.wake("jobs"),
      ),

    remove: (account, id) =>
      Effect.zipLeft(
        database.transaction(
          "JobStore.remove",
          (run) =>
            Effect.gen(function* () {
              const { job, changes } = yield* lockOwn(run, account, id)
              if (job.state.status === "queued") yield* Effect.orDie(changes.fail(job, "canceled"))
              changes.withoutContent.push(id)
              yield* writeChanges(run, changes, settings)
              yield* run("DELETE FROM job WHERE id = $1", [id])
              const [upload = null] = yield* releaseUploads(run, [job])
              return upload
            }),
          { account },
        ),
        wakeBoth,
      ),

    batch: (account, id) =>
      Effect.map(
        database.query<BatchRow>("JobStore.batch", BATCH, [account, id], { reads: true, account }),
        ([row]) =>
          row === undefined
            ? null
            : {
                id: row.id,
                feedUrl: row.feed_url,
                title: row.title,
                total: row.total,
                queued: row.queued,
                waitingForCredits: row.waiting,
                done: row.done,
                failed: row.failed,
                progress: row.total === 0 ? 1 : 1 - row.remaining / row.total,
                billedMinutes: row.billed,
                createdAt: row.created_at,
                canceledAt: row.canceled_at,
              },
      ),

    cancelBatch: (account, id) =>
      Effect.zipLeft(
        database.transaction(
          "JobStore.cancelBatch",
          (run) =>
            Effect.gen(function* () {
              const batches = yield* run(
                "UPDATE batch SET canceled_at = coalesce(canceled_at, earmark_now()) WHERE id = $1 AND account_id = $2 RETURNING id",
                [id, account],
              )
              if (batches.length === 0) return null
              const rows = yield* run<{ id: JobId; status: string }>(
                "SELECT id, status FROM job WHERE batch_id = $1 AND account_id = $2",
                [id, account],
              )
              const queued = rows.filter(({ status }) => status === "queued").map((row) => row.id)
              const { jobs, changes } = yield* lockJobs(run, queued, settings)
              const waiting = jobs.filter(({ job }) => job.state.status === "queued")
              for (const { job } of waiting) yield* Effect.orDie(changes.fail(job, "canceled"))
              yield* writeChanges(run, changes, settings)
              return { canceled: waiting.length, alreadyEnded: rows.length - waiting.length }
            }),
          { account },
        ),
        wakeBoth,
      ),

    // Not under row security: a public result is another account's.
    cached: (account, cacheKey) =>
      Effect.gen(function* () {
        const [row] = yield* database.query<FoundRow>("JobStore.cached", CACHED, [account, cacheKey], {
          reads: true,
        })
        if (row === undefined) return null
        return resultFromCache(jobOf(row), yield* foundContent(row))
      }),

    search: (account, filter) =>
      Effect.gen(function* () {
        if (filter.words.length === 0) return []
        const rows = yield* database.query<FoundRow>(
          "JobStore.search",
          SEARCH,
          [
            account,
            searchQuery(account, filter.words),
            filter.feed ?? null,
            filter.createdAfter === undefined ? null : timeText(filter.createdAfter),
            filter.createdBefore === undefined ? null : timeText(filter.createdBefore),
            filter.limit,
            ...placeValues(filter.from ?? null),
          ],
          { reads: true, account },
        )
        return yield* Effect.forEach(rows, (row) =>
          Effect.map(foundContent(row), (content) => ({ job: jobOf(row), content })),
        )
      }),

    usage: (account, { from, to, groupBy }) =>
      database.query<Usage & QueryResultRow>(
        "JobStore.usage",
        usageStatement(groupBy),
        [account, timeText(from), timeText(to)],
        { reads: true, account },
      ),

    sweep: (limit) =>
      Effect.zipLeft(
        database.transaction("JobStore.sweep", (run) =>
          Effect.gen(function* () {
            yield* run(FORGET_KEYS, [limit])
            yield* run(FORGET_BUCKETS, [limit])
            const due = yield* run<{ readonly id: JobId }>(DUE, [limit, CREDITS_WAIT_SECONDS])
            const locked = yield* lockJobs(
              run,
              due.map(({ id }) => id),
              settings,
            )
            yield* endAll(run, locked)
            return locked.jobs.length
          }),
        ),
        wakeBoth,
      ),
  })
})

export const layer = Layer.effect(JobStore, make)
