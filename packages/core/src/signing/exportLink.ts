import * as Either from "effect/Either"
import { bytesOfHex, hexOf } from "./bytes.js"
import { equalBytes } from "./constantTime.js"
import { hmacSha256 } from "./digests.js"
import { SignedAddressInvalid } from "./SignedAddressInvalid.js"

const LIFETIME_SECONDS = 15 * 60
const LENGTH_AT_MOST = 8192
// At the end and nowhere else, so that what is signed is simply everything before it.
const SIGNED = /^(.*[?&]expires=([1-9]\d{0,14}))&signature=([0-9a-f]{64})$/s

const macOf = (key: Uint8Array, address: string) => hmacSha256(key, `earmark export 1\n${address}`)

/**
 * An address that works without an API key until `expiresAt` (unix seconds), 15 minutes unless told otherwise.
 * `address` is the path with its query, as the server will see it.
 */
export const signExportLink = (link: {
  readonly key: Uint8Array
  readonly address: string
  /** Unix seconds. */
  readonly now: number
  readonly lifetimeSeconds?: number
}): { readonly address: string; readonly expiresAt: number } => {
  const expiresAt = Math.floor(link.now) + (link.lifetimeSeconds ?? LIFETIME_SECONDS)
  const unsigned = `${link.address}${link.address.includes("?") ? "&" : "?"}expires=${expiresAt}`
  return { address: `${unsigned}&signature=${hexOf(macOf(link.key, unsigned))}`, expiresAt }
}

/** Checks path and query exactly as they arrived; any change to them, also of the order, is a mismatch. */
export const verifyExportLink = (link: {
  readonly key: Uint8Array
  readonly address: string
  /** Unix seconds. */
  readonly now: number
}): Either.Either<{ readonly expiresAt: number }, SignedAddressInvalid> => {
  const [, unsigned, expires, signature] =
    link.address.length > LENGTH_AT_MOST ? [] : (SIGNED.exec(link.address) ?? [])
  if (unsigned === undefined || expires === undefined || signature === undefined) {
    return Either.left(new SignedAddressInvalid({ reason: "malformed" }))
  }
  if (!equalBytes(macOf(link.key, unsigned), bytesOfHex(signature))) {
    return Either.left(new SignedAddressInvalid({ reason: "mismatch" }))
  }
  const expiresAt = Number(expires)
  return link.now < expiresAt
    ? Either.right({ expiresAt })
    : Either.left(new SignedAddressInvalid({ reason: "expired" }))
}
