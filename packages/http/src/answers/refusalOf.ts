import type { DeliveryNotFound, EndpointNotFound, KeyNotFound, PurchaseNotFound } from "@earmark/core/jobs"
import type { SignedAddressInvalid } from "@earmark/core/signing"
import {
  type AutoReloadRefused,
  type NoticeInvalid,
  nothingHere,
  type PaymentRefused,
  type PaymentUnknown,
  problemOf,
  type Refused,
  type ScopeNotHeld,
  type SecretNotRotated,
  type ToldProblem,
  type UploadMismatch,
  unavailable,
} from "@earmark/service"
import { invalid, Refusal } from "./Refusal.js"

/** Everything that a use case, or the reading of a request, can refuse. */
export type Failure =
  | Refusal
  | Refused
  | EndpointNotFound
  | DeliveryNotFound
  | KeyNotFound
  | PurchaseNotFound
  | ScopeNotHeld
  | SecretNotRotated
  | PaymentUnknown
  | PaymentRefused
  | NoticeInvalid
  | AutoReloadRefused
  | SignedAddressInvalid
  | UploadMismatch

/** What every interface tells, with the headers that HTTP has for it. */
const answerOf = ({ retryAfterSeconds, ...problem }: ToldProblem): Refusal =>
  new Refusal({
    ...problem,
    headers: {
      ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
      ...(problem.code === "unauthorized" && { "WWW-Authenticate": "Bearer" }),
    },
  })

/** A failure as clients are told of it: which code, and what beside it. What only HTTP can refuse is named here. */
export const refusalOf = (failure: Failure, baseUrl: string): Refusal => {
  switch (failure._tag) {
    case "Refusal":
      return failure
    case "ScopeNotHeld":
      return new Refusal({ code: "insufficient_scope", detail: failure.message })
    case "EndpointNotFound":
    case "DeliveryNotFound":
    case "KeyNotFound":
    case "PurchaseNotFound":
      return answerOf(nothingHere)
    case "SecretNotRotated":
    case "AutoReloadRefused":
      return new Refusal({ code: "invalid_state", detail: failure.message })
    case "SignedAddressInvalid":
      return new Refusal({
        code: failure.reason === "expired" ? "expired" : "signature_invalid",
        detail: failure.message,
      })
    case "UploadMismatch":
      return new Refusal({ code: "invalid_request", detail: failure.message })
    case "PaymentRefused":
      return invalid("#/credits", failure.message)
    case "NoticeInvalid":
      return new Refusal({ code: "signature_invalid", detail: failure.message })
    case "PaymentUnknown":
      return answerOf(unavailable)
    default:
      return answerOf(problemOf(failure, baseUrl))
  }
}
