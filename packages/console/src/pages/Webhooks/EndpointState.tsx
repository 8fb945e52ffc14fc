import type { WebhookDelivery, WebhookEndpoint } from "@earmark/api/client"
import { building } from "../../words/building.js"

const text = building.webhooks

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

const KINDS = { pending: "warn", delivering: "live", succeeded: "good", failed: "bad", canceled: "" } as const

export const DeliveryState = ({ state }: Pick<WebhookDelivery, "state">) => (
  <span class={`badge ${KINDS[state]}`}>{text.states[state]}</span>
)
