import type { JobId } from "@earmark/core/jobs"
import type { Lease } from "@earmark/service"
import { Effect } from "effect"
import type { Run } from "../database/Database.js"
import { ofAccount } from "../database/statements.js"
import type { EncodedContent } from "./contents.js"

/** The words of a content with their places: its lexemes begin with the account, see `lexeme`. */
const lexemesOf = (words: string) =>
  `coalesce((SELECT string_agg('''' || right(account_id, 16) || ':' || word, ' ') FROM unnest(${words}::text[]) word), '')::tsvector`

/** Stores a content for the job that `owner` finds. */
const keep = (owner: string) => `WITH owner AS (${owner}), kept AS (
  INSERT INTO transcript (job_id, account_id, language, text, segments, words, summary, chapters, translation)
  SELECT id, account_id, $3, $4, $5::json, $6::bytea, $7, $8::jsonb, $9::jsonb FROM owner
  ON CONFLICT (job_id) DO UPDATE SET language = excluded.language, text = excluded.text, segments = excluded.segments,
    words = excluded.words, summary = excluded.summary, chapters = excluded.chapters, translation = excluded.translation
), member AS (
  INSERT INTO search_member (job_id, account_id, created_at) SELECT id, account_id, created_at FROM owner
  ON CONFLICT (job_id) DO UPDATE SET slice_id = NULL
) INSERT INTO transcript_search (job_id, account_id, feed_url, created_at, words)
  SELECT id, account_id, feed_url, created_at,
    ${lexemesOf("$10")} FROM owner
  ON CONFLICT (job_id) DO UPDATE SET words = excluded.words`

const OF_JOB = keep(
  `SELECT id, account_id, feed_url, created_at FROM job WHERE id = $1 AND ${ofAccount("account_id", "$2")}`,
)

const OF_LEASE =
  keep(`SELECT j.id, j.account_id, j.feed_url, j.created_at FROM queue q JOIN job j ON j.id = q.id
  WHERE q.id = $1 AND q.lease_token = $2 FOR UPDATE OF q`)

const FIND_WORDS = `UPDATE transcript_search SET words = ${lexemesOf("$2")} WHERE job_id = $1`

// Slices are locked in one order before their transcripts, so that two who give some up do not wait for each other.
const LOCK_SLICES = `SELECT id FROM search_slice WHERE id IN (SELECT slice_id FROM search_member WHERE job_id = ANY ($1))
  ORDER BY id FOR UPDATE`
const LOCK_MEMBERS = "SELECT slice_id FROM search_member WHERE job_id = ANY ($1) ORDER BY job_id FOR UPDATE"
export const DROP_SLICES = "DELETE FROM search_slice WHERE id = ANY ($1)"

const DROP = `WITH content AS (DELETE FROM transcript WHERE job_id = ANY ($1)),
  edits AS (DELETE FROM transcript_edit WHERE job_id = ANY ($1)),
  extras AS (DELETE FROM transcript_extra WHERE job_id = ANY ($1)),
  member AS (DELETE FROM search_member WHERE job_id = ANY ($1)),
  found AS (DELETE FROM transcript_search WHERE job_id = ANY ($1))
  DELETE FROM result_cache WHERE job_id = ANY ($1)`

const valuesOf = (content: EncodedContent) => [
  content.language,
  content.text,
  content.segments,
  content.words,
  content.summary,
  content.chapters,
  content.translation,
  content.searchable,
]

/** Stores the content of a job that nobody else knows yet. */
export const keepContent = (
  run: Run,
  job: { readonly id: JobId; readonly account: string },
  content: EncodedContent,
) => run(OF_JOB, [job.id, job.account, ...valuesOf(content)])

/** Stores the content of a leased job, without a lock: that the lease is good is certain only when its job was locked in the same transaction. */
export const keepLeased = (run: Run, lease: Lease, content: EncodedContent) =>
  run(OF_LEASE, [lease.job, lease.token, ...valuesOf(content)])

/** A slice says what was said where: it goes when one of its transcripts changes or goes, and the others wait for another one. */
const giveUpSlices = Effect.fnUntraced(function* (run: Run, jobs: ReadonlyArray<JobId>) {
  yield* run(LOCK_SLICES, [jobs])
  const members = yield* run<{ readonly slice_id: number | null }>(LOCK_MEMBERS, [jobs])
  const slices = new Set(members.flatMap((member) => member.slice_id ?? []))
  if (slices.size > 0) yield* run(DROP_SLICES, [[...slices]])
})

/** What a search finds a transcript by from now on. */
export const findWords = (run: Run, job: { readonly id: JobId }, words: ReadonlyArray<string>) =>
  Effect.zipRight(giveUpSlices(run, [job.id]), run(FIND_WORDS, [job.id, words]))

export const dropContent = (run: Run, jobs: ReadonlyArray<JobId>) =>
  Effect.zipRight(giveUpSlices(run, jobs), run(DROP, [jobs]))
