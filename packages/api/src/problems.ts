/** The errors of the wire: which status each code has, and what a body of it looks like. */

import { PROBLEM_TITLES, Problem, type ProblemCode } from "@earmark/core/wire"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import { Schema, Struct } from "effect"

/** The status of each code. Codes never move to another one. */
export const PROBLEM_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  missing_source: 400,
  multiple_sources: 400,
  unknown_field: 400,
  idempotency_key_invalid: 400,
  unauthorized: 401,
  out_of_credits: 402,
  key_limit_reached: 402,
  feature_locked: 403,
  insufficient_scope: 403,
  sign_in_again: 403,
  signature_invalid: 403,
  not_found: 404,
  recording_not_kept: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  invalid_state: 409,
  revision_conflict: 409,
  idempotency_in_progress: 409,
  idempotency_answer_lost: 409,
  no_word_timing: 409,
  expired: 410,
  too_large: 413,
  unsupported_content_type: 415,
  range_not_satisfiable: 416,
  unresolvable_link: 422,
  source_not_supported: 422,
  feed_invalid: 422,
  episode_not_found: 422,
  invalid_edit: 422,
  media_ref_unknown: 422,
  unsupported_media: 422,
  media_too_long: 422,
  language_unsupported: 422,
  batch_too_large: 422,
  blocked_address: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  too_many_jobs: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Readonly<Record<ProblemCode, number>>

const extras = {
  out_of_credits: Struct.pick(Problem.fields, "balance", "needed", "topUpUrl"),
  key_limit_reached: Struct.pick(Problem.fields, "limit", "used", "needed", "resetsAt"),
  feature_locked: Struct.pick(Problem.fields, "feature", "upgrade"),
  revision_conflict: Struct.pick(Problem.fields, "revision"),
}

/** What the schema of a code is called. */
export const problemName = (code: ProblemCode): string =>
  `${code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Problem`

const hasExtras = (code: ProblemCode): code is keyof typeof extras => code in extras

const extrasOf = (code: ProblemCode) => (hasExtras(code) ? extras[code] : {})

const schemaOf = (code: ProblemCode) =>
  Schema.Struct({
    type: Schema.String,
    title: Schema.Literal(PROBLEM_TITLES[code]),
    status: Schema.Literal(PROBLEM_STATUS[code]),
    detail: Schema.String,
    code: Schema.Literal(code),
    ...Struct.pick(Problem.fields, "error", "requestId", "errors"),
    ...extrasOf(code),
  })
    .annotations(HttpApiSchema.annotations({ status: PROBLEM_STATUS[code] }))
    .pipe(HttpApiSchema.withEncoding({ kind: "Json", contentType: "application/problem+json" }))
    // Last: annotating a schema takes its name away.
    .annotations({ identifier: problemName(code), description: PROBLEM_TITLES[code] })

const known = new Map<ProblemCode, ReturnType<typeof schemaOf>>()

/** One and the same schema for each code: a document mentions it by name. */
const problem = (code: ProblemCode) => {
  const found = known.get(code) ?? schemaOf(code)
  known.set(code, found)
  return found
}

/** The bodies of these codes. */
export const problems = (...codes: ReadonlyArray<ProblemCode>) => Schema.Union(...codes.map(problem))
