import {
  AutoReload,
  CreatePurchase,
  CreateTranscription,
  Credits,
  PageQuery,
  Purchase,
  PutAutoReload,
  Quote,
  TranscribeFeed,
  Usage,
  UsageQuery,
} from "@earmark/core/jobs"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { ApiKeyRequired, about, ById, guarded, RepeatHeaders } from "./Access.js"
import { EntryPage, PurchasePage } from "./answers.js"
import { BODY_PROBLEMS, problems, REPEAT_PROBLEMS, SOURCE_PROBLEMS } from "./problems.js"

export const get = HttpApiEndpoint.get("get", "/api/v1/credits")
  .addSuccess(Credits)
  .annotateContext(
    guarded("billing:read", "read", {
      summary: "Get the credit balance",
      description: "One credit is one minute. `available` is `balance` less what running jobs hold.",
    }),
  )

export const entries = HttpApiEndpoint.get("entries", "/api/v1/credits/entries")
  .setUrlParams(PageQuery)
  .addSuccess(EntryPage)
  .annotateContext(
    guarded("billing:read", "read", {
      summary: "List the ledger",
      description: "The amounts of all entries sum to `balance`.",
    }),
  )

export const putAutoReload = HttpApiEndpoint.put("setAutoReload", "/api/v1/credits/auto-reload")
  .setPayload(PutAutoReload)
  .addSuccess(AutoReload)
  .addError(problems(...BODY_PROBLEMS, "invalid_state"))
  .annotateContext(
    guarded("billing:write", "read", {
      summary: "Set auto-reload",
      description:
        "Credits are bought when fewer than `threshold` are available, up to `monthly_cap`. Refused where nobody could be charged.",
    }),
  )

export const purchase = HttpApiEndpoint.post("purchase", "/api/v1/credits/purchases")
  .setHeaders(RepeatHeaders)
  .setPayload(CreatePurchase)
  .addSuccess(Purchase, { status: 201 })
  .addError(problems(...BODY_PROBLEMS, ...REPEAT_PROBLEMS))
  .annotateContext(
    guarded("billing:write", "create", {
      summary: "Buy credits",
      description:
        "A person pays at `checkout_url`, and the credits are there once the payment is. Null when nobody takes payments here: the operator confirms the purchase once it is paid.",
    }),
  )

export const purchases = HttpApiEndpoint.get("purchases", "/api/v1/credits/purchases")
  .setUrlParams(PageQuery)
  .addSuccess(PurchasePage)
  .annotateContext(
    guarded("billing:read", "read", {
      summary: "List purchases",
      description:
        "With how the payment of each stands. `checkout_url` is null here: it is told when a purchase is begun. Reloads are no purchases, see the ledger.",
    }),
  )

export const getPurchase = HttpApiEndpoint.get("getPurchase", "/api/v1/credits/purchases/:id")
  .setPath(ById)
  .addSuccess(Purchase)
  .addError(problems("not_found"))
  .annotateContext(
    guarded("billing:read", "read", {
      summary: "Get a purchase",
      description:
        "The credits are there when `state` is `succeeded`. `checkout_url` is null here: it is told when a purchase is begun.",
    }),
  )

export const quote = HttpApiEndpoint.post("quote", "/api/v1/quotes")
  .setPayload(Schema.Union(CreateTranscription, TranscribeFeed))
  .addSuccess(Quote)
  .addError(problems("missing_source", "multiple_sources", ...BODY_PROBLEMS, ...SOURCE_PROBLEMS))
  .annotateContext(
    guarded("transcriptions:read", "create", {
      summary: "Ask for a price",
      description:
        "The body of a transcription, or that of a whole feed. Free of charge. The length of a link or an upload is read from the beginning and the end of the file; `minutes` and `credits` are null where they do not tell it, and `unknown_because` says why.",
    }),
  )

export const usage = HttpApiEndpoint.get("usage", "/api/v1/usage")
  .setUrlParams(UsageQuery)
  .addSuccess(Usage)
  .annotateContext(
    guarded("billing:read", "read", {
      summary: "Get usage",
      description: "Of the last thirty days unless told otherwise.",
    }),
  )

/** Whose notice it is. */
const NoticePlace = Schema.Struct({
  provider: Schema.String.annotations({ description: "The payment provider, such as `stripe`." }),
})

export const notice = HttpApiEndpoint.post("notice", "/api/v1/payments/:provider/notices")
  .setPath(NoticePlace)
  .setPayload(HttpApiSchema.Uint8Array({ contentType: "application/json" }))
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(problems("signature_invalid", "not_found", "too_large", "request_timeout"))
  .annotateContext(
    about({
      summary: "Take a notice of a payment provider",
      description:
        "For the provider alone: its signature over the body is the key. A notice that comes twice, late or out of order changes nothing; one that could not be followed is answered 503, to be sent again.",
    }),
  )

/** What an account has, buys and spends. */
export const credits = HttpApiGroup.make("credits")
  .add(get.middleware(ApiKeyRequired))
  .add(entries.middleware(ApiKeyRequired))
  .add(putAutoReload.middleware(ApiKeyRequired))
  .add(purchase.middleware(ApiKeyRequired))
  .add(purchases.middleware(ApiKeyRequired))
  .add(getPurchase.middleware(ApiKeyRequired))
  .add(quote.middleware(ApiKeyRequired))
  .add(usage.middleware(ApiKeyRequired))
  .add(notice)
  .annotateContext(OpenApi.annotations({ description: "Credits, prices and usage." }))
