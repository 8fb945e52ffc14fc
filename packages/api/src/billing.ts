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
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { ApiKeyRequired, guarded, RepeatHeaders } from "./Access.js"
import { EntryPage } from "./answers.js"
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
  .addError(problems(...BODY_PROBLEMS))
  .annotateContext(
    guarded("billing:write", "read", {
      summary: "Set auto-reload",
      description: "Credits are bought when fewer than `threshold` are available, up to `monthly_cap`.",
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
      description: "A person pays at `checkout_url`; null when the operator grants the credits.",
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
        "The body of a transcription, or that of a whole feed. Free of charge; null where no length is known beforehand.",
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

/** What an account has, buys and spends. */
export const credits = HttpApiGroup.make("credits")
  .add(get)
  .add(entries)
  .add(putAutoReload)
  .add(purchase)
  .add(quote)
  .add(usage)
  .middleware(ApiKeyRequired)
  .annotateContext(OpenApi.annotations({ description: "Credits, prices and usage." }))
