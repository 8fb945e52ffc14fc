/** When a webhook is tried again, and when an endpoint is given a rest. Times in milliseconds, settings in seconds. */

/** Seconds between the six attempts. The first one is also the unit of all other times here. */
export const DEFAULT_BACKOFF: ReadonlyArray<number> = [5, 300, 1800, 7200, 18_000]

const LIFE = 72 * 3_600_000

const BUSY_UNITS = 12
const RETRY_AFTER_UNITS = 720
const JITTER = 0.2
const GONE = 410

/** What an attempt came to: an answer with its status, or none in time. */
export interface Outcome {
  /** Null when there was no answer. */
  readonly status: number | null
  /** Whether there was none because the time was up. */
  readonly timedOut: boolean
  /** What the receiver asked for, in seconds. */
  readonly retryAfter: number | null
}

export type NextStep =
  | { readonly type: "succeeded" }
  | { readonly type: "again"; readonly at: number }
  /** All attempts are spent. */
  | { readonly type: "failed" }
  /** The receiver said that it is gone for good: the endpoint is to be disabled. */
  | { readonly type: "gone" }

/**
 * What follows attempt number `attempt` (the first is 1) that ended at `now`. `random`, from 0 to 1, spreads the delay by a
 * fifth both ways. A receiver's `Retry-After` counts between the delay due and twice that delay, or 720 units if that is more.
 */
export const afterAttempt = (given: {
  readonly attempt: number
  readonly outcome: Outcome
  readonly backoff: ReadonlyArray<number>
  readonly random: number
  readonly now: number
}): NextStep => {
  const { status, timedOut, retryAfter } = given.outcome
  if (status !== null && status >= 200 && status < 300) return { type: "succeeded" }
  if (status === GONE) return { type: "gone" }
  const due = given.backoff[given.attempt - 1]
  if (due === undefined) return { type: "failed" }
  const unit = given.backoff[0] ?? due
  const spread = due * (1 - JITTER + 2 * JITTER * given.random)
  const isBusy = timedOut || status === 429 || status === 503
  const delay = isBusy ? Math.max(spread, BUSY_UNITS * unit) : spread
  const latest = Math.max(2 * delay, RETRY_AFTER_UNITS * unit)
  const chosen = Math.min(Math.max(delay, retryAfter ?? 0), latest)
  return { type: "again", at: given.now + Math.round(chosen * 1000) }
}

/** Whether a delivery was postponed for so long after its creation that it is given up, whatever attempts are left. */
export const isDeliveryOver = (createdAt: number, now: number): boolean => now - createdAt >= LIFE

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const HTTP_DATE = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/

const httpDate = (text: string): number | null => {
  const parts = HTTP_DATE.exec(text)
  const month = MONTHS.indexOf(parts?.[2] ?? "")
  if (parts === null || month < 0) return null
  const [day, , year, hour, minute, second] = parts.slice(1).map(Number)
  return Date.UTC(year ?? 0, month, day, hour, minute, second)
}

/** The seconds that a `Retry-After` header asks for, given as a number or as an HTTP date; null when it says neither. */
export const parseRetryAfter = (header: string, now: number): number | null => {
  const trimmed = header.trim()
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed)
  const moment = httpDate(trimmed)
  return moment === null ? null : Math.max(0, Math.ceil((moment - now) / 1000))
}
