import { TaggedError } from "effect/Data"

/** Why a presigned address is refused. `expired` is only ever said of a signature that is genuine. */
export class SignedAddressInvalid extends TaggedError("SignedAddressInvalid")<{
  readonly reason: "malformed" | "mismatch" | "expired"
}> {
  override get message() {
    return SENTENCES[this.reason]
  }
}

const SENTENCES = {
  malformed: "The address has no readable signature or expiry; use it exactly as it was given",
  mismatch: "The signature does not belong to this request; use the address exactly as it was given",
  expired: "The address has expired; ask for a new one",
} as const
