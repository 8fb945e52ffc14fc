import { counted } from "@earmark/core/text"
import { Effect, Schema } from "effect"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import * as fields from "./fields.js"
import { told } from "./jsonSchema.js"
import { tool } from "./Tool.js"

const { optional } = fields

const Output = Schema.Struct({
  billing: fields.flag("False: nothing costs credits."),
  balance: fields.number("Credits of the account."),
  held: fields.number("Part held by unfinished jobs.", { from: 0 }),
  available: fields.number("What new jobs may use."),
  is_paid: fields.flag("True after any purchase."),
  auto_reload: told(
    Schema.Struct({
      enabled: fields.flag("Buys credits on its own when they run low."),
      threshold: optional(fields.number("Reload below this.", { from: 0 })),
      amount: optional(fields.number("Credits per reload.", { from: 0 })),
      monthly_cap: optional(fields.number("At most this many a month.", { from: 0 })),
    }),
    "Auto-reload: credits bought by themselves.",
  ),
  features: told(
    Schema.Struct({
      diarize: fields.flag("Speaker labels."),
      whole_feed: fields.flag("Whole feeds."),
      word_level_export: fields.flag("Word-level export."),
    }),
    "What the account may use.",
  ),
  top_up_url: optional(fields.text("Where a person buys credits; not without billing.")),
  next_step: fields.nextStep,
})

const TOP_UP = "/api/v1/credits/purchases"

export const getCreditBalance = tool({
  name: "get_credit_balance",
  title: "Credit balance",
  description:
    "Credits left (1 credit = 1 minute), what running jobs hold, and what the account may use. Call before long or many jobs.",
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  scope: "billing:read",
  input: Schema.Struct({}),
  output: Output,
  run: Effect.fnUntraced(function* () {
    const backend = yield* TranscriptionBackend
    const { balance, held, available, isPaid, billing, autoReload, features } = yield* backend.ask(
      "credits.get",
      {},
    )
    const { enabled, threshold, amount, monthlyCap } = autoReload
    const isFree = billing === false
    const nextOf = () => {
      if (isFree) return "Call transcribe or transcribe_podcast_feed."
      return available > 0
        ? "Call transcribe, or transcribe_podcast_feed with dry_run to see what a feed costs."
        : "Ask the person to buy credits at top_up_url."
    }
    const next = nextOf()
    return {
      structured: {
        billing: !isFree,
        balance,
        held,
        available,
        is_paid: isPaid,
        auto_reload: {
          enabled,
          ...(threshold !== null && { threshold }),
          ...(amount !== null && { amount }),
          ...(monthlyCap !== null && { monthly_cap: monthlyCap }),
        },
        features: {
          diarize: features.diarize,
          whole_feed: features.wholeFeed,
          word_level_export: features.wordLevelExport,
        },
        ...(!isFree && { top_up_url: `${backend.baseUrl}${TOP_UP}` }),
        next_step: next,
      },
      lines: [
        isFree
          ? "Transcriptions cost no credits here."
          : `${counted(available, "credit")} available: ${counted(balance, "credit")} in all, less ${counted(held, "credit")} held by running jobs.`,
        next,
      ],
    }
  }),
})
