import { Data } from "effect"

/** A token that opens nothing here, whatever is wrong with it. */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly why: string }> {}

/** Whether a token is good cannot be told at the moment. */
export class IssuerAway extends Data.TaggedError("IssuerAway")<{ readonly cause: unknown }> {}

/** A token as it came, and what came with it. */
export interface Presented {
  readonly token: string
  readonly scheme: "bearer" | "dpop"
  /** The proof that the sender holds a key (RFC 9449). */
  readonly proof: string | undefined
  /** Whether its request is under way: then the proof was taken with it, and is good once. */
  readonly isUnderWay: boolean
  readonly method: string
}
