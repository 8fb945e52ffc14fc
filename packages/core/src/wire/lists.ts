import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import {
  Count,
  field,
  integerText,
  LanguageCode,
  optionalParameter,
  optionalParameterField,
  Timestamp,
  text,
} from "../jobs/fields.js"
import { JobStatus, Phase } from "../jobs/states.js"
import { decodeRequest, type RequestInvalid } from "./decodeRequest.js"

/** A cursor as it comes back from a client; `requests` opens it. */
export const CursorText = text(1024)

export const Order = Schema.Literal("desc", "asc")
export type Order = typeof Order.Type

const withDefault = <Type, Encoded>(schema: Schema.Schema<Type, Encoded>, value: Type) =>
  Schema.optionalWith(schema, { default: () => value })

/** The paging that every list takes: `limit`, `cursor` and `order`. */
export const paging = {
  limit: withDefault(integerText(1, 100), 20),
  cursor: optionalParameter(CursorText),
  order: withDefault(Order, "desc"),
}

/** From a moment on, and before another: what lists of things that happened can be narrowed to. */
export const timeSpan = {
  from: optionalParameter(Timestamp),
  to: optionalParameter(Timestamp),
}

export const PageQuery = Schema.Struct(paging)
export type PageQuery = typeof PageQuery.Type

/** The query of `GET /transcriptions`. */
export const ListQuery = Schema.Struct({
  ...paging,
  status: optionalParameter(JobStatus),
  phase: optionalParameter(Phase),
  language: optionalParameter(LanguageCode),
  batchId: optionalParameterField("batch_id", text(64)),
  feed: optionalParameter(text(8192)),
  createdAfter: optionalParameterField("created_after", Timestamp),
  createdBefore: optionalParameterField("created_before", Timestamp),
  q: optionalParameter(text(200)),
  /** Values of metadata that a job must have, from `metadata[name]=value`. */
  metadata: optionalParameter(Schema.Record({ key: Schema.String, value: text(500, 0) })),
})
export type ListQuery = typeof ListQuery.Type

const decodeFlat = decodeRequest(ListQuery)

const METADATA_NAME = /^metadata\[([^[\]]{1,100})\]$/

/** The query of a list. Parameters `metadata[name]` are gathered into one field. */
export const decodeListQuery = (parameters: unknown): Either.Either<ListQuery, RequestInvalid> => {
  const metadata: Array<readonly [string, unknown]> = []
  const others: Array<readonly [string, unknown]> = []
  for (const [name, value] of Object.entries(parameters ?? {})) {
    const key = METADATA_NAME.exec(name)?.[1]
    if (key === undefined) others.push([name, value])
    else metadata.push([key, value])
  }
  if (metadata.length === 0) return decodeFlat(parameters)
  return decodeFlat({ ...Object.fromEntries(others), metadata: Object.fromEntries(metadata) })
}

/** The envelope of every list but the two that the contract shapes itself (episodes, batches). */
export const listOf = <Type, Encoded>(item: Schema.Schema<Type, Encoded>) =>
  Schema.Struct({
    data: Schema.Array(item),
    hasMore: field("has_more", Schema.Boolean),
    nextCursor: field("next_cursor", Schema.NullOr(Schema.String)),
  })

/** How many jobs stand how. */
export const counts = { queued: Count, done: Count, failed: Count }

/** The answer of `GET /counts`: how many jobs of each status the account has, counted up to `MOST_COUNTED`. */
export const JobCounts = Schema.Struct(counts)
export type JobCounts = typeof JobCounts.Type

export const MOST_COUNTED = 10_000
