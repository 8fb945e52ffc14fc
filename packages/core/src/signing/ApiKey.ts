import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { utf8 } from "./bytes.js"
import { crc32 } from "./crc32.js"
import { hmacSha256 } from "./digests.js"
import { NotEnoughRandomBytes } from "./NotEnoughRandomBytes.js"

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const RANDOM_DIGITS = 30
const CHECKSUM_DIGITS = 6
const CHECKED_LENGTH = "em_live_".length + RANDOM_DIGITS
const KEY_LENGTH = CHECKED_LENGTH + CHECKSUM_DIGITS
const LISTED_PREFIX_LENGTH = "em_live_".length + 4
const LISTED_SUFFIX_LENGTH = 4
/** The largest multiple of 62 in a byte: bytes from here on are dropped, or the first digits would be likelier. */
const FAIR_BELOW = 248

/** The one regular expression for secret scanners: finds keys inside any text. */
export const API_KEY_PATTERN = /\bem_(?:live|test)_[0-9A-Za-z]{36}\b/

const WHOLE_KEY = /^em_(?:live|test)_[0-9A-Za-z]{36}$/

export type ApiKeyMode = "live" | "test"

/** A key whose form and checksum are right. Nothing is known yet of whether it was ever issued. */
export interface ApiKey {
  readonly value: string
  readonly mode: ApiKeyMode
  /** The beginning and the last four characters: what a list of keys may show. */
  readonly prefix: string
  readonly last4: string
}

/**
 * A new key from random bytes. About one byte in 32 is dropped to keep all digits equally likely,
 * so 48 bytes are nearly always enough; when they are not, ask again with more.
 */
export const makeApiKey = (
  mode: ApiKeyMode,
  random: Uint8Array,
): Either.Either<ApiKey, NotEnoughRandomBytes> => {
  let body = ""
  for (const byte of random) {
    if (byte < FAIR_BELOW) body += DIGITS.charAt(byte % DIGITS.length)
    if (body.length === RANDOM_DIGITS) break
  }
  if (body.length < RANDOM_DIGITS) {
    const needed = random.length + RANDOM_DIGITS - body.length
    return Either.left(new NotEnoughRandomBytes({ needed, given: random.length }))
  }
  const checked = `em_${mode}_${body}`
  return Either.right(described(checked + checksumOf(checked)))
}

/** The key that a text is, by its form and checksum alone: one wrong character is refused without any lookup. */
export const parseApiKey = (text: string): Option.Option<ApiKey> =>
  isApiKey(text) ? Option.some(described(text)) : Option.none()

/** Whether the whole text has the form and the checksum of a key. */
export const isApiKey = (text: string): boolean =>
  text.length === KEY_LENGTH && WHOLE_KEY.test(text) && hasRightChecksum(text)

/** What is stored instead of the key. It needs no slow hash: 178 random bits cannot be guessed. */
export const hashApiKey = (pepper: Uint8Array, key: string): Uint8Array => hmacSha256(pepper, key)

const described = (value: string): ApiKey => ({
  value,
  mode: value.charAt(3) === "l" ? "live" : "test",
  prefix: value.slice(0, LISTED_PREFIX_LENGTH),
  last4: value.slice(-LISTED_SUFFIX_LENGTH),
})

const checkedBytes = (key: string) => utf8(key.slice(0, CHECKED_LENGTH))

const checksumOf = (checked: string): string => {
  let rest = crc32(checkedBytes(checked))
  let digits = ""
  for (let place = 0; place < CHECKSUM_DIGITS; place++) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}

/** Compares digit by digit from the end, without building the text: this is what floods of wrong keys meet. */
const hasRightChecksum = (key: string): boolean => {
  let rest = crc32(checkedBytes(key))
  for (let index = KEY_LENGTH - 1; index >= CHECKED_LENGTH; index--) {
    if (key.charCodeAt(index) !== DIGITS.charCodeAt(rest % DIGITS.length)) return false
    rest = Math.floor(rest / DIGITS.length)
  }
  return true
}
