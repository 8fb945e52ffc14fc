/** Whether a call is tried again, and when. */
import { AnswerError, ConnectionError, ProblemError, TimeoutError } from "./errors.js"

const FIRST_PAUSE = 500
const LONGEST_PAUSE = 8000
/** Who is told to come back later than this is told so, and not made to wait. */
const LONGEST_RETRY_AFTER = 60

/** What proxies answer for a service that is away for a moment. */
const AWAY: ReadonlyArray<number> = [502, 503, 504]

/**
 * Whether the same request can do better in a moment. `isSafe`: sending it twice does what sending it once does.
 * A request over a limit (429) was not begun, so that trying it again is always safe.
 */
export const canRetry = (error: unknown, isSafe: boolean): boolean => {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return isSafe
  if (!(error instanceof ProblemError) && !(error instanceof AnswerError)) return false
  if ((error.retryAfterSeconds ?? 0) > LONGEST_RETRY_AFTER) return false
  if (error.status === 429) return true
  return isSafe && (AWAY.includes(error.status) || error.code === "idempotency_in_progress")
}

/** How long to wait before try number `attempt` + 2, in milliseconds; as long as the service asks for, at least. */
export const pauseBefore = (error: unknown, attempt: number, random: number): number => {
  const asked =
    error instanceof ProblemError || error instanceof AnswerError ? error.retryAfterSeconds : undefined
  const backoff = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt)
  // Many clients that were refused together must not come back together.
  return asked === undefined ? backoff * (0.5 + random / 2) : asked * 1000 + random * FIRST_PAUSE
}
