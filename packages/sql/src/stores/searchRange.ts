import type { AccountId, JobId } from "@earmark/core/jobs"
import type { SearchFilter } from "@earmark/service"
import type { QueryResultRow } from "pg"
import { timeText } from "../database/values.js"
import { placeValues } from "./pages.js"

/** Where a search stands in the list of the transcripts of an account. */
export interface FoundRow extends QueryResultRow {
  readonly id: JobId
  readonly created_at: number
}

/** The rows of `transcript_search` that a search is over, by the first six values. */
export const IN_RANGE = `s.account_id = $1 AND ($2::text IS NULL OR s.feed_url = $2)
  AND ($3::timestamptz IS NULL OR s.created_at > $3) AND ($4::timestamptz IS NULL OR s.created_at < $4)
  AND ($5::timestamptz IS NULL OR (s.created_at, s.job_id) <= ($5, $6))`

export type RangeValues = readonly [
  account: AccountId,
  feed: string | null,
  after: string | null,
  before: string | null,
  from: string | null,
  fromId: string | null,
]

const timeOf = (time: number | undefined) => (time === undefined ? null : timeText(time))

export const rangeValues = (
  account: AccountId,
  { feed, createdAfter, createdBefore, from }: Omit<SearchFilter, "words" | "limit">,
): RangeValues => [
  account,
  feed ?? null,
  timeOf(createdAfter),
  timeOf(createdBefore),
  ...placeValues(from ?? null),
]
