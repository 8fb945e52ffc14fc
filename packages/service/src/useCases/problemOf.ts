import type { ExportRefused } from "@earmark/core/captions"
import type { KeyLimitReached, OutOfCredits } from "@earmark/core/credits"
import type { EditRefused } from "@earmark/core/edits"
import type {
  AccountNotFound,
  BatchNotFound,
  DeliveryNotFound,
  EndpointNotFound,
  GrantNotFound,
  JobExpired,
  JobNotFound,
  KeyNotFound,
  PurchaseNotFound,
  TransitionRefused,
} from "@earmark/core/jobs"
import type { CursorInvalid, IdempotencyKeyInvalid } from "@earmark/core/requests"
import type { MediaRefUnknown, ProblemCode, RequestInvalid, RequestProblem } from "@earmark/core/wire"
import { DateTime } from "effect"
import type { RevisionConflict } from "../ports/EditStore.js"
import type { PaymentRefused, PaymentUnknown } from "../ports/Payments.js"
import type { StorageError } from "../ports/StorageError.js"
import type { ObjectRefused } from "../ports/Uploads.js"
import type { SecretNotRotated } from "../ports/WebhookStore.js"
import type { BatchRefused } from "./Podcasts.js"
import type {
  AutoReloadRefused,
  BillingOff,
  FeatureLocked,
  NotPublished,
  PartsMissing,
  PurchaseDecided,
  PurchaseOfProvider,
  RecordingNotKept,
  ScopeNotHeld,
  TranscriptNotReady,
  Unauthorized,
} from "./refusals.js"
import type { CreateRefused } from "./Transcriptions.js"

/** What the operations of an account refuse, and what reading a request refuses. */
export type Refused =
  | AccountNotFound
  | AutoReloadRefused
  | BatchNotFound
  | BatchRefused
  | BillingOff
  | CreateRefused
  | CursorInvalid
  | DeliveryNotFound
  | EditRefused
  | EndpointNotFound
  | GrantNotFound
  | ExportRefused
  | FeatureLocked
  | IdempotencyKeyInvalid
  | JobExpired
  | JobNotFound
  | KeyLimitReached
  | KeyNotFound
  | MediaRefUnknown
  | NotPublished
  | ObjectRefused
  | PartsMissing
  | OutOfCredits
  | PaymentRefused
  | PaymentUnknown
  | PurchaseDecided
  | PurchaseNotFound
  | PurchaseOfProvider
  | RecordingNotKept
  | RequestInvalid
  | RevisionConflict
  | ScopeNotHeld
  | SecretNotRotated
  | StorageError
  | TranscriptNotReady
  | TransitionRefused
  | Unauthorized

/** What some codes have to say beside their sentence, under the names of the wire. */
export interface ProblemExtras {
  readonly balance?: number
  readonly needed?: number
  readonly limit?: number
  readonly used?: number
  readonly resets_at?: string
  readonly top_up_url?: string
  readonly feature?: string
  readonly upgrade?: true
  readonly revision?: number
}

/** A refusal as clients are told of it, over whichever interface. */
export interface ToldProblem {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: ReadonlyArray<RequestProblem>
  readonly extras?: ProblemExtras
  /** When a repeat may be answered otherwise. */
  readonly retryAfterSeconds?: number
}

const TOP_UP = "/api/v1/credits/purchases"

/** Something that is needed is away, and back soon. */
const unavailable: ToldProblem = {
  code: "unavailable",
  detail: "The server cannot do this at the moment. Repeat the request in a second.",
  retryAfterSeconds: 1,
}

/** The same for what never existed and for what is another account's, whatever the id looks like. */
const nothingHere: ToldProblem = { code: "not_found", detail: "There is nothing with this id." }

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

/** The place of the operation that failed; the list as a whole has none. */
const editProblem = ({ reason, operation, message }: EditRefused): ToldProblem => {
  if (reason === "unknown_revision") return { code: "not_found", detail: message }
  if (reason === "changed_later" || (reason === "last_line" && operation === null))
    return { code: "invalid_state", detail: message }
  const pointer = operation === null ? "#/operations" : `#/operations/${operation}`
  return { code: "invalid_edit", detail: message, errors: [{ pointer, detail: message }] }
}

