import type { AccountId, JobId } from "@earmark/core/jobs"
import type { Word } from "@earmark/core/transcripts"
import type { FoundJob, SearchCandidate, SearchFilter, StorageError } from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Database } from "../database/Database.js"
import { PLAN_EACH_TIME } from "../database/statements.js"
import { timeText } from "../database/values.js"
import { type ContentRow, manyForms, searchQuery, searchQueryAnywhere, withKnownForms } from "./contents.js"
import { type JobRow, jobOf } from "./jobRows.js"
import { placeValues } from "./pages.js"

const OF_SEARCH = `s.account_id = $1 AND ($3::text IS NULL OR s.feed_url = $3)
  AND ($4::timestamptz IS NULL OR s.created_at > $4) AND ($5::timestamptz IS NULL OR s.created_at < $5)
  AND ($7::timestamptz IS NULL OR (s.created_at, s.job_id) <= ($7, $8))`
const NEWEST_FIRST = "ORDER BY s.created_at DESC, s.job_id DESC"
// Other indexes would be asked first, and the words read of every transcript.
const WITH_WORDS = `s.words @@ $2::tsquery AND ${OF_SEARCH.replace("s.account_id", "s.account_id || ''")} ${NEWEST_FIRST} LIMIT $6`
/** The index knows which words are in a transcript, and need not read it. */
const ANYWHERE = `${PLAN_EACH_TIME} SELECT s.job_id AS id, s.created_at, true AS holds FROM transcript_search s WHERE ${WITH_WORDS}`
/** Where they are stands in the words themselves, which take long to read. */
const IN_PLACES = `${PLAN_EACH_TIME} SELECT s.job_id AS id, s.created_at, s.words @@ $9::tsquery AS holds
FROM (SELECT s.job_id, s.created_at, s.words FROM transcript_search s WHERE ${WITH_WORDS}) s ${NEWEST_FIRST}`
// The planner takes rare words for frequent ones, and would read the words of every transcript.
const BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"
/** Looking up each form alone is quick; a query of hundreds is compared with every transcript that has one of them. */
const KNOWN_FORMS = `SELECT form FROM unnest($1::text[]) form
WHERE EXISTS (SELECT 1 FROM transcript_search WHERE words @@ form::tsquery)`
// Without the words: they are more than all else, and only hits that are shown need them.
const CANDIDATES = `SELECT j.*, t.language AS content_language, t.segments, t.words IS NOT NULL AS has_words
FROM unnest($2::text[]) WITH ORDINALITY AS found (id, place)
JOIN job j ON j.id = found.id AND j.account_id = $1 JOIN transcript t ON t.job_id = j.id ORDER BY found.place`

/** Of so many that have all words it is looked up where these are: at first for each that is wanted, and then times so many. */
const READ_AT_FIRST = 2
const READ_MORE = 4
const READ_AT_ONCE = 400

interface FoundRow extends QueryResultRow {
  readonly id: JobId
  readonly created_at: number
  readonly holds: boolean
}

interface CandidateRow extends JobRow {
  readonly content_language: string | null
  readonly segments: ContentRow["segments"]
  readonly has_words: boolean
}

const NO_WORDS: ReadonlyArray<Word> = []

const candidateOf = (row: CandidateRow): SearchCandidate => ({
  job: jobOf(row),
  isWithoutTimes: row.has_words,
  content: {
    language: row.content_language,
    segments: row.segments.map(({ start, end, speaker, text }) => ({
      start,
      end,
      speaker,
      text,
      words: NO_WORDS,
    })),
  },
})

/** These transcripts with their lines. */
export const candidateJobs = (database: Database["Type"], account: AccountId, ids: ReadonlyArray<JobId>) =>
  database
    .query<CandidateRow>("JobStore.candidates", CANDIDATES, [account, ids], { reads: true, account })
    .pipe(Effect.map((rows) => rows.map(candidateOf)))

/** The newest transcripts that may hold what is looked for. */
export const searchJobs = Effect.fnUntraced(function* (
  database: Database["Type"],
  account: AccountId,
  { words: wanted, limit, feed, createdAfter, createdBefore, from }: SearchFilter,
): Effect.fn.Return<ReadonlyArray<FoundJob>, StorageError> {
  if (wanted.length === 0) return []
  const forms = manyForms(account, wanted)
  const known =
    forms.length === 0
      ? []
      : yield* database.transaction(
          "JobStore.search",
          (run) => Effect.zipRight(run(BY_INDEX), run<{ readonly form: string }>(KNOWN_FORMS, [forms])),
          { account },
        )
  const words = withKnownForms(account, wanted, new Set(known.map(({ form }) => form)))
  const anywhere = searchQueryAnywhere(account, words)
  const inPlaces = searchQuery(account, words)
  const foundFrom = (place: SearchFilter["from"], count: number) => {
    const values = [
      account,
      anywhere,
      feed ?? null,
      createdAfter === undefined ? null : timeText(createdAfter),
      createdBefore === undefined ? null : timeText(createdBefore),
      count,
      ...placeValues(place ?? null),
    ]
    return database.transaction(
      "JobStore.search",
      (run) =>
        Effect.zipRight(
          run(BY_INDEX),
          inPlaces === anywhere
            ? run<FoundRow>(ANYWHERE, values)
            : run<FoundRow>(IN_PLACES, [...values, inPlaces]),
        ),
      { account },
    )
  }

  const found = new Map<JobId, FoundJob>()
  let place = from
  let count = inPlaces === anywhere ? limit : READ_AT_FIRST * limit
  for (;;) {
    const rows = yield* foundFrom(place, count)
    for (const { id, created_at: createdAt, holds } of rows) if (holds) found.set(id, { id, createdAt })
    const last = rows.at(-1)
    if (found.size >= limit || last === undefined || rows.length < count) break
    place = { createdAt: last.created_at, id: last.id }
    count = Math.min(count * READ_MORE, READ_AT_ONCE)
  }
  return [...found.values()].slice(0, limit)
})
