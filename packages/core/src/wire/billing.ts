/** Money on the wire: one credit is one minute. */
import * as Schema from "effect/Schema"
import {
  Count,
  field,
  integer,
  optional,
  optionalField,
  optionalParameter,
  sometimes,
  Timestamp,
} from "../jobs/fields.js"
import { AccountId, EntryId, JobId, PurchaseId } from "../jobs/ids.js"
import { Source, SourceLabel } from "../jobs/Job.js"
import { paging, timeSpan } from "./lists.js"

/** What any one-time purchase unlocks. */
export const Feature = Schema.Literal("diarize", "whole_feed", "word_level_export")
export type Feature = typeof Feature.Type

const MOST_CREDITS = 10_000_000

const autoReload = {
  enabled: Schema.Literal(true),
  /** Credits are bought when fewer than this are available. */
  threshold: integer(0, MOST_CREDITS),
  amount: integer(1, MOST_CREDITS),
  monthlyCap: field("monthly_cap", integer(1, MOST_CREDITS)),
}

/** The settings of auto-reload, as they are shown. Numbers are null until they were set once. */
export const AutoReload = Schema.Struct({
  enabled: Schema.Boolean,
  threshold: Schema.NullOr(Count),
  amount: Schema.NullOr(Count),
  monthlyCap: field("monthly_cap", Schema.NullOr(Count)),
})
export type AutoReload = typeof AutoReload.Type

/** The body of `PUT /credits/auto-reload`. */
export const PutAutoReload = Schema.Union(
  // A program that writes back what it read switches it off with all that it read.
  Schema.Struct({
    enabled: Schema.Literal(false),
    threshold: optional(autoReload.threshold),
    amount: optional(autoReload.amount),
    monthlyCap: optionalField("monthly_cap", integer(1, MOST_CREDITS)),
  }),
  Schema.Struct(autoReload).pipe(
    Schema.filter(({ amount, monthlyCap }) =>
      amount <= monthlyCap
        ? undefined
        : { path: ["monthly_cap"], message: "monthly_cap is less than amount, which is bought each time" },
    ),
  ),
)
export type PutAutoReload = typeof PutAutoReload.Type

/** What `GET /credits` answers. `available` is `balance` less `held`. */
export const Credits = Schema.Struct({
  balance: Schema.Int,
  held: Count,
  available: Schema.Int,
  /** What `available` buys at the normal rate. Older servers do not tell it. */
  minutes: sometimes(Count),
  isPaid: field("is_paid", Schema.Boolean),
  /** Whether the server charges for transcriptions. Older servers do not say it. */
  billing: sometimes(Schema.Boolean),
  autoReload: field("auto_reload", AutoReload),
  features: Schema.Struct({
    diarize: Schema.Boolean,
    wholeFeed: field("whole_feed", Schema.Boolean),
    wordLevelExport: field("word_level_export", Schema.Boolean),
  }),
})
export type Credits = typeof Credits.Type

export const EntryKind = Schema.Literal("signup", "purchase", "reload", "settlement", "refund", "adjustment")
export type EntryKind = typeof EntryKind.Type

/** A line of the account's ledger. All of them sum to `balance`. */
export const LedgerEntry = Schema.Struct({
  id: EntryId,
  kind: EntryKind,
  amount: Schema.Int,
  transcriptionId: field("transcription_id", Schema.NullOr(JobId)),
  createdAt: field("created_at", Timestamp),
})
export type LedgerEntry = typeof LedgerEntry.Type

/** The same for the operator, with what it was for: the reference of a grant, a payment of a provider. */
export const OperatorEntry = Schema.Struct({ ...LedgerEntry.fields, reference: Schema.NullOr(Schema.String) })
export type OperatorEntry = typeof OperatorEntry.Type

/** The query of `GET /credits/entries`. */
export const EntriesQuery = Schema.Struct({ ...paging, ...timeSpan, kind: optionalParameter(EntryKind) })
export type EntriesQuery = typeof EntriesQuery.Type

