import { Schema } from "effect"

/** Why an operation of the operator was not done. Codes never change their meaning. */
export const AdministrationCode = Schema.Literal(
  "invalid_request",
  "unknown_operation",
  "account_not_found",
  "key_not_found",
  "grant_not_found",
  "purchase_not_found",
  "purchase_not_manual",
  "purchase_paid",
  "purchase_canceled",
  "already_linked",
  "email_taken",
  "reference_taken",
  "job_not_dead",
  "cursor_invalid",
  "out_of_credits",
  "not_permitted",
  "store_in_use",
  "store_missing",
  "unavailable",
  "outcome_unknown",
  "internal_error",
)
export type AdministrationCode = typeof AdministrationCode.Type

/** One sentence for the operator, and a code for scripts. */
export class AdministrationRefused extends Schema.TaggedError<AdministrationRefused>()(
  "AdministrationRefused",
  { code: AdministrationCode, message: Schema.String },
) {}

/** An operation that is refused with a code and a sentence. */
export const refused = (code: AdministrationCode, message: string): AdministrationRefused =>
  new AdministrationRefused({ code, message })
