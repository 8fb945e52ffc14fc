/** The errors that clients see, as RFC 9457 problems. Codes never change; hosts know which HTTP status each one has. */
import * as Schema from "effect/Schema"
import { field, sometimes } from "../jobs/fields.js"

export const ProblemCode = Schema.Literal(
  "invalid_json",
  "invalid_request",
  "missing_source",
  "multiple_sources",
  "unknown_field",
  "idempotency_key_invalid",
  "unauthorized",
  "out_of_credits",
  "feature_locked",
  "insufficient_scope",
  "sign_in_again",
  "signature_invalid",
  "not_found",
  "recording_not_kept",
  "method_not_allowed",
  "not_acceptable",
  "request_timeout",
  "unsupported_content_type",
  "invalid_state",
  "revision_conflict",
  "idempotency_in_progress",
  "idempotency_answer_lost",
  "no_word_timing",
  "expired",
  "range_not_satisfiable",
  "too_large",
  "unresolvable_link",
  "source_not_supported",
  "feed_invalid",
  "episode_not_found",
  "invalid_edit",
  "media_ref_unknown",
  "unsupported_media",
  "media_too_long",
  "language_unsupported",
  "batch_too_large",
  "blocked_address",
  "idempotency_key_reused",
  "rate_limited",
  "too_many_jobs",
  "headers_too_large",
  "internal_error",
  "unavailable",
)
export type ProblemCode = typeof ProblemCode.Type

/** The `title` of each problem: what the code means, the same every time. */
export const PROBLEM_TITLES: Readonly<Record<ProblemCode, string>> = {
  invalid_json: "The body is not JSON",
  invalid_request: "The request is not valid",
  missing_source: "The request names no source",
  multiple_sources: "The request names more than one source",
  unknown_field: "The request has a field that does not exist",
  idempotency_key_invalid: "The Idempotency-Key is not valid",
  unauthorized: "A valid API key is needed",
  out_of_credits: "The account has too few credits",
  feature_locked: "The feature is unlocked by any purchase",
  insufficient_scope: "The key may not do this",
  sign_in_again: "The sign-in is too old for this",
  signature_invalid: "The signature of the address is not valid",
  not_found: "There is nothing here",
  recording_not_kept: "The recording was not kept",
  method_not_allowed: "The method is not allowed here",
  not_acceptable: "None of the accepted content types can be given",
  request_timeout: "The request did not arrive in time",
  unsupported_content_type: "The content type of the body is not supported",
  invalid_state: "The state of the resource does not allow this",
  revision_conflict: "The transcript was corrected meanwhile",
  idempotency_in_progress: "A request with the same Idempotency-Key is still running",
  idempotency_answer_lost: "The answer to the first request cannot be read any more",
  no_word_timing: "The transcript has no times for single words",
  expired: "The resource is past its life",
  range_not_satisfiable: "The file ends before this range",
  too_large: "The body is too large",
  unresolvable_link: "The link cannot be resolved",
  source_not_supported: "The source is not supported",
  feed_invalid: "The feed cannot be read",
  episode_not_found: "The feed has no such episode",
  invalid_edit: "An operation does not fit the transcript",
  media_ref_unknown: "The media_ref is not known",
  unsupported_media: "The media cannot be decoded",
  media_too_long: "The media is longer than the plan allows",
  language_unsupported: "The language is not supported",
  batch_too_large: "The batch has too many episodes",
  blocked_address: "The address is not visited by this service",
  idempotency_key_reused: "The Idempotency-Key was used for another request",
  rate_limited: "Too many requests",
  too_many_jobs: "Too many jobs are waiting",
  headers_too_large: "The headers are too large",
  internal_error: "Something went wrong on our side",
  unavailable: "The service is unavailable for a moment",
}

/** One thing that is wrong with a request: where, as a JSON pointer (`#/speakers/max`), and what. */
export const RequestProblem = Schema.Struct({ pointer: Schema.String, detail: Schema.String })
export type RequestProblem = typeof RequestProblem.Type

/** The body of every answer that is an error. */
export const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.String,
  /** The same sentence as `detail`, for programs that look for it here. */
  error: sometimes(Schema.String),
  code: ProblemCode,
  requestId: field("request_id", Schema.String),
  errors: sometimes(Schema.Array(RequestProblem)),
  /** With `out_of_credits`. */
  balance: sometimes(Schema.Int),
  needed: sometimes(Schema.Int),
  topUpUrl: sometimes(Schema.String).pipe(Schema.fromKey("top_up_url")),
  /** With `feature_locked`. */
  feature: sometimes(Schema.Literal("diarize", "whole_feed", "word_level_export")),
  upgrade: sometimes(Schema.Literal(true)),
  /** With `revision_conflict`: the newest. */
  revision: sometimes(Schema.Int),
})
export type Problem = typeof Problem.Type
