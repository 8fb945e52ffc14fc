/** Problem codes that several operations share. */
import type { ProblemCode } from "../wire/problems.js"

/** What a feed can be refused for. */
export const FEED_PROBLEMS = [
  "missing_source",
  "unresolvable_link",
  "source_not_supported",
  "feed_invalid",
  "episode_not_found",
  "media_ref_unknown",
  "blocked_address",
] as const satisfies ReadonlyArray<ProblemCode>

/** What a link, a feed or a file can be refused for. */
export const SOURCE_PROBLEMS = [
  "unresolvable_link",
  "source_not_supported",
  "feed_invalid",
  "episode_not_found",
  "media_ref_unknown",
  "unsupported_media",
  "media_too_long",
  "language_unsupported",
  "blocked_address",
] as const satisfies ReadonlyArray<ProblemCode>

/** What an Idempotency-Key can be refused for. */
export const REPEAT_PROBLEMS = [
  "idempotency_key_invalid",
  "idempotency_in_progress",
  "idempotency_answer_lost",
  "idempotency_key_reused",
] as const satisfies ReadonlyArray<ProblemCode>

/** What any request with a body can be refused for. */
export const BODY_PROBLEMS = [
  "invalid_json",
  "too_large",
  "unsupported_content_type",
  "request_timeout",
] as const satisfies ReadonlyArray<ProblemCode>
