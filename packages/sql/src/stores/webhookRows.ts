import type { AccountId, Circuit, DeliveryId, EndpointId } from "@earmark/core/jobs"
import type {
  Attempt,
  AttemptError,
  DeliveryState,
  DisabledReason,
  EventType,
  SubscribedEvent,
} from "@earmark/core/wire"
import type { ClaimedDelivery, SealedSecret, StoredDelivery, StoredEndpoint } from "@earmark/service"
import { DateTime } from "effect"
import type { QueryResultRow } from "pg"

export interface EndpointRow extends QueryResultRow {
  readonly id: EndpointId
  readonly account_id: AccountId
  readonly url: string
  readonly description: string | null
  readonly events: ReadonlyArray<SubscribedEvent>
  readonly enabled: boolean
  readonly disabled_reason: DisabledReason | null
  readonly secrets: ReadonlyArray<SealedSecret>
  readonly circuit: Circuit
  readonly created_at: number
}

export interface DeliveryRow extends QueryResultRow {
  readonly id: DeliveryId
  readonly event_id: string
  readonly endpoint_id: EndpointId
  readonly account_id: AccountId
  readonly event_type: EventType
  readonly state: DeliveryState
  readonly trigger: ClaimedDelivery["trigger"]
  readonly attempts: number
  readonly scheduled: number
  readonly before: Standing | null
  readonly started_at: number | null
  readonly next_at: number | null
  readonly lease_token: string | null
  readonly lease_until: number | null
  readonly last_status: number | null
  readonly created_at: number
}

export interface AttemptRow extends QueryResultRow {
  readonly number: number
  readonly trigger: Attempt["trigger"]
  readonly started_at: number
  readonly duration_ms: number | null
  readonly status: number | null
  readonly error: AttemptError | null
  readonly request_headers: Readonly<Record<string, string>>
  readonly response_headers: Readonly<Record<string, string>> | null
  readonly response_body: string | null
}

/** Where a delivery stands between attempts. */
export interface Standing {
  readonly state: DeliveryState
  readonly nextAt: number | null
}

export const endpointOf = (row: EndpointRow): StoredEndpoint => ({
  id: row.id,
  account: row.account_id,
  url: row.url,
  description: row.description,
  events: row.events,
  enabled: row.enabled,
  disabledReason: row.disabled_reason,
  secrets: row.secrets,
  circuit: row.circuit,
  createdAt: row.created_at,
})

export const deliveryOf = (row: DeliveryRow): StoredDelivery => ({
  id: row.id,
  endpoint: row.endpoint_id,
  eventId: row.event_id,
  eventType: row.event_type,
  state: row.state,
  attempts: row.attempts,
  nextAt: row.next_at,
  lastStatus: row.last_status,
  createdAt: row.created_at,
})

export const attemptOf = (row: AttemptRow): Attempt => ({
  number: row.number,
  trigger: row.trigger,
  startedAt: DateTime.unsafeMake(row.started_at),
  durationMs: row.duration_ms,
  status: row.status,
  error: row.error,
  requestHeaders: row.request_headers,
  responseHeaders: row.response_headers,
  responseBody: row.response_body,
})
