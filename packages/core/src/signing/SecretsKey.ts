import { TaggedError } from "effect/Data"
import * as Either from "effect/Either"
import { counted } from "../text/counted.js"
import { bytesOfBase64, hexOf } from "./bytes.js"
import { hmacSha256 } from "./digests.js"

const KEY_BYTES = 32
const ID_BYTES = 4
const BASE64 = /^[A-Za-z0-9+/]{43}=$/

/** The text is not 32 bytes in base64. The text itself is not repeated: it may be nearly right. */
export class SecretsKeyInvalid extends TaggedError("SecretsKeyInvalid")<{ readonly length: number }> {
  override get message() {
    return `The secrets key must be 32 bytes in base64 (44 characters), not ${counted(this.length, "character")}; make one with: openssl rand -base64 32`
  }
}

/** One key for each purpose, all from one secret. None tells anything about another, nor about the secret. */
export interface DerivedKeys {
  /** Names the secret without revealing it; stored beside what was sealed with it. */
  readonly id: string
  readonly webhookSecrets: Uint8Array
  readonly pepper: Uint8Array
  readonly cursors: Uint8Array
  readonly uploads: Uint8Array
  readonly exportLinks: Uint8Array
  readonly shows: Uint8Array
}

/** Reads a secrets key as an operator writes it. Blanks around it are dropped. */
export const parseSecretsKey = (text: string): Either.Either<Uint8Array, SecretsKeyInvalid> => {
  const trimmed = text.trim()
  const bytes = BASE64.test(trimmed) ? bytesOfBase64(trimmed) : undefined
  return bytes?.length === KEY_BYTES
    ? Either.right(bytes)
    : Either.left(new SecretsKeyInvalid({ length: trimmed.length }))
}

/** The same keys in every process and after every restart. The labels are part of the stored data: they never change. */
export const deriveKeys = (secretsKey: Uint8Array): DerivedKeys => ({
  id: hexOf(derive(secretsKey, "key id", ID_BYTES)),
  webhookSecrets: derive(secretsKey, "webhook secrets", KEY_BYTES),
  pepper: derive(secretsKey, "api key pepper", KEY_BYTES),
  cursors: derive(secretsKey, "cursors", KEY_BYTES),
  uploads: derive(secretsKey, "uploads", KEY_BYTES),
  exportLinks: derive(secretsKey, "export links", KEY_BYTES),
  shows: derive(secretsKey, "shows", KEY_BYTES),
})

/** HKDF (RFC 5869) without salt, for at most one block. */
const derive = (secretsKey: Uint8Array, label: string, length: number): Uint8Array => {
  const extracted = hmacSha256(new Uint8Array(KEY_BYTES), secretsKey)
  return Uint8Array.from(hmacSha256(extracted, `earmark/1/${label}`, Uint8Array.of(1)).subarray(0, length))
}
