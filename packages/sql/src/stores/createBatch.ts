import { type Balance, batchHolds, emptyBalance } from "@earmark/core/credits"
import { type AccountId, queuedAt } from "@earmark/core/jobs"
import { type NewBatch, type NewJob, type StoreSettings, TooManyJobs } from "@earmark/service"
import { Effect } from "effect"
import type { Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { timeText, timeTextOrNull } from "../database/values.js"
import { sourceColumn } from "./jobRows.js"
import { requireRoomOf } from "./keySpending.js"
import { changesOver, LOW_PRIORITY, READY, SCHEDULED } from "./writeChanges.js"

/** What differs between the jobs of a feed: what they share is sent once, since reading JSON is most of what the server has to do. */
const batchJob = (job: NewJob, waits: boolean, options: number) => ({
  id: job.id,
  phase: queuedAt(job.createdAt, { creditsLacking: waits }).phase,
  waits,
  title: job.title,
  folded: job.title?.toLowerCase(),
  source: sourceColumn(job.source),
  feed: job.source.shown.feedUrl,
  options,
  metadata: job.metadata,
  key: job.key,
  test: job.isTest === true,
  language: job.options.language,
  seconds: job.durationSeconds,
  made: timeText(job.createdAt),
  expires: timeTextOrNull(job.expiresAt),
  hold: job.hold,
})

const JOB_COLUMNS = `id text, phase text, waits boolean, title text, folded text, source jsonb, feed text, options integer,
  metadata jsonb, key text, test boolean, language text, seconds bigint, made timestamptz, expires timestamptz, hold bigint`

// Parts of one statement see the same snapshot and touch different tables, so their order does not matter. The balance is locked before.
const WRITE = `WITH given AS MATERIALIZED (
  SELECT * FROM ROWS FROM (jsonb_to_recordset($8::jsonb) AS (${JOB_COLUMNS})) WITH ORDINALITY
), made AS (
  INSERT INTO batch (id, account_id, feed_url, title, total, created_at)
  VALUES ($2, $1, $3, $4, (SELECT count(*) FROM given), $5::timestamptz)
), balances AS (
  UPDATE credit_balance SET held = $6, floor = $7 WHERE account_id = $1
), holds AS (
  INSERT INTO credit_hold (job_id, account_id, run, amount, state, key_id, opened_at)
  SELECT id, $1, 0, hold, 'open', key, earmark_now() FROM given WHERE hold > 0 AND NOT waits
), jobs AS (
  INSERT INTO job (id, account_id, status, phase, progress, run, waiting_since, title, title_folded, source, feed_url, options,
    metadata, batch_id, key_id, is_test, language, duration_seconds, enrichment, warnings, speaker_names, created_at, expires_at)
  SELECT id, $1, 'queued', phase, 0, 0, CASE WHEN waits THEN made END, title, folded, source, feed, $9::jsonb -> options,
    metadata, $2, key, test, language, seconds, '{}', '[]', '{}', made, expires FROM given
) INSERT INTO queue (id, account_id, prio, run_at, state, needed, max_attempts)
  SELECT id, $1, ${LOW_PRIORITY}, CASE WHEN waits THEN 'infinity' ELSE earmark_now() END, CASE WHEN waits THEN ${SCHEDULED} ELSE ${READY} END, hold, $10
  FROM given ORDER BY ordinality`

const lockBalance = (run: Run, account: AccountId) =>
  Effect.map(
    run<Omit<Balance, "account">>(
      "SELECT posted, held, floor FROM credit_balance WHERE account_id = $1 FOR UPDATE",
      [account],
    ),
    ([row]) => (row === undefined ? emptyBalance(account) : { account, ...row }),
  )

/** The jobs that wait are counted no further than the answer needs. */
const requireRoom = (run: Run, { account, jobs, maxWaiting }: NewBatch) =>
  maxWaiting === null
    ? Effect.void
    : Effect.flatMap(
        run<{ readonly waiting: number }>(
          "SELECT count(*)::integer AS waiting FROM (SELECT 1 FROM job WHERE account_id = $1 AND status = 'queued' LIMIT $2) waiting",
          [account, maxWaiting],
        ),
        ([row]) =>
          (row?.waiting ?? 0) + jobs.length > maxWaiting
            ? new TooManyJobs({ limit: maxWaiting })
            : Effect.void,
      )

/** The different options among jobs, as JSON, and each job's place in them. Jobs of one feed mostly have the same. */
const optionsOf = (jobs: ReadonlyArray<NewJob>) => {
  const places = new Map<string, number>()
  const ofJobs = jobs.map(({ options }) => {
    const text = json(options)
    const place = places.get(text) ?? places.size
    places.set(text, place)
    return place
  })
  return { ofJobs, all: `[${[...places.keys()].join(",")}]` }
}

/** The jobs of a whole feed with their holds and entries, in one statement. */
export const createBatch = (run: Run, batch: NewBatch, settings: StoreSettings["Type"]) =>
  Effect.gen(function* () {
    const { id, account, feedUrl, title, createdAt, jobs } = batch
    const before = yield* lockBalance(run, account)
    yield* requireRoom(run, batch)
    const paid = jobs.filter(({ hold }) => hold > 0)
    const amounts = paid.map(({ hold }) => hold)
    const needed = amounts.reduce((sum, amount) => sum + amount, 0)
    yield* requireRoomOf(run, account, jobs[0]?.key ?? null, needed)
    const { held } = yield* batchHolds(before, amounts)
    const lacking = new Set(paid.slice(held).map((job) => job.id))
    const changes = changesOver({ balance: () => before }, createdAt, settings)
    for (const job of paid.slice(0, held)) yield* changes.hold(job, 0, job.hold)
    const after = changes.balances.get(account) ?? before
    const options = optionsOf(jobs)
    const rows = jobs.map((job, index) => batchJob(job, lacking.has(job.id), options.ofJobs[index] ?? 0))
    yield* run(WRITE, [
      account,
      id,
      feedUrl,
      title,
      timeText(createdAt),
      after.held,
      after.floor,
      json(rows),
      options.all,
      settings.maxAttempts,
    ])
  })
