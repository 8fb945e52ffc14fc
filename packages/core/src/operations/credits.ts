import * as Schema from "effect/Schema"
import {
  AutoReload,
  CreatePurchase,
  CreateTranscription,
  Credits,
  decodeQuote,
  EntriesQuery,
  PageQuery,
  Purchase,
  PutAutoReload,
  Quote,
  TranscribeFeed,
  Usage,
  UsageQuery,
} from "../wire/index.js"
import { EntryPage, PurchasePage } from "./answers.js"
import { operation } from "./Operation.js"
import { BODY_PROBLEMS, REPEAT_PROBLEMS, SOURCE_PROBLEMS } from "./refusals.js"

export const credits = {
  "credits.get": operation({
    method: "GET",
    path: "/api/v1/credits",
    scope: "billing:read",
    rate: "read",
    summary: "Get the credit balance",
    description: "One credit is one minute. `available` is `balance` less what running jobs hold.",
    answers: { 200: Credits },
  }),

  "credits.entries": operation({
    method: "GET",
    path: "/api/v1/credits/entries",
    scope: "billing:read",
    rate: "read",
    summary: "List the ledger",
    description: "The amounts of all entries sum to `balance`.",
    query: EntriesQuery,
    isCompressed: true,
    answers: { 200: EntryPage },
  }),

  "credits.setAutoReload": operation({
    method: "PUT",
    path: "/api/v1/credits/auto-reload",
    scope: "billing:write",
    rate: "read",
    needsFreshSignIn: true,
    summary: "Set auto-reload",
    description:
      "Credits are bought when fewer than `threshold` are available, up to `monthly_cap`. Refused when there is no way to charge the account.",
    body: PutAutoReload,
    answers: { 200: AutoReload },
    problems: [...BODY_PROBLEMS, "invalid_state"],
  }),

  "credits.purchase": operation({
    method: "POST",
    path: "/api/v1/credits/purchases",
    scope: "billing:write",
    rate: "create",
    needsFreshSignIn: true,
    summary: "Buy credits",
    description:
      "A person pays at `checkout_url`, and the credits are there once the payment is. It is null on a server that takes no payments itself: its operator confirms the purchase after payment. A server with billing turned off refuses with `invalid_state`.",
    isRepeatable: true,
    location: "/api/v1/credits/purchases/{id}",
    body: CreatePurchase,
    answers: { 201: Purchase },
    problems: ["invalid_state", ...BODY_PROBLEMS, ...REPEAT_PROBLEMS],
  }),

  "credits.purchases": operation({
    method: "GET",
    path: "/api/v1/credits/purchases",
    scope: "billing:read",
    rate: "read",
    summary: "List purchases",
    description:
      "With how the payment of each stands. `checkout_url` is null here: it is told when a purchase is begun. Reloads are no purchases, see the ledger.",
    query: PageQuery,
    answers: { 200: PurchasePage },
  }),

  "credits.getPurchase": operation({
    method: "GET",
    path: "/api/v1/credits/purchases/:id",
    scope: "billing:read",
    rate: "read",
    summary: "Get a purchase",
    description:
      "The credits are there when `state` is `succeeded`. `checkout_url` is null here: it is told when a purchase is begun.",
    answers: { 200: Purchase },
    problems: ["not_found"],
  }),

  "credits.cancelPurchase": operation({
    method: "POST",
    path: "/api/v1/credits/purchases/:id/cancel",
    scope: "billing:write",
    rate: "read",
    summary: "Cancel a purchase",
    description:
      "Only a purchase that the operator confirms, until it is paid: its state is then `canceled`, and it cannot be confirmed any more. A repeat gets the same answer.",
    answers: { 200: Purchase },
    problems: ["not_found", "invalid_state"],
  }),

  "credits.quote": operation({
    method: "POST",
    path: "/api/v1/quotes",
    scope: "transcriptions:read",
    rate: "create",
    summary: "Ask for a price",
    description:
      "The body of a transcription, or that of a whole feed. Free of charge. The length of a link or an upload is read from the beginning and the end of the file; `minutes` and `credits` are null where they do not tell it, and `unknown_because` says why.",
    body: Schema.Union(CreateTranscription, TranscribeFeed),
    reads: decodeQuote,
    answers: { 200: Quote },
    problems: ["missing_source", "multiple_sources", ...BODY_PROBLEMS, ...SOURCE_PROBLEMS],
  }),

  "credits.usage": operation({
    method: "GET",
    path: "/api/v1/usage",
    scope: "billing:read",
    rate: "read",
    summary: "Get usage",
    description: "Of the last thirty days unless told otherwise.",
    query: UsageQuery,
    isCompressed: true,
    answers: { 200: Usage },
  }),
} as const
