import {
  CreateEndpoint,
  DeliveriesQuery,
  DeliveryWithAttempts,
  EndpointWithSecret,
  PageQuery,
  PatchEndpoint,
  RotateSecret,
  TestDelivery,
} from "@earmark/core/jobs"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { ApiKeyRequired, ById, guarded, RepeatHeaders } from "./Access.js"
import { WebhookDelivery, WebhookDeliveryPage, WebhookEndpoint, WebhookEndpointPage } from "./answers.js"
import { BODY_PROBLEMS, problems, REPEAT_PROBLEMS } from "./problems.js"

const HOOKS = "/api/v1/webhooks"

const unknown = problems("not_found")

const OfDelivery = Schema.Struct({
  ...ById.fields,
  delivery: Schema.String.annotations({ description: "The id of the delivery." }),
})

export const create = HttpApiEndpoint.post("create", HOOKS)
  .setHeaders(RepeatHeaders)
  .setPayload(CreateEndpoint)
  .addSuccess(EndpointWithSecret, { status: 201 })
  .addError(problems("blocked_address", ...BODY_PROBLEMS, ...REPEAT_PROBLEMS))
  .annotateContext(
    guarded("webhooks", "create", {
      summary: "Register a webhook endpoint",
      description:
        "`secret` signs the deliveries. It is shown here and when it is rotated, and nowhere else.",
    }),
  )

export const list = HttpApiEndpoint.get("list", HOOKS)
  .setUrlParams(PageQuery)
  .addSuccess(WebhookEndpointPage)
  .annotateContext(guarded("webhooks", "read", { summary: "List webhook endpoints" }))

export const get = HttpApiEndpoint.get("get", `${HOOKS}/:id`)
  .setPath(ById)
  .addSuccess(WebhookEndpoint)
  .addError(unknown)
  .annotateContext(guarded("webhooks", "read", { summary: "Get a webhook endpoint" }))

export const patch = HttpApiEndpoint.patch("update", `${HOOKS}/:id`)
  .setPath(ById)
  .setPayload(PatchEndpoint)
  .addSuccess(WebhookEndpoint)
  .addError(problems("not_found", "blocked_address", ...BODY_PROBLEMS))
  .annotateContext(
    guarded("webhooks", "read", {
      summary: "Change a webhook endpoint",
      description: "Enabling one again sends nothing by itself; what was missed can be redelivered.",
    }),
  )

export const remove = HttpApiEndpoint.del("delete", `${HOOKS}/:id`)
  .setPath(ById)
  .addSuccess(HttpApiSchema.NoContent)
  .addError(unknown)
  .annotateContext(guarded("webhooks", "read", { summary: "Delete a webhook endpoint" }))

export const rotateSecret = HttpApiEndpoint.post("rotateSecret", `${HOOKS}/:id/rotate-secret`)
  .setPath(ById)
  .setPayload(RotateSecret)
  .addSuccess(EndpointWithSecret)
  .addError(problems("not_found", "invalid_state", ...BODY_PROBLEMS))
  .annotateContext(
    guarded("webhooks", "read", {
      summary: "Rotate the secret of an endpoint",
      description: "During `grace_seconds` deliveries carry two signatures, that of the new secret first.",
    }),
  )

export const test = HttpApiEndpoint.post("test", `${HOOKS}/:id/test`)
  .setPath(ById)
  .addSuccess(TestDelivery, { status: 202 })
  .addError(unknown)
  .annotateContext(
    guarded("webhooks", "create", {
      summary: "Send a test event to an endpoint",
      description: "One attempt, also where the endpoint is disabled: then `note` says so.",
    }),
  )

export const deliveries = HttpApiEndpoint.get("deliveries", `${HOOKS}/:id/deliveries`)
  .setPath(ById)
  .setUrlParams(DeliveriesQuery)
  .addSuccess(WebhookDeliveryPage)
  .addError(unknown)
  .annotateContext(guarded("webhooks", "read", { summary: "List the deliveries to an endpoint" }))

export const delivery = HttpApiEndpoint.get("delivery", `${HOOKS}/:id/deliveries/:delivery`)
  .setPath(OfDelivery)
  .addSuccess(DeliveryWithAttempts)
  .addError(unknown)
  .annotateContext(guarded("webhooks", "read", { summary: "Get a delivery with everything that was tried" }))

export const redeliver = HttpApiEndpoint.post("redeliver", `${HOOKS}/:id/deliveries/:delivery/redeliver`)
  .setPath(OfDelivery)
  .addSuccess(WebhookDelivery, { status: 202 })
  .addError(unknown)
  .annotateContext(
    guarded("webhooks", "create", {
      summary: "Send a delivery once more",
      description: "In any state, one attempt.",
    }),
  )

/** Endpoints of an account, and what was sent to them. */
export const webhooks = HttpApiGroup.make("webhooks")
  .add(create)
  .add(list)
  .add(get)
  .add(patch)
  .add(remove)
  .add(rotateSecret)
  .add(test)
  .add(deliveries)
  .add(delivery)
  .add(redeliver)
  .middleware(ApiKeyRequired)
  .annotateContext(OpenApi.annotations({ description: "Endpoints of the account, and deliveries to them." }))
