import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { credits } from "./billing.js"
import { exports } from "./exports.js"
import { host } from "./host.js"
import { keys } from "./keys.js"
import { podcasts } from "./podcasts.js"
import { problems } from "./problems.js"
import { transcriptions } from "./transcriptions.js"
import { uploads } from "./uploads.js"
import { webhooks } from "./webhooks.js"

const API_VERSION = "1.0.0"

/** The whole wire as one definition: what is not in here is not there. */
export const EarmarkApi = HttpApi.make("earmark")
  .add(transcriptions)
  .add(exports)
  .add(podcasts)
  .add(uploads)
  .add(webhooks)
  .add(credits)
  .add(keys)
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
