import { DeliveryId, type EndedJob, endedEvent, eventBody } from "@earmark/core/jobs"
import type { StoredJob } from "../ports/records.js"
import type { StoredEndpoint } from "../ports/WebhookStore.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { DeliveryRow, EventRow } from "./rows.js"

/** A delivery that is due now. */
export const newDelivery = (
  db: Transaction,
  endpoint: StoredEndpoint,
  event: EventRow,
  made: Pick<DeliveryRow, "id" | "trigger">,
): DeliveryRow => ({
  ...made,
  account: endpoint.account,
  endpoint: endpoint.id,
  eventId: event.id,
  eventType: event.type,
  state: "pending",
  attempts: 0,
  nextAt: db.now,
  lastStatus: null,
  createdAt: db.now,
  scheduled: 0,
  token: null,
  leaseUntil: 0,
  startedAt: 0,
  before: null,
})

const endOf = ({ id, state }: StoredJob): EndedJob | null => {
  if (state.status === "queued") return null
  const failure = state.status === "failed" ? state.code : null
  return { id, run: state.run, failure, completedAt: state.completedAt }
}

/** The event of a job that ended just now, and a delivery of it to each endpoint that wants it. */
export const announce = (db: Transaction, job: StoredJob): void => {
  const ended = endOf(job)
  if (ended === null) return
  const event = endedEvent(ended, db.settings.baseUrl)
  if (db.events.has(event.id)) return
  const row: EventRow = { id: event.id, account: job.account, type: event.type, body: eventBody(event) }
  db.events.set(row.id, row)
  const wanting = db.endpoints.filter(
    (endpoint) =>
      endpoint.account === job.account &&
      endpoint.enabled &&
      endpoint.events.some((wanted) => wanted === row.type),
  )
  for (const endpoint of wanting) {
    const id = DeliveryId.make(db.newId("delivery"))
    db.deliveries.set(id, newDelivery(db, endpoint, row, { id, trigger: "auto" }))
    db.wake("deliveries")
  }
}
