import type { AccountId, JobId } from "@earmark/core/jobs"
import type { SearchCandidate, SearchFilter, StorageError } from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Database } from "../database/Database.js"
import { PLAN_EACH_TIME } from "../database/statements.js"
import { timeText } from "../database/values.js"
import { type ContentRow, isNear, searchQuery, searchQueryAnywhere } from "./contents.js"
import { type JobRow, jobOf } from "./jobRows.js"
import { placeValues } from "./pages.js"

const OF_SEARCH = `s.account_id = $1 AND ($3::text IS NULL OR s.feed_url = $3)
  AND ($4::timestamptz IS NULL OR s.created_at > $4) AND ($5::timestamptz IS NULL OR s.created_at < $5)
  AND ($7::timestamptz IS NULL OR (s.created_at, s.job_id) <= ($7, $8))`
const NEWEST_FIRST = "ORDER BY s.created_at DESC, s.job_id DESC"
const FOUND = `${PLAN_EACH_TIME} SELECT s.job_id AS id, s.created_at, s.words @@ $2::tsquery AS holds
FROM (SELECT s.job_id, s.created_at, s.words FROM transcript_search s WHERE`

const NEWEST = `${FOUND} ${OF_SEARCH} ${NEWEST_FIRST} LIMIT $6) s ${NEWEST_FIRST}`
// The index knows which words are in a transcript. Where they are stands in the words themselves, which take long to read.
const BY_WORDS = `${FOUND} s.words @@ $9::tsquery AND ${OF_SEARCH.replace("s.account_id", "s.account_id || ''")}
  ${NEWEST_FIRST} LIMIT $6) s ${NEWEST_FIRST}`
// The planner takes rare words for frequent ones, and would read the words of every transcript.
const BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"
// Without the words: they are more than all else, and only hits that are shown need them.
const CANDIDATES = `SELECT j.*, t.language AS content_language, t.segments
FROM unnest($2::text[]) WITH ORDINALITY AS found (id, place)
JOIN job j ON j.id = found.id AND j.account_id = $1 JOIN transcript t ON t.job_id = j.id ORDER BY found.place`

/** Words of many transcripts are in the newest ones: so many are looked at for each that is wanted before the index is asked. */
const NEWEST_READ = 5
/** Of so many that have all words it is looked up at a time where these are. */
const READ_AT_ONCE = 400

interface FoundRow extends QueryResultRow {
  readonly id: JobId
  readonly created_at: number
  readonly holds: boolean
}

interface CandidateRow extends JobRow {
  readonly content_language: string | null
  readonly segments: ContentRow["segments"]
}

const heldIn = (rows: ReadonlyArray<FoundRow>): ReadonlyArray<JobId> =>
  rows.flatMap(({ id, holds }) => (holds ? [id] : []))

/** The newest transcripts that may hold what is looked for. */
export const searchJobs = Effect.fnUntraced(function* (
  database: Database["Type"],
  account: AccountId,
  { words, limit, feed, createdAfter, createdBefore, from }: SearchFilter,
): Effect.fn.Return<ReadonlyArray<SearchCandidate>, StorageError> {
  if (words.length === 0) return []
  const reads = { reads: true, account }
  const valuesFrom = (place: SearchFilter["from"], count: number) => [
    account,
    searchQuery(account, words),
    feed ?? null,
    createdAfter === undefined ? null : timeText(createdAfter),
    createdBefore === undefined ? null : timeText(createdBefore),
    count,
    ...placeValues(place ?? null),
  ]

  const newest = Effect.fnUntraced(function* () {
    if (isNear(words)) return null
    const count = NEWEST_READ * limit
    const rows = yield* database.query<FoundRow>("JobStore.search", NEWEST, valuesFrom(from, count), reads)
    const ids = heldIn(rows)
    return ids.length >= limit || rows.length < count ? ids : null
  })

  const byWords = Effect.fnUntraced(function* () {
    const anywhere = searchQueryAnywhere(account, words)
    const ids = new Set<JobId>()
    let place = from
    for (;;) {
      const values = [...valuesFrom(place, READ_AT_ONCE), anywhere]
      const rows = yield* database.transaction(
        "JobStore.search",
        (run) => Effect.zipRight(run(BY_INDEX), run<FoundRow>(BY_WORDS, values)),
        { account },
      )
      for (const id of heldIn(rows)) ids.add(id)
      const last = rows.at(-1)
      if (ids.size >= limit || last === undefined || rows.length < READ_AT_ONCE) return [...ids]
      place = { createdAt: last.created_at, id: last.id }
    }
  })

  const ids = ((yield* newest()) ?? (yield* byWords())).slice(0, limit)
  if (ids.length === 0) return []
  const rows = yield* database.query<CandidateRow>("JobStore.search", CANDIDATES, [account, ids], reads)
  return rows.map((row) => ({
    job: jobOf(row),
    content: {
      language: row.content_language,
      segments: row.segments.map((segment) => ({ ...segment, words: [] })),
    },
  }))
})
