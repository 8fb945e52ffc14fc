import type { Balance, Hold } from "@earmark/core/credits"
import type { JobId } from "@earmark/core/jobs"
import { type EventListener, JobChanges, type JobRows, type StoredJob } from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Run } from "../database/Database.js"
import { json } from "../database/json.js"
import { timeText } from "../database/values.js"
import { newId } from "./ids.js"
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
  readonly changes: JobChanges
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
  readonly endpoints: ReadonlyArray<EventListener> | null
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

/** Changes decided over some rows of this database, at a moment of its clock. */
export const changesOver = (rows: Partial<JobRows>, now: number, { baseUrl }: { readonly baseUrl: string }) =>
  new JobChanges(
    {
      balance: () => undefined,
      hold: () => undefined,
      // Of jobs, only settlements are transactions, and their hold tells whether they were written before.
      hasTransaction: () => false,
      listeners: () => [],
      ...rows,
    },
    { now, baseUrl, newId: (kind) => newId(kind, now) },
  )

const balanceOf = (row: LockedRow | undefined): Balance | undefined => {
  if (row === undefined || row.balance_posted === null) return undefined
  const { account_id: account, balance_posted: posted, balance_held: held, balance_floor: floor } = row
  return { account, posted, held, floor }
}

const holdOf = (row: LockedRow | undefined): Hold | undefined => {
  if (row === undefined || row.hold_state === null) return undefined
  const { hold_run: run, hold_amount: amount, hold_state: state, hold_settled: settled } = row
  return { job: row.id, account: row.account_id, run, amount, state, settled }
}

const rowsOf = (rows: ReadonlyArray<LockedRow>): Partial<JobRows> => {
  const ofJob = new Map<string, LockedRow>(rows.map((row) => [row.id, row]))
  const ofAccount = new Map<string, LockedRow>(rows.map((row) => [row.account_id, row]))
  return {
    balance: (account) => balanceOf(ofAccount.get(account)),
    hold: (job) => holdOf(ofJob.get(job)),
    listeners: (account) => ofAccount.get(account)?.endpoints ?? [],
  }
}

/** Locks jobs with all that their change may touch, always in the same order. Jobs that do not exist are left out. */
export const lockJobs = (run: Run, ids: ReadonlyArray<JobId>, settings: { readonly baseUrl: string }) =>
  Effect.map(
    run<LockedRow>(LOCK, [ids]),
    (rows): Locked => ({
      jobs: rows.map((row) => ({ job: jobOf(row), entry: entryOf(row) })),
      changes: changesOver(rowsOf(rows), rows[0]?.moment ?? 0, settings),
    }),
  )

/** Of a single job. */
const PRIORITY = 100
/** Of the jobs of a whole feed: they never stand before a single job. */
export const LOW_PRIORITY = 200
export const READY = 0
export const SCHEDULED = 3

const settings = CHANGING_COLUMNS.map((column) => `${column} = r.${column}`).join(", ")

// Parts of one statement see the same snapshot and touch different tables, so their order does not matter.
const WRITE = `WITH balances AS (
  UPDATE credit_balance b SET posted = r.posted, held = r.held, floor = r.floor
  FROM jsonb_populate_recordset(NULL::credit_balance, $1) r WHERE b.account_id = r.account_id
), holds AS (
  INSERT INTO credit_hold AS h (job_id, account_id, run, amount, state, settled, key_id, opened_at)
  SELECT r.job_id, r.account_id, r.run, r.amount, r.state, r.settled, j.key_id, $8::timestamptz
  FROM jsonb_populate_recordset(NULL::credit_hold, $2) r LEFT JOIN job j ON j.id = r.job_id
  ON CONFLICT (job_id) DO UPDATE SET run = excluded.run, amount = excluded.amount, state = excluded.state, settled = excluded.settled,
    opened_at = CASE WHEN h.run = excluded.run THEN h.opened_at ELSE excluded.opened_at END
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
  INSERT INTO usage_entry (job_id, run, account_id, key_id, minutes, credits, created_at)
  SELECT job_id, run, account_id, key_id, minutes, credits, $8::timestamptz FROM jsonb_populate_recordset(NULL::usage_entry, $9) ON CONFLICT DO NOTHING
) SELECT 1`

const ENQUEUE = `INSERT INTO queue (id, account_id, prio, run_at, state, needed, max_attempts)
VALUES ($1, $2, $3, earmark_now(), ${READY}, $4, $5)`

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

/** A job that was queued before is ready to be worked on again. */
export const enqueue = (run: Run, job: StoredJob, needs: number, limits: { readonly maxAttempts: number }) =>
  run(ENQUEUE, [job.id, job.account, job.batch === null ? PRIORITY : LOW_PRIORITY, needs, limits.maxAttempts])

/** Writes everything that was collected. */
export const writeChanges = (run: Run, changes: JobChanges) => {
  // Whatever else is decided comes with one of these.
  if (changes.jobs.size + changes.holds.size + changes.left.length === 0) return Effect.void
  const now = timeText(changes.now)
  return run(WRITE, [
    json([...changes.balances.values()].map(balanceRow)),
    json([...changes.holds.values()].map(holdRow)),
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
      changes.usage.map(({ job, minutes, credits }) => ({
        job_id: job.id,
        run: job.state.run,
        account_id: job.account,
        key_id: job.key,
        minutes,
        credits,
      })),
    ),
  ])
}