/** The body of `POST /credits/purchases`. */
export const CreatePurchase = Schema.Struct({ credits: integer(1, MOST_CREDITS) })
export type CreatePurchase = typeof CreatePurchase.Type

export const PaymentState = Schema.Literal(
  "pending",
  "processing",
  "action_required",
  "succeeded",
  "failed",
  "canceled",
)
export type PaymentState = typeof PaymentState.Type

/** Credits that are bought, and how their payment stands. */
export const Purchase = Schema.Struct({
  id: PurchaseId,
  credits: Count,
  /** What is paid for them, where the service knows it. Older servers do not tell it. */
  price: sometimes(
    Schema.NullOr(
      Schema.Struct({
        /** In the smallest unit of the currency. */
        amount: Count,
        currency: Schema.String.pipe(Schema.pattern(/^[a-z]{3}$/)),
      }),
    ),
  ),
  state: PaymentState,
  /** Where a person pays, as whoever begins the purchase is told; null when nobody pays there, and when it is looked at later. */
  checkoutUrl: field("checkout_url", Schema.NullOr(Schema.String)),
  createdAt: field("created_at", Timestamp),
})
export type Purchase = typeof Purchase.Type

/** The same for the operator, with whose it is and who says that it was paid: `manual` where the operator does. */
export const OperatorPurchase = Schema.Struct({
  ...Purchase.fields,
  account: AccountId,
  /** What the account is called, and where its person is reached. */
  accountName: field("account_name", Schema.String),
  accountEmail: field("account_email", Schema.NullOr(Schema.String)),
  provider: Schema.String,
})
export type OperatorPurchase = typeof OperatorPurchase.Type

/** What a job or a feed would cost. Minutes and credits are null when no length is known beforehand. */
export const Quote = Schema.Struct({
  /** What would be transcribed. Left out for a feed. */
  title: sometimes(Schema.NullOr(Schema.String)),
  source: sometimes(Source),
  sourceLabel: SourceLabel,
  durationSeconds: sometimes(Schema.NullOr(Count)).pipe(Schema.fromKey("duration_seconds")),
  minutes: Schema.NullOr(Count),
  credits: Schema.NullOr(Count),
  /** Null for a feed whose episodes have different rates. */
  rate: Schema.NullOr(Schema.Literal(1, 3)),
  cached: Schema.Boolean,
  /** How many jobs a feed would make; null for one transcription. */
  episodes: Schema.NullOr(Count),
  /** Of these, the ones whose length the feed does not say: they are in neither sum. */
  unknownLengths: field("unknown_lengths", Schema.NullOr(Count)),
  balanceAfter: field("balance_after", Schema.NullOr(Schema.Int)),
  /** What a purchase has to unlock before this can be asked for. Left out where nothing is locked. */
  locked: sometimes(Feature),
  /** Why `minutes` is null; only then. */
  unknownBecause: sometimes(Schema.String).pipe(Schema.fromKey("unknown_because")),
})
export type Quote = typeof Quote.Type

export const UsageQuery = Schema.Struct({
  ...timeSpan,
  groupBy: Schema.optionalWith(Schema.Literal("day", "month", "key"), { default: () => "day" as const }).pipe(
    Schema.fromKey("group_by"),
  ),
})
export type UsageQuery = typeof UsageQuery.Type

const used = { transcriptions: Count, minutes: Count, credits: Count }

export const Usage = Schema.Struct({
  from: Timestamp,
  to: Timestamp,
  groupBy: field("group_by", Schema.Literal("day", "month", "key")),
  /** `group` is a day (2026-01-31), a month (2026-01) or the id of a key. */
  data: Schema.Array(Schema.Struct({ group: Schema.String, ...used })),
  total: Schema.Struct(used),
})
export type Usage = typeof Usage.Type
