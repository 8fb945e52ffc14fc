import type { OutOfCredits } from "@earmark/core/credits"
import type { AccountNotFound, GrantNotFound, KeyNotFound, PurchaseNotFound } from "@earmark/core/jobs"
import type { CursorInvalid } from "@earmark/core/requests"
import { counted } from "@earmark/core/text"
import type { StorageError } from "../ports/StorageError.js"
import type {
  PurchaseDecided,
  PurchaseOfProvider,
  ReferenceTaken,
  RequestRefused,
} from "../useCases/refusals.js"
import { type AdministrationRefused, refused } from "./AdministrationRefused.js"

/** What an operation can be refused for. */
export type Refusal =
  | AccountNotFound
  | AdministrationRefused
  | CursorInvalid
  | GrantNotFound
  | KeyNotFound
  | OutOfCredits
  | PurchaseDecided
  | PurchaseNotFound
  | PurchaseOfProvider
  | ReferenceTaken
  | RequestRefused
  | StorageError

const STORAGE = {
  unavailable: ["unavailable", "The store cannot be reached; nothing was done. Try again in a moment."],
  unknown: [
    "outcome_unknown",
    "The answer of the store was lost: look whether it was done. A grant repeated with its reference counts once, and so does a purchase that is confirmed or dismissed again.",
  ],
  broken: ["internal_error", "The store answered what it never should; the log has the cause."],
} as const

/** The code and the sentence that an operator is told. */
export const explain = (error: Refusal): AdministrationRefused => {
  switch (error._tag) {
    case "AdministrationRefused":
      return error
    case "AccountNotFound":
      return refused("account_not_found", `${error.message}.`)
    case "GrantNotFound":
      return refused("grant_not_found", `${error.message}.`)
    case "KeyNotFound":
      return refused("key_not_found", `${error.message}.`)
    case "CursorInvalid":
      return refused("cursor_invalid", `${error.message}.`)
    case "PurchaseNotFound":
      return refused("purchase_not_found", `${error.message}.`)
    case "PurchaseOfProvider":
      return refused("purchase_not_manual", `${error.message}.`)
    case "PurchaseDecided":
      return refused(`purchase_${error.reason}`, `${error.message}.`)
    case "RequestRefused":
      return refused("invalid_request", `${error.message}.`)
    case "OutOfCredits":
      // Only minutes that are taken away can be too many.
      return refused(
        "out_of_credits",
        `The account has ${counted(error.available, "minute")} that can be taken away, and ${error.needed} were asked for. Nothing was changed; take at most ${error.available}.`,
      )
    case "ReferenceTaken":
      return refused(
        "reference_taken",
        `${error.reference} was counted before with ${counted(error.counted, "minute")}, not ${error.given}: nothing was added. For another grant, use another reference.`,
      )
    case "StorageError": {
      const [code, message] = STORAGE[error.reason]
      return refused(code, message)
    }
  }
}
