import * as Either from "effect/Either"
import { bytesOfHex, hexOf } from "./bytes.js"
import { anyEqual } from "./constantTime.js"
import { hmacSha256 } from "./digests.js"
import {
  HEADER_LENGTH_AT_MOST,
  malformed,
  mismatch,
  type SignatureInvalid,
  staleness,
  TIMESTAMP,
} from "./SignatureInvalid.js"
import type { SigningSecrets } from "./WebhookSecret.js"

const SIGNATURE = /^[0-9a-f]{64}$/i

// Receivers verify with the text that they were given: the key is the whole secret, prefix included, never decoded.
const macOf = (secret: string, timestamp: string, body: string | Uint8Array) =>
  typeof body === "string"
    ? hmacSha256(secret, `${timestamp}.${body}`)
    : hmacSha256(secret, `${timestamp}.`, body)

/**
 * The value of `Service-Signature` for a body that is sent at `timestamp` (unix seconds):
 * `t=<timestamp>,v1=<hex>`, one `v1` for each secret, newest first. Throws a RangeError without any secret.
 */
export const signWebhook = (delivery: {
  readonly secrets: SigningSecrets
  readonly body: string | Uint8Array
  readonly timestamp: number
}): string => {
  if (delivery.secrets[0] === undefined) throw new RangeError("A webhook is signed with at least one secret")
  const timestamp = String(Math.floor(delivery.timestamp))
  let header = `t=${timestamp}`
  for (const secret of delivery.secrets) {
    if (secret !== undefined) header += `,v1=${hexOf(macOf(secret, timestamp, delivery.body))}`
  }
  return header
}

/**
 * Checks a delivery as it was received: the raw body, the header, and every secret that may still be in use.
 * The age counts in both directions. Blanks around the parts and capitals in the hex digits do no harm. Parts of other schemes beside `v1` are ignored; a second `t` is malformed.
 * An empty secret matches nothing.
 */
export const verifyWebhook = (delivery: {
  readonly raw: string | Uint8Array
  /** As the request has it; null or undefined when it has none. */
  readonly header: string | null | undefined
  readonly secrets: ReadonlyArray<string>
  /** Unix seconds. */
  readonly now: number
  readonly toleranceSeconds?: number
}): Either.Either<{ readonly timestamp: number }, SignatureInvalid> => {
  const header = readHeader(delivery.header)
  if (typeof header === "string") return Either.left(malformed(header))
  const expected: Array<Uint8Array> = []
  for (const secret of delivery.secrets) {
    if (secret !== "") expected.push(macOf(secret, header.timestamp, delivery.raw))
  }
  if (!anyEqual(expected, header.signatures)) return Either.left(mismatch())
  const timestamp = Number(header.timestamp)
  const stale = staleness(timestamp, delivery.now, delivery.toleranceSeconds)
  return stale === undefined ? Either.right({ timestamp }) : Either.left(stale)
}

interface Header {
  readonly timestamp: string
  readonly signatures: ReadonlyArray<Uint8Array>
}

/** The header in parts, or a sentence about what is wrong with it. */
const readHeader = (header: string | null | undefined): Header | string => {
  if (header === null || header === undefined || header === "") return "The request has no signature header"
  if (header.length > HEADER_LENGTH_AT_MOST) return "The signature header is too long"
  let timestamp: string | undefined
  const signatures: Array<Uint8Array> = []
  for (const written of header.split(",")) {
    const part = written.trim()
    const equals = part.indexOf("=")
    const value = part.slice(equals + 1)
    const scheme = part.slice(0, Math.max(equals, 0))
    if (scheme === "t") {
      if (timestamp !== undefined) return "The signature header has more than one t="
      if (!TIMESTAMP.test(value)) return "The t= of the signature header is not a unix time in seconds"
      timestamp = value
    } else if (scheme === "v1" && SIGNATURE.test(value)) {
      signatures.push(bytesOfHex(value))
    }
  }
  if (timestamp === undefined) return "The signature header has no t="
  if (signatures.length === 0) return "The signature header has no v1= of 64 hex digits"
  return { timestamp, signatures }
}
