import type { Balance, Hold } from "@earmark/core/credits"
import type { JobId } from "@earmark/core/jobs"
import type { StoredJob } from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { timeText } from "../database/values.js"
import { Changes, type Listener } from "./Changes.js"
import { type EncodedContent, lexeme } from "./contents.js"
import { CHANGING_COLUMNS, changedRow, type JobRow, jobOf } from "./jobRows.js"

/** The entry of a job in the queue. */
export interface Entry {
  readonly state: number
  readonly token: string | null
  /** Whether its lease has not run out. */
  readonly live: boolean
  readonly attempt: number
  readonly maxAttempts: number
  readonly needs: number
}

export interface LockedJob {
  readonly job: StoredJob
  readonly entry: Entry | null
}

export interface Locked {
  readonly jobs: ReadonlyArray<LockedJob>
  /** Ready to take changes: balances, holds and listeners of the jobs are known to it. */
  readonly changes: Changes
}

interface LockedRow extends JobRow, QueryResultRow {
  readonly queue_state: number | null
  readonly queue_token: string | null
  readonly queue_live: boolean | null
  readonly queue_attempt: number
  readonly queue_max: number
  readonly queue_needed: number
  readonly hold_run: number
  readonly hold_amount: number
  readonly hold_state: Hold["state"] | null
  readonly hold_settled: number
  readonly balance_posted: number | null
  readonly balance_held: number
  readonly balance_floor: number
  readonly endpoints: ReadonlyArray<Listener> | null
  readonly moment: number
}

const LOCK = `SELECT (l.entry).*, l.queue_state, l.queue_token, l.queue_live, l.queue_attempt, l.queue_max, l.queue_needed,
  l.hold_run, l.hold_amount, l.hold_state, l.hold_settled, l.balance_posted, l.balance_held, l.balance_floor, l.endpoints, l.moment
FROM lock_jobs($1) l`

const entryOf = (row: LockedRow): Entry | null =>
  row.queue_state === null
    ? null
    : {
        state: row.queue_state,
        token: row.queue_token,
        live: row.queue_live === true,
        attempt: row.queue_attempt,
        maxAttempts: row.queue_max,
        needs: row.queue_needed,
      }

const learn = (changes: Changes, row: LockedRow): void => {
  const account = row.account_id
  if (row.hold_state !== null) {
    const { hold_run: run, hold_amount: amount, hold_state: state, hold_settled: settled } = row
    changes.holds.set(row.id, { job: row.id, account, run, amount, state, settled })
  }
  if (row.balance_posted !== null) {
    const { balance_posted: posted, balance_held: held, balance_floor: floor } = row
    changes.balances.set(account, { account, posted, held, floor })
  }
  changes.listeners.set(account, row.endpoints ?? [])
}

/** Locks jobs with all that their change may touch, always in the same order. Jobs that do not exist are left out. */
export const lockJobs = (run: Run, ids: ReadonlyArray<JobId>, settings: { readonly baseUrl: string }) =>
  Effect.map(run<LockedRow>(LOCK, [ids]), (rows): Locked => {
    const changes = new Changes(rows[0]?.moment ?? 0, settings)
    for (const row of rows) learn(changes, row)
    return { jobs: rows.map((row) => ({ job: jobOf(row), entry: entryOf(row) })), changes }
  })

const settings = CHANGING_COLUMNS.map((column) => `${column} = r.${column}`).join(", ")

// Parts of one statement see the same snapshot and touch different tables, so their order does not matter.
const WRITE = `WITH balances AS (
  UPDATE credit_balance b SET posted = r.posted, held = r.held, floor = r.floor
  FROM jsonb_populate_recordset(NULL::credit_balance, $1) r WHERE b.account_id = r.account_id
), holds AS (
  INSERT INTO credit_hold SELECT * FROM jsonb_populate_recordset(NULL::credit_hold, $2)
  ON CONFLICT (job_id) DO UPDATE SET run = excluded.run, amount = excluded.amount, state = excluded.state, settled = excluded.settled
), postings AS (
  INSERT INTO credit_entry SELECT * FROM jsonb_populate_recordset(NULL::credit_entry, $3)
), changed AS (
  UPDATE job j SET ${settings} FROM jsonb_populate_recordset(NULL::job, $4) r WHERE j.id = r.id
), unqueued AS (
  DELETE FROM queue WHERE id = ANY ($5)
), unspanned AS (
  DELETE FROM job_span WHERE job_id = ANY ($5)
), events AS (
  INSERT INTO webhook_event (id, account_id, type, body, created_at)
  SELECT id, account_id, type, body, $8::timestamptz FROM jsonb_populate_recordset(NULL::webhook_event, $6) ON CONFLICT DO NOTHING
), deliveries AS (
  INSERT INTO webhook_delivery (id, event_id, endpoint_id, account_id, event_type, state, trigger, next_at, created_at)
  SELECT id, event_id, endpoint_id, account_id, event_type, 'pending', 'auto', $8::timestamptz, $8::timestamptz
  FROM jsonb_populate_recordset(NULL::webhook_delivery, $7) ON CONFLICT DO NOTHING
), used AS (
  INSERT INTO usage_entry (job_id, run, account_id, key_id, minutes, created_at)
  SELECT job_id, run, account_id, key_id, minutes, $8::timestamptz FROM jsonb_populate_recordset(NULL::usage_entry, $9) ON CONFLICT DO NOTHING
) SELECT 1`

