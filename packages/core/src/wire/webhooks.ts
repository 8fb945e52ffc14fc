import * as Schema from "effect/Schema"
import {
  Count,
  field,
  integer,
  optional,
  optionalParameter,
  optionalParameterField,
  sometimes,
  Timestamp,
  text,
} from "../jobs/fields.js"
import { DeliveryId, EndpointId } from "../jobs/ids.js"
import { EventType, SubscribedEvent } from "./events.js"
import { paging, timeSpan } from "./lists.js"

/** `manual`: switched off by its owner. `failing`: nothing but failures for days. `gone`: it answered 410. */
export const DisabledReason = Schema.Literal("manual", "failing", "gone")
export type DisabledReason = typeof DisabledReason.Type

const LONGEST_URL = 2048

const isEndpointUrl = (candidate: string): boolean => {
  if (!/^https?:\/\//i.test(candidate) || !URL.canParse(candidate)) return false
  const url = new URL(candidate)
  if (url.href.length > LONGEST_URL) return false
  return url.username === "" && url.password === "" && url.hash === "" && !candidate.includes("#")
}

/** An address that deliveries can go to. Whether http and the host are allowed is for the use case to say. */
export const EndpointUrl = text(LONGEST_URL).pipe(
  Schema.filter(isEndpointUrl, {
    description: `an https address without user, password and fragment, of at most ${LONGEST_URL} characters`,
    arbitrary: () => (fc) => fc.webUrl({ validSchemes: ["https"] }),
  }),
)

const MOST_EVENTS = 10
const someEvents = { description: `a list of 1 to ${MOST_EVENTS} event types` }
const Events = Schema.NonEmptyArray(SubscribedEvent)
  .annotations(someEvents)
  .pipe(Schema.maxItems(MOST_EVENTS, someEvents))
const Description = text(500, 0)

export const CreateEndpoint = Schema.Struct({
  url: EndpointUrl,
  /** All kinds when left out. */
  events: optional(Events),
  description: optional(Description),
})
export type CreateEndpoint = typeof CreateEndpoint.Type

export const PatchEndpoint = Schema.Struct({
  url: optional(EndpointUrl),
  events: optional(Events),
  description: Schema.optionalWith(Schema.NullOr(Description), { exact: true }),
  enabled: optional(Schema.Boolean),
  previousSecretValidUntil: sometimes(
    Schema.Null.annotations({
      description: "null ends the secrets before the current one at once; no other value is taken",
    }),
  ).pipe(Schema.fromKey("previous_secret_valid_until")),
})
export type PatchEndpoint = typeof PatchEndpoint.Type

const ONE_WEEK = 7 * 86_400

/** How long the secret before stays good. 0 ends it at once. */
export const RotateSecret = Schema.Struct({
  graceSeconds: Schema.optionalWith(integer(0, ONE_WEEK), { default: () => 86_400, nullable: true }).pipe(
    Schema.fromKey("grace_seconds"),
  ),
})
export type RotateSecret = typeof RotateSecret.Type

const endpoint = {
  id: EndpointId,
  url: Schema.String,
  events: Schema.Array(SubscribedEvent),
  description: Schema.NullOr(Schema.String),
  enabled: Schema.Boolean,
  disabledReason: field("disabled_reason", Schema.NullOr(DisabledReason)),
  createdAt: field("created_at", Timestamp),
  previousSecretValidUntil: field("previous_secret_valid_until", Schema.NullOr(Timestamp)),
}

/** A registered endpoint. Its secret is in no list and no later answer. */
export const Endpoint = Schema.Struct(endpoint)
export type Endpoint = typeof Endpoint.Type

/** The endpoint with its secret, as registration and rotation show it, once. */
export const EndpointWithSecret = Schema.Struct({ ...endpoint, secret: Schema.String })
export type EndpointWithSecret = typeof EndpointWithSecret.Type

export const DeliveryState = Schema.Literal("pending", "delivering", "succeeded", "failed", "canceled")
export type DeliveryState = typeof DeliveryState.Type

/** Why an attempt failed. `unknown`: the process ended between sending and writing down the outcome. */
export const AttemptError = Schema.Literal(
  "timeout",
  "dns",
  "tls",
  "refused",
  "blocked_address",
  "redirect",
  "http_status",
  "unknown",
)
export type AttemptError = typeof AttemptError.Type

const Headers = Schema.Record({ key: Schema.String, value: Schema.String })

export const Attempt = Schema.Struct({
  number: integer(1),
  trigger: Schema.Literal("auto", "manual", "test"),
  startedAt: field("started_at", Timestamp),
  durationMs: field("duration_ms", Schema.NullOr(Count)),
  status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(AttemptError),
  /** With the signature cut. */
  requestHeaders: field("request_headers", Headers),
  responseHeaders: field("response_headers", Schema.NullOr(Headers)),
  /** The first 4 kB of the answer. */
  responseBody: field("response_body", Schema.NullOr(Schema.String)),
})
export type Attempt = typeof Attempt.Type

const delivery = {
  id: DeliveryId,
  endpointId: field("endpoint_id", EndpointId),
  eventId: field("event_id", Schema.String),
  eventType: field("event_type", EventType),
  state: DeliveryState,
  attempts: Count,
  nextAt: field("next_at", Schema.NullOr(Timestamp)),
  lastStatus: field("last_status", Schema.NullOr(Schema.Int)),
  createdAt: field("created_at", Timestamp),
}

/** An event on its way to one endpoint. */
export const Delivery = Schema.Struct(delivery)
export type Delivery = typeof Delivery.Type

/** A test event on its way to one endpoint, which may be switched off. */
export const TestDelivery = Schema.Struct({
  ...delivery,
  endpointEnabled: sometimes(Schema.Boolean).pipe(Schema.fromKey("endpoint_enabled")),
  note: sometimes(Schema.String),
})
export type TestDelivery = typeof TestDelivery.Type

/** A delivery with the body that is sent and everything that was tried. */
export const DeliveryWithAttempts = Schema.Struct({
  ...delivery,
  body: Schema.String,
  attemptLog: field("attempt_log", Schema.Array(Attempt)),
})
export type DeliveryWithAttempts = typeof DeliveryWithAttempts.Type

export const DeliveriesQuery = Schema.Struct({
  ...paging,
  ...timeSpan,
  status: optionalParameter(DeliveryState),
  eventType: optionalParameterField("event_type", EventType),
})
export type DeliveriesQuery = typeof DeliveriesQuery.Type
