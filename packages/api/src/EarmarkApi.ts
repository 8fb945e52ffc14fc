import { type OperationGroup, type OperationId, operations } from "@earmark/core/operations"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Struct } from "effect"
import { endpointOf } from "./endpointOf.js"
import { healthz, openExport, openMedia, putUpload, readyz, takeNotice } from "./keyless.js"
import { loosely } from "./loosely.js"
import { problems } from "./problems.js"

const API_VERSION = "1.0.0"

const isIn = (group: string) => (id: OperationId) => id.startsWith(`${group}.`)

const groupOf = (group: OperationGroup, description: string) =>
  Struct.keys(operations)
    .filter(isIn(group))
    .reduce((all, id) => all.add(endpointOf(id)), loosely(HttpApiGroup.make(group)))
    .annotateContext(OpenApi.annotations({ description }))

const exports = HttpApiGroup.make("exports")
  .add(openExport)
  .add(openMedia)
  .annotateContext(OpenApi.annotations({ description: "Links to exports and recordings." }))

const host = HttpApiGroup.make("host")
  .add(healthz)
  .add(readyz)
  .annotateContext(OpenApi.annotations({ description: "For load balancers and tools." }))

/** The whole wire as `HttpApi` declares it, made of the table of operations. */
export const EarmarkApi = HttpApi.make("earmark")
  .add(groupOf("transcriptions", "Jobs: created, read, exported and searched."))
  .add(exports)
  .add(groupOf("podcasts", "Feeds, and batches of their episodes."))
  .add(groupOf("uploads", "Direct uploads: a handshake, then the bytes.").add(putUpload))
  .add(groupOf("webhooks", "Endpoints of the account, and deliveries to them."))
  .add(groupOf("credits", "Credits, prices and usage.").add(takeNotice))
  .add(groupOf("keys", "API keys of the account."))
  .add(groupOf("grants", "Apps that people let in to act for the account."))
  .add(groupOf("account", "Who calls, and what can be had here."))
  .add(host)
  .addError(
    problems(
      "invalid_request",
      "unknown_field",
      "not_acceptable",
      "headers_too_large",
      "internal_error",
      "unavailable",
    ),
  )
  .annotateContext(
    OpenApi.annotations({
      title: "Earmark",
      version: API_VERSION,
      summary: "Audio, video and podcasts to text.",
      description:
        "Jobs are asynchronous: create one, then read it until its `status` is `done` or `failed`, or let a webhook tell you. Every error is an RFC 9457 problem with a stable `code`; its type is `application/json` where that is accepted and `application/problem+json` is not. Fields that do not exist are refused, so that a mistyped option never costs money silently.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    }),
  )