const MAKE = `WITH made AS (
  INSERT INTO job SELECT * FROM jsonb_populate_recordset(NULL::job, $1)
) SELECT 1`

const ENQUEUE = `INSERT INTO queue (id, account_id, prio, run_at, state, needed, max_attempts)
SELECT id, account_id, prio, CASE WHEN state = 3 THEN 'infinity' ELSE $2::timestamptz END, state, needed, $3::integer
FROM jsonb_populate_recordset(NULL::queue, $1) WITH ORDINALITY AS r ORDER BY ordinality`

const KEEP_CONTENT = `WITH kept AS (
  INSERT INTO transcript (job_id, account_id, language, text, segments, words, summary, chapters, translation)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (job_id) DO UPDATE SET language = excluded.language, text = excluded.text, segments = excluded.segments,
    words = excluded.words, summary = excluded.summary, chapters = excluded.chapters, translation = excluded.translation
) INSERT INTO transcript_search (job_id, account_id, feed_url, created_at, words)
  VALUES ($1, $2, $10, $11, array_to_tsvector($12::text[]))
  ON CONFLICT (job_id) DO UPDATE SET words = excluded.words`

const DROP_CONTENT = `WITH content AS (DELETE FROM transcript WHERE job_id = ANY ($1)),
  found AS (DELETE FROM transcript_search WHERE job_id = ANY ($1))
  DELETE FROM result_cache WHERE job_id = ANY ($1)`

const present = <Value>(map: ReadonlyMap<string, Value>, keys: Iterable<string>): ReadonlyArray<Value> =>
  [...keys].flatMap((key) => map.get(key) ?? [])

const balanceRow = ({ account, posted, held, floor }: Balance) => ({
  account_id: account,
  posted,
  held,
  floor,
})

const holdRow = ({ job, account, run, amount, state, settled }: Hold) => ({
  job_id: job,
  account_id: account,
  run,
  amount,
  state,
  settled,
})

const keepContent = (run: Run, job: StoredJob, content: EncodedContent) =>
  run(KEEP_CONTENT, [
    job.id,
    job.account,
    content.language,
    content.text,
    content.segments,
    content.words,
    content.summary,
    content.chapters,
    content.translation,
    job.source.shown.feedUrl ?? null,
    timeText(job.createdAt),
    content.searchable.map((word) => lexeme(job.account, word)),
  ])

const PRIORITY = 100
/** Of the jobs of a whole feed: they never stand before a single job. */
export const LOW_PRIORITY = 200
export const READY = 0
export const SCHEDULED = 3

const hasLedger = ({ changedBalances, changedHolds, postings, jobs, left, events, usage }: Changes) =>
  changedBalances.size +
    changedHolds.size +
    jobs.size +
    postings.length +
    left.length +
    events.length +
    usage.length >
  0

/** Writes everything that was gathered. */
export const writeChanges = (run: Run, changes: Changes, limits: { readonly maxAttempts: number }) =>
  Effect.gen(function* () {
    const now = timeText(changes.now)
    if (changes.made.length > 0) yield* run(MAKE, [json(changes.made)])
    if (hasLedger(changes)) {
      yield* run(WRITE, [
        json(present(changes.balances, changes.changedBalances).map(balanceRow)),
        json(present(changes.holds, changes.changedHolds).map(holdRow)),
        json(
          changes.postings.map(({ id, transaction, account, amount, kind, job }) => ({
            id,
            tx: transaction,
            account,
            amount,
            kind,
            job_id: job,
            created_at: now,
          })),
        ),
        json([...changes.jobs.values()].map(changedRow)),
        changes.left,
        json(changes.events.map(({ account, ...event }) => ({ ...event, account_id: account }))),
        json(
          changes.deliveries.map(({ id, event, endpoint }) => ({
            id,
            event_id: event.id,
            endpoint_id: endpoint,
            account_id: event.account,
            event_type: event.type,
          })),
        ),
        now,
        json(
          changes.usage.map(({ job, minutes }) => ({
            job_id: job.id,
            run: job.state.run,
            account_id: job.account,
            key_id: job.key,
            minutes,
          })),
        ),
      ])
    }
    if (changes.entries.length > 0) {
      const rows = changes.entries.map(({ id, account, ofBatch, waits, needs }) => ({
        id,
        account_id: account,
        prio: ofBatch ? LOW_PRIORITY : PRIORITY,
        state: waits ? SCHEDULED : READY,
        needed: needs,
      }))
      yield* run(ENQUEUE, [json(rows), now, limits.maxAttempts])
    }
    for (const { job, content } of changes.contents) yield* keepContent(run, job, content)
    if (changes.withoutContent.length > 0) yield* run(DROP_CONTENT, [changes.withoutContent])
  })
