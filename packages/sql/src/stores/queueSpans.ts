import { type JobQueue, LeaseLost, type Span } from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Database } from "../database/Database.js"
import { json } from "../database/json.js"

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

/** What of a job has been heard so far: kept piece by piece, so that whoever takes it over goes on. */
export const queueSpans = (
  database: Database["Type"],
): Pick<JobQueue["Type"], "resume" | "saveSpan" | "spans"> => ({
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
})
