import { type AccountId, type JobId, JobNotFound, type JobStatus } from "@earmark/core/jobs"
import { type JobCounts, MOST_COUNTED } from "@earmark/core/wire"
import {
  type JobStep,
  type JobStore,
  resultFromCache,
  type Standing,
  type StoredBatch,
  type Usage,
} from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Database } from "../database/Database.js"
import { makeLookup } from "../database/makeLookup.js"
import { ofAccount, PLAN_EACH_TIME } from "../database/statements.js"
import { timeText } from "../database/values.js"
import { type ContentRow, contentOf } from "./contents.js"
import { holdingJobs } from "./holdingJobs.js"
import { type JobRow, jobOf } from "./jobRows.js"
import { listStatement } from "./listJobs.js"
import { directionOf, pageOf, pageSql } from "./pages.js"
import { candidateJobs, searchJobs } from "./searchJobs.js"

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

/** How far the batches are that a statement selects. */
const progressOf = (
  batches: string,
) => `SELECT b.id, b.feed_url, b.title, b.total, b.created_at, b.canceled_at,
  count(j.id) FILTER (WHERE j.status = 'queued') AS queued,
  count(j.id) FILTER (WHERE j.phase = 'waiting_for_credits') AS waiting,
  count(j.id) FILTER (WHERE j.status = 'done') AS done,
  count(j.id) FILTER (WHERE j.status = 'failed') AS failed,
  coalesce(sum(1 - j.progress) FILTER (WHERE j.status = 'queued'), 0) AS remaining,
  (b.removed_minutes + coalesce(sum(j.billed_minutes), 0))::bigint AS billed
FROM (${batches}) b LEFT JOIN job j ON j.batch_id = b.id
GROUP BY b.id, b.feed_url, b.title, b.total, b.created_at, b.canceled_at, b.removed_minutes`

const BATCH = progressOf("SELECT * FROM batch WHERE id = $2 AND account_id = $1")

const batchOf = (row: BatchRow): StoredBatch => ({
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
})

const CONTENT = `SELECT j.id, t.language, t.text, t.segments, t.words, t.summary, t.chapters, t.translation
FROM job j LEFT JOIN transcript t ON t.job_id = j.id WHERE j.id = $2 AND ${ofAccount("j.account_id", "$1")}`

const countOf = (status: JobStatus) => `(SELECT count(*) FROM (
  SELECT 1 FROM job WHERE account_id = $1 AND status = '${status}' LIMIT ${MOST_COUNTED}) found) AS ${status}`

const COUNTS = `SELECT ${countOf("queued")}, ${countOf("done")}, ${countOf("failed")}`

const STANDINGS = `SELECT j.id, j.version, j.status <> 'queued' AS "isEnded",
  (SELECT count(*) FROM job_span s WHERE s.job_id = j.id) AS spans
FROM job j WHERE j.id = ANY ($1)`

const STEP = "j.id, j.status, j.phase, j.progress, j.version, j.started_at FROM job j WHERE j.account_id = $1"

// Each part has an index of its own.
const CHANGED = `${PLAN_EACH_TIME} WITH found AS (
  (SELECT ${STEP} AND j.status = 'queued' AND ($3 OR j.started_at IS NOT NULL)
    ORDER BY j.started_at DESC NULLS LAST, j.id LIMIT $5)
  UNION (SELECT ${STEP} AND j.created_at >= $2::timestamptz ORDER BY j.created_at DESC LIMIT $5)
  UNION (SELECT ${STEP} AND j.completed_at >= $2::timestamptz ORDER BY j.completed_at DESC LIMIT $5)
  UNION (SELECT ${STEP} AND j.id = ANY ($4))
  ORDER BY started_at DESC NULLS LAST, id LIMIT $5
) SELECT earmark_now() AS moment, found.* FROM (SELECT 1) one LEFT JOIN found ON true`

interface ChangedRow extends QueryResultRow {
  readonly moment: number
  readonly id: JobStep["id"] | null
  readonly status: JobStep["status"]
  readonly phase: JobStep["phase"]
  readonly progress: number
  readonly version: number
}

const GET = `SELECT j.* FROM unnest($1::text[], $2::text[]) AS asked (account_id, id)
JOIN job j ON j.id = asked.id AND ${ofAccount("j.account_id", "asked.account_id")}`

// Only which job it is: many are looked for in one statement, and transcripts are long.
const CACHED = `SELECT asked.account_id, asked.key, found.id
FROM unnest($1::text[], $2::text[]) AS asked (account_id, key)
CROSS JOIN LATERAL (
  SELECT j.id FROM result_cache c JOIN job j ON j.id = c.job_id JOIN transcript t ON t.job_id = c.job_id
  WHERE c.key = asked.key AND c.scope IN (asked.account_id, 'public')
    AND (j.expires_at IS NULL OR j.expires_at > earmark_now()) ORDER BY c.scope = 'public' LIMIT 1
) found`

const WITH_CONTENT = `j.*, t.text AS content_text, t.language AS content_language, t.segments, t.words, t.summary, t.chapters,
  t.translation`

const RESULT = `SELECT ${WITH_CONTENT} FROM job j JOIN transcript t ON t.job_id = j.id WHERE j.id = $1`

const GROUPS = {
  day: "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
  month: "to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM')",
  key: "coalesce(key_id, 'none')",
} as const

