/** What becomes of a delivery after an attempt. */
import { afterAttempt, type NextStep } from "@earmark/core/jobs"
import { DateTime } from "effect"
import type { AttemptOutcome, ClaimedDelivery } from "../ports/WebhookStore.js"
import { disable, noteOutcome } from "./endpoints.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { DeliveryRow } from "./rows.js"

interface Rules {
  readonly backoff: ReadonlyArray<number>
  readonly random: number
  readonly retryAfter: number | null
}

type Result = Pick<AttemptOutcome, "status" | "error">

const isSuccess = ({ status }: Result): boolean => status !== null && status >= 200 && status < 300

const attemptKey = (delivery: string, number: number): string => `${delivery} ${number}`

const log = (db: Transaction, { delivery, trigger }: ClaimedDelivery, outcome: AttemptOutcome): void => {
  db.attempts.set(attemptKey(delivery.id, delivery.attempts), {
    delivery: delivery.id,
    startedAt: outcome.startedAt,
    attempt: {
      number: delivery.attempts,
      trigger,
      startedAt: DateTime.unsafeMake(outcome.startedAt),
      durationMs: outcome.durationMilliseconds,
      status: outcome.status,
      error: outcome.error,
      requestHeaders: outcome.requestHeaders,
      responseHeaders: outcome.responseHeaders,
      responseBody: outcome.responseBody,
    },
  })
}

const stepOf = (db: Transaction, row: DeliveryRow, result: Result, rules: Rules): NextStep =>
  afterAttempt({
    attempt: row.scheduled,
    outcome: { status: result.status, timedOut: result.error === "timeout", retryAfter: rules.retryAfter },
    backoff: rules.backoff,
    random: rules.random,
    now: db.now,
  })

/** Where the delivery stands after a step of its schedule, or after an attempt that was asked for by hand. */
const standing = (row: DeliveryRow, step: NextStep): Pick<DeliveryRow, "state" | "nextAt"> => {
  if (step.type === "succeeded") return { state: "succeeded", nextAt: null }
  if (row.trigger !== "auto") return row.before ?? { state: "failed", nextAt: null }
  return step.type === "again" ? { state: "pending", nextAt: step.at } : { state: "failed", nextAt: null }
}

const settle = (db: Transaction, row: DeliveryRow, result: Result, rules: Rules): NextStep => {
  const step = stepOf(db, row, result, rules)
  db.deliveries.set(row.id, {
    ...row,
    ...standing(row, step),
    lastStatus: result.status,
    token: null,
    trigger: "auto",
    before: null,
  })
  return step
}

/** A success that comes late: nothing is to be sent after it. */
const acceptLate = (db: Transaction, row: DeliveryRow, outcome: AttemptOutcome): void => {
  if (isSuccess(outcome) && (row.state === "pending" || row.state === "delivering")) {
    const { status } = outcome
    db.deliveries.set(row.id, { ...row, state: "succeeded", nextAt: null, lastStatus: status, token: null })
  }
}

export const recordAttempt = (
  db: Transaction,
  claimed: ClaimedDelivery,
  outcome: AttemptOutcome,
  rules: Rules,
): boolean => {
  const row = db.deliveries.get(claimed.delivery.id)
  if (row === undefined) return false
  log(db, claimed, outcome)
  if (row.token !== claimed.token || row.leaseUntil <= db.now) {
    acceptLate(db, row, outcome)
    return false
  }
  const step = settle(db, row, outcome, rules)
  const attempt = { succeeded: isSuccess(outcome), eventId: row.eventId }
  noteOutcome(db, row.endpoint, attempt, rules.backoff[0] ?? 1)
  const endpoint = db.endpoints.get(row.endpoint)
  if (step.type === "gone" && endpoint !== undefined) disable(db, endpoint, "gone")
  return true
}

export const releaseDelivery = (db: Transaction, { delivery, token }: ClaimedDelivery): void => {
  const row = db.deliveries.get(delivery.id)
  if (row?.token !== token) return
  db.deliveries.set(row.id, {
    ...row,
    state: "pending",
    attempts: row.attempts - 1,
    scheduled: row.scheduled - (row.trigger === "auto" ? 1 : 0),
    nextAt: db.now,
    token: null,
  })
  db.wake("deliveries")
}

const logUnknown = (db: Transaction, row: DeliveryRow): void => {
  const key = attemptKey(row.id, row.attempts)
  if (db.attempts.has(key)) return
  db.attempts.set(key, {
    delivery: row.id,
    startedAt: row.startedAt,
    attempt: {
      number: row.attempts,
      trigger: row.trigger,
      startedAt: DateTime.unsafeMake(row.startedAt),
      durationMs: null,
      status: null,
      error: "unknown",
      requestHeaders: {},
      responseHeaders: null,
      responseBody: null,
    },
  })
}

export const reapDeliveries = (db: Transaction, limit: number, rules: Omit<Rules, "retryAfter">): number => {
  const expired = db.deliveries
    .filter(({ state, leaseUntil }) => state === "delivering" && leaseUntil <= db.now)
    .slice(0, limit)
  for (const row of expired) {
    logUnknown(db, row)
    settle(db, row, { status: null, error: "unknown" }, { ...rules, retryAfter: null })
  }
  return expired.length
}
