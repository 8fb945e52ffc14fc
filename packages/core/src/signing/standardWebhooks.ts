import * as Either from "effect/Either"
import { base64Of, utf8 } from "./bytes.js"
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
import { decodedKeyOf, type SigningSecrets } from "./WebhookSecret.js"

const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/

/** The three headers of the Standard Webhooks specification. */
export interface StandardWebhookHeaders {
  readonly "webhook-id": string
  readonly "webhook-timestamp": string
  readonly "webhook-signature": string
}

// Here the specification decides, unlike for our own header: the key is the decoded base64.
const signatureOf = (key: Uint8Array, id: string, timestamp: string, body: string | Uint8Array) =>
  `v1,${base64Of(hmacSha256(key, `${id}.${timestamp}.`, body))}`

/**
 * The headers that libraries for Standard Webhooks verify, from the same secrets as our own header.
 * The id must not be chosen by a user: it is part of the signed text, before a dot.
 */
export const standardWebhookHeaders = (delivery: {
  readonly secrets: SigningSecrets
  readonly id: string
  readonly body: string | Uint8Array
  readonly timestamp: number
}): StandardWebhookHeaders => {
  const timestamp = String(Math.floor(delivery.timestamp))
  const signatures: Array<string> = []
  for (const secret of delivery.secrets) {
    const key = secret === undefined ? undefined : decodedKeyOf(secret)
    if (key !== undefined) signatures.push(signatureOf(key, delivery.id, timestamp, delivery.body))
  }
  return {
    "webhook-id": delivery.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  }
}

/** Checks a delivery with Standard Webhooks headers. A secret that is empty or not base64 matches nothing. */
export const verifyStandardWebhook = (delivery: {
  readonly raw: string | Uint8Array
  readonly headers: StandardWebhookHeaders
  readonly secrets: ReadonlyArray<string>
  /** Unix seconds. */
  readonly now: number
  readonly toleranceSeconds?: number
}): Either.Either<{ readonly id: string; readonly timestamp: number }, SignatureInvalid> => {
  const id = delivery.headers["webhook-id"]
  const written = delivery.headers["webhook-timestamp"]
  const signature = delivery.headers["webhook-signature"]
  if (id === "") return Either.left(malformed("The webhook-id header is empty"))
  if (!TIMESTAMP.test(written)) {
    return Either.left(malformed("The webhook-timestamp header is not a unix time in seconds"))
  }
  if (signature.length > HEADER_LENGTH_AT_MOST) {
    return Either.left(malformed("The webhook-signature header is too long"))
  }
  const candidates = signature
    .split(" ")
    .filter((part) => SIGNATURE.test(part))
    .map((part) => utf8(part))
  if (candidates.length === 0)
    return Either.left(malformed("The webhook-signature header has no v1 signature"))
  const expected = delivery.secrets.flatMap((secret) => {
    const key = decodedKeyOf(secret)
    return key === undefined ? [] : [utf8(signatureOf(key, id, written, delivery.raw))]
  })
  if (!anyEqual(expected, candidates)) return Either.left(mismatch())
  const timestamp = Number(written)
  const stale = staleness(timestamp, delivery.now, delivery.toleranceSeconds)
  return stale === undefined ? Either.right({ id, timestamp }) : Either.left(stale)
}
