import { admit, isDeliveryOver } from "@earmark/core/jobs"
import { jobOfEvent } from "@earmark/core/wire"
import type { ClaimedDelivery, StoredDelivery } from "../ports/WebhookStore.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { DeliveryRow } from "./rows.js"

interface Asked {
  readonly want: number
  readonly perEndpoint: number
  readonly leaseSeconds: number
  readonly unitSeconds: number
}

export const shownDelivery = (row: DeliveryRow): StoredDelivery => ({
  id: row.id,
  endpoint: row.endpoint,
  eventId: row.eventId,
  eventType: row.eventType,
  state: row.state,
  attempts: row.attempts,
  nextAt: row.nextAt,
  lastStatus: row.lastStatus,
  createdAt: row.createdAt,
})

/** Due deliveries, each endpoint's oldest first, endpoints in turn, no more than may be under way at once. */
const inTurns = (db: Transaction, perEndpoint: number): Array<DeliveryRow> => {
  const places = new Map<string, number>()
  for (const { state, endpoint } of db.deliveries.values()) {
    if (state === "delivering") places.set(endpoint, (places.get(endpoint) ?? 0) + 1)
  }
  const turns: Array<{ readonly row: DeliveryRow; readonly turn: number; readonly dueAt: number }> = []
  const due = db.deliveries.filter(
    ({ state, nextAt }) => state === "pending" && nextAt !== null && nextAt <= db.now,
  )
  for (const row of due.sort((left, right) => (left.nextAt ?? 0) - (right.nextAt ?? 0))) {
    const turn = places.get(row.endpoint) ?? 0
    if (turn >= perEndpoint) continue
    places.set(row.endpoint, turn + 1)
    turns.push({ row, turn, dueAt: row.nextAt ?? 0 })
  }
  return turns.sort((left, right) => left.turn - right.turn || left.dueAt - right.dueAt).map(({ row }) => row)
}

const postpone = (db: Transaction, row: DeliveryRow, until: number): void => {
  db.deliveries.set(
    row.id,
    isDeliveryOver(row.createdAt, until)
      ? { ...row, state: "failed", nextAt: null }
      : { ...row, nextAt: until },
  )
}

/** Whether the endpoint lets the delivery go out now. An attempt asked for by hand always may. */
const isAdmitted = (db: Transaction, row: DeliveryRow, unitSeconds: number): boolean => {
  const endpoint = db.endpoints.get(row.endpoint)
  if (endpoint === undefined) return false
  if (row.trigger !== "auto") return true
  const admission = admit(endpoint.circuit, db.now, unitSeconds)
  if (admission.type === "postponed") {
    postpone(db, row, admission.until)
    return false
  }
  db.endpoints.set(endpoint.id, { ...endpoint, circuit: admission.circuit })
  return true
}

const take = (db: Transaction, row: DeliveryRow, leaseSeconds: number): ReadonlyArray<ClaimedDelivery> => {
  const token = `delivery-${db.nextNumber()}`
  const taken: DeliveryRow = {
    ...row,
    state: "delivering",
    attempts: row.attempts + 1,
    scheduled: row.scheduled + (row.trigger === "auto" ? 1 : 0),
    nextAt: null,
    token,
    leaseUntil: db.now + leaseSeconds * 1000,
    startedAt: db.now,
  }
  const endpoint = db.endpoints.get(row.endpoint)
  const event = db.events.get(row.eventId)
  if (endpoint === undefined || event === undefined) return []
  db.deliveries.set(row.id, taken)
  const trace = db.jobs.get(jobOfEvent(row.eventId))?.source.trace ?? null
  const { trigger } = row
  return [{ delivery: shownDelivery(taken), endpoint, token, trigger, body: event.body, trace }]
}

export const claimDeliveries = (db: Transaction, asked: Asked): ReadonlyArray<ClaimedDelivery> => {
  const claimed: Array<ClaimedDelivery> = []
  for (const row of inTurns(db, asked.perEndpoint)) {
    if (claimed.length >= asked.want) break
    if (isAdmitted(db, row, asked.unitSeconds)) claimed.push(...take(db, row, asked.leaseSeconds))
  }
  return claimed
}
