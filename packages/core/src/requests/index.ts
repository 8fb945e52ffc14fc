export { CursorInvalid, type CursorPosition, type CursorScope, makeCursor, openCursor } from "./cursors.js"
export {
  canonicalJson,
  fingerprint,
  IDEMPOTENCY_SECONDS,
  IdempotencyKey,
  IdempotencyKeyInvalid,
  parseIdempotencyKey,
} from "./idempotency.js"
export { hasTooManyJsonValues, MOST_JSON_VALUES } from "./jsonValues.js"
export {
  APP_REGISTRATIONS,
  FAILED_ATTEMPTS,
  parseRatePolicy,
  type RatePolicy,
  RatePolicyInvalid,
  type RateState,
  rateHeaders,
  SIGN_INS,
  type Taken,
  take,
} from "./rateLimit.js"
