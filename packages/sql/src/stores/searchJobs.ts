import type { AccountId, JobId } from "@earmark/core/jobs"
import type { WantedWords } from "@earmark/core/text"
import type { FoundJob, SearchCandidate, SearchFilter, StorageError } from "@earmark/service"
import { Effect, Order } from "effect"
import type { Database, Run } from "../database/Database.js"
import { ofAccount, PLAN_EACH_TIME } from "../database/statements.js"
import { timeText } from "../database/values.js"
import {
  type ContentRow,
  linesOf,
  manyForms,
  searchQuery,
  searchQueryAnywhere,
  withKnownForms,
} from "./contents.js"
import { type JobRow, jobOf } from "./jobRows.js"
import { type FoundRow, IN_RANGE, type RangeValues, rangeValues } from "./searchRange.js"
import { searchSlices } from "./searchSlices.js"

const NEWEST = 200
const NEWEST_FIRST = "ORDER BY s.created_at DESC, s.job_id DESC"
/** The index knows which words are in a transcript, and need not read it. Other indexes would be asked first, and the words read of every transcript. */
const anywhere = (
  among = "",
) => `${PLAN_EACH_TIME} SELECT s.job_id AS id, s.created_at FROM transcript_search s
WHERE s.words @@ $7::tsquery AND ${IN_RANGE.replace("s.account_id", "s.account_id || ''")} ${among} ${NEWEST_FIRST} LIMIT $8`
const ANYWHERE = anywhere()
/** Frequent words fill a page from the newest transcripts: all of many that have one need not be sorted. */
const AMONG_NEWEST = anywhere("AND s.created_at >= $9")
const END_OF_NEWEST = `SELECT s.created_at FROM transcript_search s WHERE ${IN_RANGE} ${NEWEST_FIRST} OFFSET ${NEWEST} LIMIT 1`
/** Where words are stands in the words themselves, which take long to read: one transcript after the other, until there are enough. */
const IN_NO_SLICE = `${PLAN_EACH_TIME} SELECT s.job_id AS id, s.created_at FROM (
  SELECT job_id, created_at FROM search_member WHERE account_id = $1 AND slice_id IS NULL
    AND ($9::timestamptz IS NULL OR created_at >= $9) ORDER BY created_at DESC, job_id DESC
) m CROSS JOIN LATERAL (
  SELECT s.job_id, s.created_at FROM transcript_search s
  WHERE s.job_id = m.job_id AND ${IN_RANGE} AND s.words @@ $7::tsquery OFFSET 0
) s ORDER BY m.created_at DESC, m.job_id DESC LIMIT $8`
// The planner takes rare words for frequent ones, and would read the words of every transcript.
const BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off"
/** Looking up each form alone is quick; a query of hundreds is compared with every transcript that has one of them. */
const KNOWN_FORMS = `SELECT form FROM unnest($1::text[]) form
WHERE EXISTS (SELECT 1 FROM transcript_search WHERE words @@ form::tsquery)`
// Without the words: they are more than all else, and only hits that are shown need them.
const CANDIDATES = `SELECT j.*, t.language AS content_language, t.segments, t.words IS NOT NULL AS has_words
FROM unnest($2::text[]) WITH ORDINALITY AS found (id, place)
JOIN job j ON j.id = found.id AND ${ofAccount("j.account_id", "$1")} JOIN transcript t ON t.job_id = j.id ORDER BY found.place`

interface CandidateRow extends JobRow {
  readonly content_language: string | null
  readonly segments: ContentRow["segments"]
  readonly has_words: boolean
}

const candidateOf = (row: CandidateRow): SearchCandidate => ({
  job: jobOf(row),
  isWithoutTimes: row.has_words,
  content: {
    language: row.content_language,
    segments: linesOf(row.segments),
  },
})

/** These transcripts with their lines. */
export const candidateJobs = (database: Database["Type"], account: AccountId, ids: ReadonlyArray<JobId>) =>
  database
    .query<CandidateRow>("JobStore.candidates", CANDIDATES, [account, ids], { reads: true, account })
    .pipe(Effect.map((rows) => rows.map(candidateOf)))

/** Of words with many forms, those that are known. */
const knownWords = Effect.fnUntraced(function* (
  database: Database["Type"],
  account: AccountId,
  wanted: WantedWords,
): Effect.fn.Return<WantedWords, StorageError> {
  const forms = manyForms(account, wanted)
  if (forms.length === 0) return wanted
  const known = yield* database.transaction(
    "JobStore.search",
    (run) => Effect.zipRight(run(BY_INDEX), run<{ readonly form: string }>(KNOWN_FORMS, [forms])),
    { account },
  )
  return withKnownForms(account, wanted, new Set(known.map(({ form }) => form)))
})

const newestFirst = Order.combine(
  Order.reverse(Order.mapInput(Order.number, ({ created_at }: FoundRow) => created_at)),
  Order.reverse(Order.mapInput(Order.string, ({ id }: FoundRow) => id)),
)

/** Of words that need not be near each other. */
const searchAnywhere = Effect.fnUntraced(function* (
  run: Run,
  query: string,
  { range, limit }: { readonly range: RangeValues; readonly limit: number },
) {
  const [end] = yield* run<Pick<FoundRow, "created_at">>(END_OF_NEWEST, range)
  yield* run(BY_INDEX)
  if (end !== undefined) {
    const found = yield* run<FoundRow>(AMONG_NEWEST, [...range, query, limit, timeText(end.created_at)])
    if (found.length >= limit) return found
  }
  return yield* run<FoundRow>(ANYWHERE, [...range, query, limit])
})

/** Of words that are said together. What slices hold beyond the limit was looked up with the rest, and need not be looked up again. */
const searchTogether = Effect.fnUntraced(function* (
  run: Run,
  words: WantedWords,
  query: string,
  { range, limit }: { readonly range: RangeValues; readonly limit: number },
) {
  const { found, lookedTo } = yield* searchSlices(run, words, { range, limit })
  const inSlices = found.filter(({ created_at }) => created_at > lookedTo).sort(newestFirst)
  const oldest = inSlices.length < limit ? undefined : inSlices.at(-1)
  const since = oldest === undefined ? null : timeText(oldest.created_at)
  const others = yield* run<FoundRow>(IN_NO_SLICE, [...range, query, limit, since])
  const all = [...inSlices, ...others].sort(newestFirst)
  const lastOther = others[limit - 1]
  // There may be more of them behind it.
  return lastOther === undefined ? all : all.slice(0, all.indexOf(lastOther) + 1)
})

/** The newest transcripts that may hold what is looked for. */
export const searchJobs = Effect.fnUntraced(function* (
  database: Database["Type"],
  account: AccountId,
  { words: wanted, limit, ...filter }: SearchFilter,
): Effect.fn.Return<ReadonlyArray<FoundJob>, StorageError> {
  if (wanted.length === 0) return []
  const words = yield* knownWords(database, account, wanted)
  const inAny = searchQueryAnywhere(account, words)
  const inPlaces = searchQuery(account, words)
  const range = rangeValues(account, filter)
  const found =
    inPlaces === inAny
      ? yield* database.transaction(
          "JobStore.search",
          (run) => searchAnywhere(run, inAny, { range, limit }),
          { account },
        )
      : yield* database.transaction(
          "JobStore.search",
          (run) => searchTogether(run, words, inPlaces, { range, limit }),
          { account, isSnapshot: true },
        )
  return found.map(({ id, created_at: createdAt }) => ({ id, createdAt }))
})
