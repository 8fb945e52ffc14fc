import type { ExportRefused } from "@earmark/core/captions"
import type { OutOfCredits } from "@earmark/core/credits"
import type {
  AccountNotFound,
  BatchNotFound,
  DeliveryNotFound,
  EndpointNotFound,
  JobExpired,
  JobNotFound,
  KeyNotFound,
  MediaRefUnknown,
  RequestInvalid,
  TransitionRefused,
} from "@earmark/core/jobs"
import type { CursorInvalid, IdempotencyKeyInvalid } from "@earmark/core/requests"
import type { SignedAddressInvalid } from "@earmark/core/signing"
import type {
  AutoReloadRefused,
  BatchRefused,
  CreateRefused,
  FeatureLocked,
  NoticeInvalid,
  ObjectRefused,
  PaymentRefused,
  PaymentUnknown,
  ScopeNotHeld,
  SecretNotRotated,
  StorageError,
  TranscriptNotReady,
  Unauthorized,
  UploadMismatch,
} from "@earmark/service"
import { invalid, Refusal } from "./Refusal.js"

/** Everything that a use case, or the reading of a request, can refuse. */
export type Failure =
  | Refusal
  | CreateRefused
  | BatchRefused
  | RequestInvalid
  | CursorInvalid
  | IdempotencyKeyInvalid
  | ExportRefused
  | FeatureLocked
  | TranscriptNotReady
  | TransitionRefused
  | JobNotFound
  | JobExpired
  | BatchNotFound
  | EndpointNotFound
  | DeliveryNotFound
  | KeyNotFound
  | AccountNotFound
  | MediaRefUnknown
  | ScopeNotHeld
  | SecretNotRotated
  | PaymentUnknown
  | PaymentRefused
  | NoticeInvalid
  | AutoReloadRefused
  | SignedAddressInvalid
  | UploadMismatch
  | ObjectRefused
  | Unauthorized
  | StorageError
  | OutOfCredits

const RETRY_SOON = { "Retry-After": "1" } as const
const RETRY_LATER = { "Retry-After": "30" } as const

const TOP_UP = "/api/v1/credits/purchases"

const unavailable = new Refusal({
  code: "unavailable",
  detail: "The service cannot do this at the moment. Repeat the request in a second.",
  headers: RETRY_SOON,
})

const outOfCredits = (detail: string, balance: number, needed: number, baseUrl: string) =>
  new Refusal({
    code: "out_of_credits",
    detail: `${detail}. Top up, or enable auto-reload.`,
    extras: { balance, needed, top_up_url: `${baseUrl}${TOP_UP}` },
  })

const OBJECT_CODES = {
  exists: "invalid_state",
  too_short: "invalid_request",
  too_long: "invalid_request",
  key_invalid: "not_found",
} as const

const OBJECT_SENTENCES = {
  exists: "The bytes of this upload have arrived already.",
  too_short: "The body was shorter than announced. Nothing of it was kept.",
  too_long: "The body was longer than announced. Nothing of it was kept.",
  key_invalid: "There is no such upload.",
} as const

const EXPORT_CODES = {
  invalid_request: "invalid_request",
  no_word_timing: "no_word_timing",
  no_translation: "invalid_state",
} as const

/** A failure as clients are told of it: which code, and what beside it. */
export const refusalOf = (failure: Failure, baseUrl: string): Refusal => {
  switch (failure._tag) {
    case "Refusal":
      return failure
    case "RequestInvalid":
      return new Refusal({ code: failure.code, detail: failure.message, errors: failure.problems })
    case "CursorInvalid":
      return invalid("#/cursor", failure.message)
    case "IdempotencyKeyInvalid":
      return new Refusal({ code: "idempotency_key_invalid", detail: failure.message })
    case "SourceRefused":
    case "RequestRefused":
      return new Refusal({ code: failure.code, detail: failure.detail })
    case "MediaRefUnknown":
      return new Refusal({ code: "media_ref_unknown", detail: failure.message })
    case "FeatureLocked":
      return new Refusal({
        code: "feature_locked",
        detail: failure.message,
        extras: { feature: failure.feature, upgrade: true },
      })
    case "ScopeNotHeld":
      return new Refusal({ code: "insufficient_scope", detail: failure.message })
    case "OutOfCredits":
      return outOfCredits(failure.message, failure.balance, failure.needed, baseUrl)
    case "BudgetExceeded":
      return outOfCredits(failure.message, failure.balance, failure.needed, baseUrl)
    case "IdempotencyKeyReused":
      return new Refusal({ code: "idempotency_key_reused", detail: failure.message })
    case "IdempotencyInProgress":
      return new Refusal({
        code: "idempotency_in_progress",
        detail: failure.message,
        headers: RETRY_SOON,
      })
    case "TooManyJobs":
      return new Refusal({ code: "too_many_jobs", detail: failure.message, headers: RETRY_LATER })
    case "JobNotFound":
    case "BatchNotFound":
    case "EndpointNotFound":
    case "DeliveryNotFound":
    case "KeyNotFound":
      // The same for what never existed and for what is another account's, whatever the id looks like.
      return new Refusal({ code: "not_found", detail: "There is nothing with this id." })
    case "JobExpired":
      return new Refusal({ code: "expired", detail: failure.message })
    case "TranscriptNotReady":
    case "JobAlreadyEnded":
    case "JobNotRetryable":
    case "JobNotWaiting":
    case "JobWaitsForCredits":
    case "SecretNotRotated":
    case "AutoReloadRefused":
      return new Refusal({ code: "invalid_state", detail: failure.message })
    case "ExportRefused":
      return new Refusal({ code: EXPORT_CODES[failure.code], detail: failure.message })
    case "SignedAddressInvalid":
      return new Refusal({
        code: failure.reason === "expired" ? "expired" : "signature_invalid",
        detail: failure.message,
      })
    case "UploadMismatch":
      return new Refusal({ code: "invalid_request", detail: failure.message })
    case "ObjectRefused":
      return new Refusal({ code: OBJECT_CODES[failure.reason], detail: OBJECT_SENTENCES[failure.reason] })
    case "Unauthorized":
    case "AccountNotFound":
      return new Refusal({
        code: "unauthorized",
        detail: "Send a valid API key: Authorization: Bearer em_live_...",
        headers: { "WWW-Authenticate": "Bearer" },
      })
    case "PaymentRefused":
      return invalid("#/credits", failure.message)
    case "NoticeInvalid":
      return new Refusal({ code: "signature_invalid", detail: failure.message })
    case "PaymentUnknown":
      return unavailable
    case "StorageError":
      return failure.isTransient
        ? unavailable
        : new Refusal({ code: "internal_error", detail: "Something went wrong on our side." })
  }
}
