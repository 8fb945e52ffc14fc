import { TaggedError } from "effect/Data"
import * as Either from "effect/Either"
import { base64urlOf, bytesOfBase64url, joinBytes, utf8 } from "./bytes.js"
import { cryptoOfNode } from "./digests.js"
import { NotEnoughRandomBytes } from "./NotEnoughRandomBytes.js"

const NONCE_BYTES = 12
const TAG_BYTES = 16
const SEALED = /^1\.(.{1,256})\.([\w-]{16})\.([\w-]{22,})$/s

/** A key with its name, which is stored in clear beside each sealed text. */
export interface SealingKey {
  readonly id: string
  readonly key: Uint8Array
}

/** Why a sealed text does not open. A wrong key, a wrong place and a changed byte cannot be told apart. */
export class SealBroken extends TaggedError("SealBroken")<{
  readonly reason: "malformed" | "unknown_key" | "mismatch"
  readonly keyId: string | null
}> {
  override get message() {
    return this.reason === "unknown_key"
      ? `Sealed with the key ${this.keyId}, which is not among the given ones`
      : "The sealed text was changed, moved, or never was one"
  }
}

/**
 * Encrypts a secret for storage (AES-256-GCM). It opens only with the same key and the same `place`,
 * such as the id of its row: a sealed text that is copied to another row does not open there.
 * A nonce must never be used twice with one key: give 12 fresh random bytes.
 */
export const sealSecret = (secret: {
  readonly key: SealingKey
  readonly nonce: Uint8Array
  readonly text: string
  readonly place: string
}): Either.Either<string, NotEnoughRandomBytes> => {
  if (secret.nonce.length < NONCE_BYTES) {
    return Either.left(new NotEnoughRandomBytes({ needed: NONCE_BYTES, given: secret.nonce.length }))
  }
  const nonce = secret.nonce.subarray(0, NONCE_BYTES)
  const cipher = cryptoOfNode().createCipheriv("aes-256-gcm", secret.key.key, nonce)
  cipher.setAAD(boundTo(secret.key.id, secret.place))
  const sealed = joinBytes(cipher.update(utf8(secret.text)), cipher.final(), cipher.getAuthTag())
  return Either.right(`1.${secret.key.id}.${base64urlOf(nonce)}.${base64urlOf(sealed)}`)
}

/** Decrypts what `sealSecret` made, with the key of the given ones that it names. */
export const openSecret = (sealed: {
  readonly keys: ReadonlyArray<SealingKey>
  readonly text: string
  readonly place: string
}): Either.Either<string, SealBroken> => {
  const [, id, nonce, encoded] = SEALED.exec(sealed.text) ?? []
  if (id === undefined || nonce === undefined || encoded === undefined) return broken("malformed", null)
  const key = sealed.keys.find((each) => each.id === id)
  if (key === undefined) return broken("unknown_key", id)
  // A rest of one character stands for no byte.
  if (encoded.length % 4 === 1) return broken("mismatch", id)
  const bytes = bytesOfBase64url(encoded)
  // The last character has spare bits; only one way of writing them is the one that was sealed.
  if (base64urlOf(bytes) !== encoded) return broken("mismatch", id)
  const decipher = cryptoOfNode().createDecipheriv("aes-256-gcm", key.key, bytesOfBase64url(nonce), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(boundTo(id, sealed.place))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const opened = joinBytes(decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final())
    return Either.right(new TextDecoder("utf-8", { ignoreBOM: true }).decode(opened))
  } catch {
    return broken("mismatch", id)
  }
}

/** The id of the key that something was sealed with; null where it is no sealed text. */
export const keyOfSealed = (sealed: unknown): string | null =>
  typeof sealed === "string" ? (SEALED.exec(sealed)?.[1] ?? null) : null

const boundTo = (keyId: string, place: string) => utf8(JSON.stringify([keyId, place]))

const broken = (reason: SealBroken["reason"], keyId: string | null) =>
  Either.left(new SealBroken({ reason, keyId }))
