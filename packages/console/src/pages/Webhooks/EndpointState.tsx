import type { WebhookDelivery, WebhookEndpoint } from "@earmark/api/client"
import { agoOf } from "../../format.js"
import { building } from "../../words/building.js"

const text = building.webhooks

/** Milliseconds before endpoints and deliveries are asked for again: events of the account do not tell of them. */
export const FOLLOWING = 3000

/** Whether events are sent, and why not. */
export const EndpointState = ({
  of,
}: {
  readonly of: Pick<WebhookEndpoint, "enabled" | "disabled_reason">
}) =>
  of.enabled ? (
    <span class="badge good">{text.enabled}</span>
  ) : (
    <span class="badge bad">{text.disabled[of.disabled_reason ?? "manual"]}</span>
  )

const MINUTE = 60_000

/** When a delivery is tried again. */
export const nextTryOf = (time: string): string =>
  new Date(time).getTime() - Date.now() < MINUTE ? text.soon : agoOf(time)

const KINDS = { pending: "warn", delivering: "live", succeeded: "good", failed: "bad", canceled: "" } as const

export const DeliveryState = ({ state }: Pick<WebhookDelivery, "state">) => (
  <span class={`badge ${KINDS[state]}`}>{text.states[state]}</span>
)