const EXPORT_CODES = {
  invalid_request: "invalid_request",
  no_word_timing: "no_word_timing",
  no_translation: "invalid_state",
} as const

/** The code of a refusal, its sentence, and what goes beside it. */
export const problemOf = (refused: Refused, baseUrl: string): ToldProblem => {
  switch (refused._tag) {
    case "RequestInvalid":
      return { code: refused.code, detail: refused.message, errors: refused.problems }
    case "CursorInvalid":
      return {
        code: "invalid_request",
        detail: refused.message,
        errors: [{ pointer: "#/cursor", detail: refused.message }],
      }
    case "IdempotencyKeyInvalid":
      return { code: "idempotency_key_invalid", detail: refused.message }
    case "SourceRefused":
      return { code: refused.code, detail: refused.detail }
    case "RequestRefused": {
      const { code, detail, pointer } = refused
      return { code, detail, ...(pointer !== undefined && { errors: [{ pointer, detail }] }) }
    }
    case "MediaRefUnknown":
      return { code: "media_ref_unknown", detail: refused.message }
    case "FeatureLocked":
      return {
        code: "feature_locked",
        detail: refused.message,
        extras: { feature: refused.feature, upgrade: true },
      }
    case "OutOfCredits":
    case "BudgetExceeded": {
      const { message, balance, needed } = refused
      const advice = refused._tag === "OutOfCredits" ? ` Top up: POST ${TOP_UP}.` : ""
      return {
        code: "out_of_credits",
        detail: `${message}.${advice}`,
        extras: { balance, needed, top_up_url: `${baseUrl}${TOP_UP}` },
      }
    }
    case "KeyLimitReached": {
      const { message, limit, used, needed, resetsAt } = refused
      const resets_at = DateTime.formatIso(DateTime.unsafeMake(resetsAt))
      return {
        code: "key_limit_reached",
        detail: `${message}.`,
        extras: { limit, used, needed, resets_at },
      }
    }
    case "IdempotencyKeyReused":
      return { code: "idempotency_key_reused", detail: refused.message }
    case "IdempotencyInProgress":
      return { code: "idempotency_in_progress", detail: refused.message, retryAfterSeconds: 1 }
    case "IdempotencyAnswerLost":
      return { code: "idempotency_answer_lost", detail: refused.message }
    case "TooManyJobs":
      return { code: "too_many_jobs", detail: refused.message, retryAfterSeconds: 30 }
    case "JobNotFound":
    case "BatchNotFound":
    case "EndpointNotFound":
    case "DeliveryNotFound":
    case "GrantNotFound":
    case "KeyNotFound":
    case "PurchaseNotFound":
      return nothingHere
    case "NotPublished":
      return { code: "not_found", detail: refused.message }
    case "RecordingNotKept":
      return { code: "recording_not_kept", detail: refused.message }
    case "JobExpired":
      return { code: "expired", detail: refused.message }
    case "TranscriptNotReady":
    case "JobAlreadyEnded":
    case "JobNotRetryable":
    case "JobNotWaiting":
    case "JobWaitsForCredits":
    case "PartsMissing":
    case "SecretNotRotated":
    case "AutoReloadRefused":
    case "BillingOff":
    case "PurchaseOfProvider":
    case "PurchaseDecided":
      return { code: "invalid_state", detail: refused.message }
    case "ScopeNotHeld":
      return { code: "insufficient_scope", detail: refused.message }
    case "PaymentRefused": {
      const detail = refused.message
      return { code: "invalid_request", detail, errors: [{ pointer: "#/credits", detail }] }
    }
    case "PaymentUnknown":
      return unavailable
    case "EditRefused":
      return editProblem(refused)
    case "RevisionConflict":
      return { code: "revision_conflict", detail: refused.message, extras: { revision: refused.revision } }
    case "ExportRefused":
      return { code: EXPORT_CODES[refused.code], detail: refused.message }
    case "ObjectRefused":
      return { code: OBJECT_CODES[refused.reason], detail: OBJECT_SENTENCES[refused.reason] }
    case "Unauthorized":
    case "AccountNotFound":
      return { code: "unauthorized", detail: "Send a valid API key: Authorization: Bearer em_live_..." }
    case "StorageError":
      return refused.isTransient
        ? unavailable
        : { code: "internal_error", detail: "Something went wrong on our side." }
  }
}
