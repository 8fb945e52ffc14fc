import * as Schema from "effect/Schema"
import { Count, field, optional, optionalField, sometimes, Timestamp, text } from "../jobs/fields.js"
import { AccountId, KeyId } from "../jobs/ids.js"

/** What a key may do. */
export const Scope = Schema.Literal(
  "transcriptions:read",
  "transcriptions:write",
  "webhooks",
  "billing:read",
  "billing:write",
  "keys",
)
export type Scope = typeof Scope.Type

/** How far an account may go. Null: no limit. */
export const PlanLimits = Schema.Struct({
  maxMediaMinutes: field("max_media_minutes", Schema.NullOr(Count)),
  maxUploadBytes: field("max_upload_bytes", Schema.NullOr(Count)),
  maxWaitingJobs: field("max_waiting_jobs", Schema.NullOr(Count)),
})
export type PlanLimits = typeof PlanLimits.Type

export const Account = Schema.Struct({
  id: AccountId,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  /** True after any one-time purchase, which unlocks the paid features. */
  isPaid: field("is_paid", Schema.Boolean),
  limits: PlanLimits,
  createdAt: field("created_at", Timestamp),
})
export type Account = typeof Account.Type

/** Whom a request acts for, and what can be had here. */
export const Identity = Schema.Struct({
  id: AccountId,
  name: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Scope),
  isTest: field("is_test", Schema.Boolean),
  role: Schema.Literal("account", "operator", "library"),
  limits: PlanLimits,
  features: Schema.Struct({ translation: Schema.Boolean, autoReload: field("auto_reload", Schema.Boolean) }),
  /** Of a person; null for a key. */
  signIn: field("sign_in", Schema.NullOr(Schema.Struct({ at: Timestamp, session: Schema.String }))),
})
export type Identity = typeof Identity.Type

const key = {
  id: KeyId,
  name: Schema.NullOr(Schema.String),
  prefix: Schema.String,
  last4: Schema.String,
  scopes: Schema.Array(Scope),
  expiresAt: field("expires_at", Schema.NullOr(Timestamp)),
  lastUsedAt: field("last_used_at", Schema.NullOr(Timestamp)),
  createdAt: field("created_at", Timestamp),
  revokedAt: field("revoked_at", Schema.NullOr(Timestamp)),
  monthlyCredits: field("monthly_credits", Schema.NullOr(Count)),
  monthlyCreditsUsed: field("monthly_credits_used", Count),
}

/** An API key without its value. */
export const ApiKey = Schema.Struct(key)
export type ApiKey = typeof ApiKey.Type

/** A new key with its value, shown once. */
export const ApiKeyWithValue = Schema.Struct({ ...key, key: Schema.String })
export type ApiKeyWithValue = typeof ApiKeyWithValue.Type

/** An app that an account has let in. */
export const GrantedApp = Schema.Struct({
  /** The id of the grant. */
  id: Schema.String,
  client: Schema.String,
  name: Schema.NullOr(Schema.String).annotations({ description: "what the app calls itself, unproven" }),
  scopes: Schema.Array(Schema.String).annotations({ description: "what the app may do" }),
  grantedAt: field("granted_at", Timestamp.annotations({ description: "when a person let the app in" })),
  expiresAt: field("expires_at", Schema.NullOr(Timestamp)),
})
export type GrantedApp = typeof GrantedApp.Type

/** The body of `POST /keys`. Every scope when none are named; with a limit, every one but `keys`. */
export const CreateKey = Schema.Struct({
  name: optional(text(100)),
  scopes: optional(
    Schema.NonEmptyArray(Scope).pipe(Schema.annotations({ description: "a list of scopes, at least one" })),
  ),
  expiresAt: optionalField("expires_at", Timestamp),
  monthlyCredits: optionalField("monthly_credits", Count),
})
export type CreateKey = typeof CreateKey.Type

/** The body of `PATCH /keys/{id}`. What is left out stays as it is. */
export const PatchKey = Schema.Struct({
  name: sometimes(
    Schema.NullOr(text(100)).annotations({ description: "what the key is called; null takes its name away" }),
  ),
  monthlyCredits: sometimes(
    Schema.NullOr(Count).annotations({
      description:
        "the most credits that jobs of this key use in a calendar month (UTC); null takes the limit away",
    }),
  ).pipe(Schema.fromKey("monthly_credits")),
})
export type PatchKey = typeof PatchKey.Type