const usageStatement = (groupBy: keyof typeof GROUPS): string =>
  `SELECT ${GROUPS[groupBy]} COLLATE "C" AS "group", count(*) AS transcriptions, sum(minutes)::bigint AS minutes,
  sum(coalesce(credits, minutes))::bigint AS credits FROM usage_entry
  WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 GROUP BY 1 ORDER BY 1`

interface FoundRow extends JobRow {
  readonly content_text: string
  readonly content_language: string | null
  readonly segments: ContentRow["segments"]
  readonly words: Buffer | null
  readonly summary: string | null
  readonly chapters: ContentRow["chapters"]
  readonly translation: ContentRow["translation"]
}

interface CachedRow extends QueryResultRow {
  readonly account_id: string
  readonly key: string
  readonly id: JobId
}

const makeFind = (database: Database["Type"]) =>
  makeLookup<{ readonly account: AccountId; readonly id: JobId }, JobRow>(database, {
    operation: "JobStore.get",
    text: GET,
    values: (asked) => [asked.map(({ account }) => account), asked.map(({ id }) => id)],
    nameOfKey: ({ account, id }) => `${account} ${id}`,
    nameOfRow: ({ account_id: account, id }) => `${account} ${id}`,
    accountOf: ({ account }) => account,
  })

// Not under row security: a public result is another account's.
const makeFindCached = (database: Database["Type"]) =>
  makeLookup<{ readonly account: AccountId; readonly cacheKey: string }, CachedRow>(database, {
    operation: "JobStore.cached",
    text: CACHED,
    values: (asked) => [asked.map(({ account }) => account), asked.map(({ cacheKey }) => cacheKey)],
    nameOfKey: ({ account, cacheKey }) => `${account} ${cacheKey}`,
    nameOfRow: (row) => `${row.account_id} ${row.key}`,
  })

const foundContent = (row: FoundRow) =>
  contentOf({ ...row, text: row.content_text, language: row.content_language })

type ReadsJobs = Pick<
  JobStore["Type"],
  | "get"
  | "list"
  | "counts"
  | "standings"
  | "changed"
  | "content"
  | "batch"
  | "batches"
  | "cached"
  | "isCached"
  | "holding"
  | "search"
  | "candidates"
  | "usage"
>

/** What there is to read of jobs; nothing here changes any. */
export const readJobs = Effect.fnUntraced(function* (database: Database["Type"]) {
  const find = yield* makeFind(database)
  const findCached = yield* makeFindCached(database)
  const reads: ReadsJobs = {
    get: (account, id) =>
      Effect.flatMap(find({ account, id }), (row) =>
        row === undefined ? Effect.fail(new JobNotFound({ id })) : Effect.succeed(jobOf(row)),
      ),

    counts: (account) =>
      Effect.map(
        database.query<JobCounts & QueryResultRow>("JobStore.counts", COUNTS, [account], {
          reads: true,
          account,
        }),
        ([row]) => row ?? { queued: 0, done: 0, failed: 0 },
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

    standings: (ids) =>
      database.query<Standing & QueryResultRow>("JobStore.standings", STANDINGS, [ids], { reads: true }),

    changed: (account, { since, queued, named, limit }) =>
      Effect.map(
        database.query<ChangedRow>(
          "JobStore.changed",
          CHANGED,
          [account, since === null ? null : timeText(since), queued, named, limit],
          { reads: true, account },
        ),
        (rows) => ({
          now: rows[0]?.moment ?? 0,
          jobs: rows.flatMap(({ id, status, phase, progress, version }) =>
            id === null ? [] : [{ id, status, phase, progress, version }],
          ),
        }),
      ),

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

    batches: (account, page) => {
      const { rest, sorted, values } = pageSql(page, 2)
      const chosen = `SELECT * FROM batch WHERE account_id = $1 AND ${rest} ${sorted}`
      const text = `${progressOf(chosen)} ${directionOf(page.order).sorted}`
      return Effect.map(
        database.query<BatchRow>("JobStore.batches", text, [account, ...values], { reads: true, account }),
        (rows) => pageOf(rows.map(batchOf), page.limit),
      )
    },

    batch: (account, id) =>
      Effect.map(
        database.query<BatchRow>("JobStore.batch", BATCH, [account, id], { reads: true, account }),
        ([row]) => (row === undefined ? null : batchOf(row)),
      ),

    cached: (account, cacheKey) =>
      Effect.gen(function* () {
        const found = yield* findCached({ account, cacheKey })
        if (found === undefined) return null
        const [row] = yield* database.query<FoundRow>("JobStore.cached", RESULT, [found.id], { reads: true })
        // It can be gone since.
        if (row === undefined) return null
        return resultFromCache(jobOf(row), yield* foundContent(row), account)
      }),

    isCached: (account, cacheKey) =>
      Effect.map(findCached({ account, cacheKey }), (found) => found !== undefined),

    search: (account, filter) => searchJobs(database, account, filter),
    candidates: (account, ids) => candidateJobs(database, account, ids),

    holding: (account, filter) => holdingJobs(database, account, filter),

    usage: (account, { from, to, groupBy }) =>
      database.query<Usage & QueryResultRow>(
        "JobStore.usage",
        usageStatement(groupBy),
        [account, timeText(from), timeText(to)],
        { reads: true, account },
      ),
  }
  return reads
})
