/** What becomes of a delivery after an attempt, and of its endpoint. */
import {
  afterAttempt,
  afterOutcome,
  type Circuit,
  type EndpointId,
  isFailingForGood,
  type NextStep,
} from "@earmark/core/jobs"
import type { AttemptOutcome, ClaimedDelivery } from "@earmark/service"
import { Effect } from "effect"
import type { Run } from "../database/Database.js"
import { json, storable } from "../database/json.js"
import { timeText, timeTextOrNull } from "../database/values.js"
import { cancelOpen } from "./endpoints.js"
import type { DeliveryRow, EndpointRow, Standing } from "./webhookRows.js"

export interface Rules {
  readonly backoff: ReadonlyArray<number>
  readonly random: number
  readonly retryAfter: number | null
}

type Result = Pick<AttemptOutcome, "status" | "error">

const isSuccess = ({ status }: Result): boolean => status !== null && status >= 200 && status < 300

interface LockedDelivery extends DeliveryRow {
  readonly moment: number
}

const LOG = `INSERT INTO webhook_attempt
  (delivery_id, number, trigger, started_at, duration_ms, status, error, request_headers, response_headers, response_body)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (delivery_id, number) DO`
const LOG_OUTCOME = `${LOG} UPDATE SET started_at = excluded.started_at, duration_ms = excluded.duration_ms,
  status = excluded.status, error = excluded.error, request_headers = excluded.request_headers,
  response_headers = excluded.response_headers, response_body = excluded.response_body`

const log = (run: Run, { delivery, trigger }: ClaimedDelivery, outcome: AttemptOutcome) =>
  run(LOG_OUTCOME, [
    delivery.id,
    delivery.attempts,
    trigger,
    timeText(outcome.startedAt),
    Math.round(outcome.durationMilliseconds),
    outcome.status,
    outcome.error,
    json(outcome.requestHeaders),
    json(outcome.responseHeaders),
    storable(outcome.responseBody),
  ])

const logUnknown = (run: Run, row: DeliveryRow, now: number) =>
  run(`${LOG} NOTHING`, [
    row.id,
    row.attempts,
    row.trigger,
    timeText(row.started_at ?? now),
    null,
    null,
    "unknown",
    "{}",
    null,
    null,
  ])

/** Where the delivery stands after a step of its schedule, or after an attempt that was asked for by hand. */
const standing = (row: DeliveryRow, step: NextStep): Standing => {
  if (step.type === "succeeded") return { state: "succeeded", nextAt: null }
  if (row.trigger !== "auto") return row.before ?? { state: "failed", nextAt: null }
  return step.type === "again" ? { state: "pending", nextAt: step.at } : { state: "failed", nextAt: null }
}

const settle = (run: Run, row: DeliveryRow, result: Result, rules: Rules, now: number) =>
  Effect.gen(function* () {
    const step = afterAttempt({
      attempt: row.scheduled,
      outcome: { status: result.status, timedOut: result.error === "timeout", retryAfter: rules.retryAfter },
      backoff: rules.backoff,
      random: rules.random,
      now,
    })
    const { state, nextAt } = standing(row, step)
    yield* run(
      `UPDATE webhook_delivery SET state = $2, next_at = $3, last_status = $4, lease_token = NULL, lease_until = NULL,
        trigger = 'auto', before = NULL WHERE id = $1`,
      [row.id, state, timeTextOrNull(nextAt), result.status],
    )
    return step
  })

/** A success that comes late: nothing is to be sent after it. */
const acceptLate = (run: Run, row: DeliveryRow, outcome: AttemptOutcome) =>
  isSuccess(outcome) && (row.state === "pending" || row.state === "delivering")
    ? run(
        `UPDATE webhook_delivery SET state = 'succeeded', next_at = NULL, last_status = $2, lease_token = NULL,
          lease_until = NULL WHERE id = $1`,
        [row.id, outcome.status],
      )
    : Effect.succeed([])

const isUntroubled = (circuit: Circuit): boolean => circuit.state === "closed" && circuit.failuresInRow === 0

const disable = (run: Run, id: EndpointId, reason: "gone" | "failing") =>
  run("UPDATE webhook_endpoint SET enabled = false, disabled_reason = $2 WHERE id = $1", [id, reason])

/** What an attempt tells about its endpoint. One that fails for good is switched off. */
const noteOutcome = (
  run: Run,
  id: EndpointId,
  attempt: { readonly succeeded: boolean; readonly eventId: string; readonly now: number },
  unitSeconds: number,
) =>
  Effect.gen(function* () {
    const [endpoint] = yield* run<EndpointRow>("SELECT * FROM webhook_endpoint WHERE id = $1 FOR UPDATE", [
      id,
    ])
    if (endpoint === undefined) return
    const circuit = afterOutcome(endpoint.circuit, attempt, unitSeconds)
    yield* run("UPDATE webhook_endpoint SET circuit = $2 WHERE id = $1", [id, json(circuit)])
    if (endpoint.enabled && isFailingForGood(circuit, attempt.now)) yield* disable(run, id, "failing")
  })

const LOCK = "SELECT *, earmark_now() AS moment FROM webhook_delivery WHERE id = $1 FOR UPDATE"

/** Writes an attempt and all that follows from it. False: the claim had run out. */
export const recordAttempt = (run: Run, claimed: ClaimedDelivery, outcome: AttemptOutcome, rules: Rules) =>
  Effect.gen(function* () {
    const [row] = yield* run<LockedDelivery>(LOCK, [claimed.delivery.id])
    if (row === undefined) return false
    yield* log(run, claimed, outcome)
    if (row.lease_token !== claimed.token || (row.lease_until ?? 0) <= row.moment) {
      yield* acceptLate(run, row, outcome)
      return false
    }
    const step = yield* settle(run, row, outcome, rules, row.moment)
    const succeeded = isSuccess(outcome)
    // An endpoint that works as before has nothing new to be written, and so no lock to wait for.
    if (!succeeded || !isUntroubled(claimed.endpoint.circuit)) {
      const attempt = { succeeded, eventId: row.event_id, now: row.moment }
      yield* noteOutcome(run, row.endpoint_id, attempt, rules.backoff[0] ?? 1)
    }
    if (step.type === "gone") {
      yield* cancelOpen(run, row.endpoint_id)
      yield* disable(run, row.endpoint_id, "gone")
    }
    return true
  })

const EXPIRED = `SELECT *, earmark_now() AS moment FROM webhook_delivery
WHERE state = 'delivering' AND lease_until <= earmark_now() ORDER BY lease_until LIMIT $1 FOR UPDATE SKIP LOCKED`

/** Attempts of senders that vanished: logged as unknown, and what is left of the schedule goes on. */
export const reapAttempts = (run: Run, limit: number, rules: Omit<Rules, "retryAfter">) =>
  Effect.gen(function* () {
    const expired = yield* run<LockedDelivery>(EXPIRED, [limit])
    for (const row of expired) {
      yield* logUnknown(run, row, row.moment)
      yield* settle(run, row, { status: null, error: "unknown" }, { ...rules, retryAfter: null }, row.moment)
    }
    return expired.length
  })
