import { createHash } from "node:crypto"
/** What a backup holds: every table but those that are made from others, and the buckets of rates, which are empty after a start anyway. Those that others refer to come first. */
export const BACKED_UP = [
  "account",
  "account_link",
  "api_key",
  "auto_reload",
  "batch",
  "credit_balance",
  "credit_entry",
  "credit_hold",
  "idempotency",
  "job",
  "job_span",
  "oauth_record",
  "payer",
  "payment",
  "publication",
  "queue",
  "queue_turn",
  "reload",
  "result_cache",
  "secrets_key",
  "transcript",
  "transcript_edit",
  "transcript_extra",
  "transcript_search",
  "upload",
  "usage_entry",
  "webhook_attempt",
  "webhook_delivery",
  "webhook_endpoint",
  "webhook_event",
] as const

/** Made from others: see `fillSlices`. */
export const MADE_AGAIN = ["search_member", "search_place", "search_slice"] as const

export type BackedUp = (typeof BACKED_UP)[number]

/** How many rows each table has. */
export type Counts = Readonly<Record<string, number>>

export const FORMAT = 1

/** Tells lines that are not as they were written. Empty ones do not count: the last line may have one behind it. */
export const lineDigest = () => {
  const hash = createHash("sha256")
  return {
    add: (line: string) => {
      if (line !== "") hash.update(line).update("\n")
    },
    value: () => hash.copy().digest("hex"),
  }
}
