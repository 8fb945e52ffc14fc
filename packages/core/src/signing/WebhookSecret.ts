import * as Either from "effect/Either"
import { base64Of, bytesOfBase64 } from "./bytes.js"
import { NotEnoughRandomBytes } from "./NotEnoughRandomBytes.js"

const PREFIX = "whsec_"
const SECRET_BYTES = 32
const OLD_SECRETS_AT_MOST = 2
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** What one delivery is signed with: the newest secret first, then at most two old ones that have not ended. */
export type SigningSecrets = readonly [newest: string, old?: string, older?: string]

/** A secret that was replaced. It signs beside the new one until its end (unix seconds). */
export interface OldSecret {
  readonly secret: string
  readonly endsAt: number
}

/** `whsec_` and the base64 of the first 32 of the random bytes. */
export const makeWebhookSecret = (random: Uint8Array): Either.Either<string, NotEnoughRandomBytes> =>
  random.length < SECRET_BYTES
    ? Either.left(new NotEnoughRandomBytes({ needed: SECRET_BYTES, given: random.length }))
    : Either.right(PREFIX + base64Of(random.subarray(0, SECRET_BYTES)))

/** Whether the text has the exact form of a secret that we issue. */
export const isWebhookSecret = (text: string): boolean =>
  text.startsWith(PREFIX) && decodedKeyOf(text)?.length === SECRET_BYTES

/** The secrets that sign now: the current one, then those of the old ones that end latest, at most two. */
export const secretsInForce = (
  current: string,
  old: ReadonlyArray<OldSecret>,
  now: number,
): SigningSecrets => {
  const [first, second] = old
    .filter((each) => each.endsAt > now && each.secret !== current)
    .sort((left, right) => right.endsAt - left.endsAt)
    .slice(0, OLD_SECRETS_AT_MOST)
  if (first === undefined) return [current]
  return second === undefined ? [current, first.secret] : [current, first.secret, second.secret]
}

/**
 * The bytes behind the base64 of a secret, for Standard Webhooks, which key their HMAC with them;
 * the prefix may be missing. Undefined for anything that is not whole base64, or is empty.
 */
export const decodedKeyOf = (secret: string): Uint8Array | undefined => {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  return encoded.length % 4 === 0 && BASE64.test(encoded) ? bytesOfBase64(encoded) : undefined
}
