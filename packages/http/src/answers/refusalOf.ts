import type { SignedAddressInvalid } from "@earmark/core/signing"
import {
  type NoticeInvalid,
  problemOf,
  type Refused,
  type ToldProblem,
  type UploadMismatch,
} from "@earmark/service"
import { Refusal } from "./Refusal.js"

/** Everything that an operation, or the reading of a request, can refuse. */
export type Failure = Refusal | Refused | NoticeInvalid | SignedAddressInvalid | UploadMismatch

/** What every interface tells, with the headers that HTTP has for it. */
export const answerOf = ({ retryAfterSeconds, ...problem }: ToldProblem): Refusal =>
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
    case "SignedAddressInvalid":
      return new Refusal({
        code: failure.reason === "expired" ? "expired" : "signature_invalid",
        detail: failure.message,
      })
    case "UploadMismatch":
      return new Refusal({ code: "invalid_request", detail: failure.message })
    case "NoticeInvalid":
      return new Refusal({ code: "signature_invalid", detail: failure.message })
    default:
      return answerOf(problemOf(failure, baseUrl))
  }
}
