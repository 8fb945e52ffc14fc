import {
  CreateEndpoint,
  DeliveriesQuery,
  DeliveryWithAttempts,
  EndpointWithSecret,
  PageQuery,
  PatchEndpoint,
  RotateSecret,
  TestDelivery,
} from "../wire/index.js"
import { WebhookDelivery, WebhookDeliveryPage, WebhookEndpoint, WebhookEndpointPage } from "./answers.js"
import { operation } from "./Operation.js"
import { BODY_PROBLEMS, REPEAT_PROBLEMS } from "./refusals.js"

export const webhooks = {
  "webhooks.create": operation({
    method: "POST",
    path: "/api/v1/webhooks",
    scope: "webhooks",
    rate: "create",
    needsFreshSignIn: true,
    summary: "Register a webhook endpoint",
    description: "`secret` signs the deliveries. It is shown here and when it is rotated, and nowhere else.",
    isRepeatable: true,
    location: "/api/v1/webhooks/{id}",
    body: CreateEndpoint,
    answers: { 201: EndpointWithSecret },
    problems: ["blocked_address", ...BODY_PROBLEMS, ...REPEAT_PROBLEMS],
  }),

  "webhooks.list": operation({
    method: "GET",
    path: "/api/v1/webhooks",
    scope: "webhooks",
    rate: "read",
    summary: "List webhook endpoints",
    query: PageQuery,
    answers: { 200: WebhookEndpointPage },
  }),

  "webhooks.get": operation({
    method: "GET",
    path: "/api/v1/webhooks/:id",
    scope: "webhooks",
    rate: "read",
    summary: "Get a webhook endpoint",
    answers: { 200: WebhookEndpoint },
    problems: ["not_found"],
  }),

  "webhooks.update": operation({
    method: "PATCH",
    path: "/api/v1/webhooks/:id",
    scope: "webhooks",
    rate: "read",
    summary: "Change a webhook endpoint",
    description:
      "Enabling one again sends nothing by itself; what was missed can be redelivered. `previous_secret_valid_until: null` ends the secrets before the current one.",
    body: PatchEndpoint,
    answers: { 200: WebhookEndpoint },
    problems: ["not_found", "blocked_address", ...BODY_PROBLEMS],
  }),

  "webhooks.delete": operation({
    method: "DELETE",
    path: "/api/v1/webhooks/:id",
    scope: "webhooks",
    rate: "read",
    summary: "Delete a webhook endpoint",
    answers: { 204: null },
    problems: ["not_found"],
  }),

  "webhooks.rotateSecret": operation({
    method: "POST",
    path: "/api/v1/webhooks/:id/rotate-secret",
    scope: "webhooks",
    rate: "read",
    needsFreshSignIn: true,
    summary: "Rotate the secret of an endpoint",
    description:
      "During `grace_seconds` deliveries carry a signature by each valid secret, that of the new one first: two, or three after two rotations. `previous_secret_valid_until` says when that ends.",
    body: RotateSecret,
    hasOptionalBody: true,
    answers: { 200: EndpointWithSecret },
    problems: ["not_found", "invalid_state", ...BODY_PROBLEMS],
  }),

  "webhooks.test": operation({
    method: "POST",
    path: "/api/v1/webhooks/:id/test",
    scope: "webhooks",
    rate: "create",
    summary: "Send a test event to an endpoint",
    description: "One attempt, also where the endpoint is disabled: then `note` says so.",
    location: "/api/v1/webhooks/:id/deliveries/{id}",
    answers: { 202: TestDelivery },
    problems: ["not_found"],
  }),

  "webhooks.deliveries": operation({
    method: "GET",
    path: "/api/v1/webhooks/:id/deliveries",
    scope: "webhooks",
    rate: "read",
    summary: "List the deliveries to an endpoint",
    query: DeliveriesQuery,
    answers: { 200: WebhookDeliveryPage },
    problems: ["not_found"],
  }),

  "webhooks.delivery": operation({
    method: "GET",
    path: "/api/v1/webhooks/:id/deliveries/:delivery",
    scope: "webhooks",
    rate: "read",
    summary: "Get a delivery with everything that was tried",
    answers: { 200: DeliveryWithAttempts },
    problems: ["not_found"],
  }),

  "webhooks.redeliver": operation({
    method: "POST",
    path: "/api/v1/webhooks/:id/deliveries/:delivery/redeliver",
    scope: "webhooks",
    rate: "create",
    summary: "Send a delivery once more",
    description: "In any state, one attempt.",
    location: "/api/v1/webhooks/:id/deliveries/{id}",
    answers: { 202: WebhookDelivery },
    problems: ["not_found"],
  }),
} as const
