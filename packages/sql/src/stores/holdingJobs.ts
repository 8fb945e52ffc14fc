import type { AccountId, JobId } from "@earmark/core/jobs"
import type { Holding, HoldingFilter, StorageError } from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Database } from "../database/Database.js"
import { ofAccount, PLAN_EACH_TIME } from "../database/statements.js"
import { searchQuery } from "./contents.js"

const OF_BATCH = `($2::text IS NULL OR EXISTS (SELECT 1 FROM job j WHERE j.id = s.job_id AND ${ofAccount("j.account_id", "$1")} AND j.batch_id = $2))`

const TOTAL = `SELECT count(*) AS total FROM transcript_search s WHERE s.account_id = $1 AND ${OF_BATCH}`

const HOLDING = `${PLAN_EACH_TIME} WITH found AS (
  SELECT asked.place, s.job_id, s.created_at
  FROM unnest($3::text[]) WITH ORDINALITY AS asked (query, place)
  JOIN transcript_search s ON s.account_id = $1 AND s.words @@ asked.query::tsquery AND ${OF_BATCH}
), weights AS (
  SELECT place, ln(1 + $4::float8 / count(*)) AS weight FROM found GROUP BY place
)
SELECT found.job_id AS id FROM found JOIN weights USING (place)
GROUP BY found.job_id, found.created_at
ORDER BY sum(weights.weight) DESC, found.created_at DESC, found.job_id DESC LIMIT $5`

interface TotalRow extends QueryResultRow {
  readonly total: number
}

interface FoundRow extends QueryResultRow {
  readonly id: JobId
}

/** Which transcripts hold words that begin so, by what the index says. */
export const holdingJobs = Effect.fnUntraced(function* (
  database: Database["Type"],
  account: AccountId,
  { beginnings, batch, limit }: HoldingFilter,
): Effect.fn.Return<Holding, StorageError> {
  const options = { reads: true, account }
  const scope = [account, batch ?? null]
  const [row] = yield* database.query<TotalRow>("JobStore.holding", TOTAL, scope, options)
  const total = row?.total ?? 0
  const queries = beginnings.map((wanted) => searchQuery(account, wanted))
  if (total === 0 || queries.length === 0) return { total, ids: [] }
  const values = [...scope, queries, total, limit]
  const found = yield* database.query<FoundRow>("JobStore.holding", HOLDING, values, options)
  return { total, ids: found.map(({ id }) => id) }
})
