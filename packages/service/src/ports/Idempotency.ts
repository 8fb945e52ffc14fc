import type { AccountId } from "@earmark/core/jobs"
import type { IdempotencyKey } from "@earmark/core/requests"
import { Context, type Effect } from "effect"
import type { Guard, Guarded, GuardRefused, IdempotencyKeyReused } from "./JobStore.js"
import type { StorageError } from "./StorageError.js"

/**
 * Answers kept for repeats. Stores write them in the transaction of what they guard; here they are read beforehand, so that a repeat
 * is answered even when its source cannot be reached any more, and kept for what no store writes.
 */
export class Idempotency extends Context.Tag("@earmark/service/Idempotency")<
  Idempotency,
  {
    /** The answer kept under a key of the account; null when there is none (any more). */
    readonly recall: (
      account: AccountId,
      key: IdempotencyKey,
      fingerprint: string,
    ) => Effect.Effect<string | null, IdempotencyKeyReused | StorageError>
    /** Keeps an answer by itself. Of racing calls with one key one keeps its own; the others get that. */
    readonly remember: (
      account: AccountId,
      guard: Guard,
    ) => Effect.Effect<Guarded, GuardRefused | StorageError>
  }
>() {}
