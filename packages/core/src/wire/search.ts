import * as Schema from "effect/Schema"
import {
  Count,
  field,
  integer,
  integerText,
  optionalParameter,
  optionalParameterField,
  Seconds,
  SecondsText,
  sometimes,
  Timestamp,
  text,
} from "../jobs/fields.js"
import { JobId } from "../jobs/ids.js"
import { Source, SourceLabel } from "../jobs/Job.js"
import { CursorText } from "./lists.js"

const asked = {
  q: text(500),
  speaker: optionalParameter(text(100)),
  /** How many lines before and after a hit are shown. */
  context: Schema.optionalWith(integerText(0, 5), { default: () => 1 }),
  limit: Schema.optionalWith(integerText(1, 100), { default: () => 20 }),
  cursor: optionalParameter(CursorText),
}

/** The query of a search within one transcript. */
export const SearchQuery = Schema.Struct({
  ...asked,
  from: optionalParameter(SecondsText),
  to: optionalParameter(SecondsText),
})
export type SearchQuery = typeof SearchQuery.Type

/** The query of a search over all transcripts of an account. */
export const SearchAllQuery = Schema.Struct({
  ...asked,
  feed: optionalParameter(text(8192)),
  createdAfter: optionalParameterField("created_after", Timestamp),
  createdBefore: optionalParameterField("created_before", Timestamp),
})
export type SearchAllQuery = typeof SearchAllQuery.Type

const NearbyLine = Schema.Struct({
  start: Seconds,
  end: Seconds,
  speaker: Schema.NullOr(Schema.String),
  text: Schema.String,
})

/** A line with the words looked for. */
export const SearchHit = Schema.Struct({
  id: JobId,
  title: Schema.NullOr(Schema.String),
  source: sometimes(Source),
  sourceLabel: SourceLabel,
  ...NearbyLine.fields,
  /** When the first of the words is said. */
  at: Seconds,
  /** Character ranges of `text`, from and up to. */
  highlights: Schema.Array(Schema.Tuple(integer(0), integer(0))),
  before: Schema.Array(NearbyLine),
  after: Schema.Array(NearbyLine),
})
export type SearchHit = typeof SearchHit.Type

export const SearchAnswer = Schema.Struct({
  query: Schema.String,
  total: Count,
  /** False when there are more hits than `total`: only those of the first transcripts are counted. */
  totalIsExact: field("total_is_exact", Schema.Boolean),
  data: Schema.Array(SearchHit),
  hasMore: field("has_more", Schema.Boolean),
  nextCursor: field("next_cursor", Schema.NullOr(Schema.String)),
})
export type SearchAnswer = typeof SearchAnswer.Type
