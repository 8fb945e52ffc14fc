import type { StoredEndpoint } from "../ports/WebhookStore.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { DeliveryRow, EventRow } from "./rows.js"

/** A delivery that is due now. */
export const newDelivery = (
  db: Transaction,
  endpoint: Pick<StoredEndpoint, "id" | "account">,
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
