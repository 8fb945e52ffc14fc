/** What makes a repeated request recognisable. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { hexOf } from "../signing/bytes.js"
import { sha256Of } from "../signing/digests.js"

/** For how long an answer is kept for repeats, in seconds. */
export const IDEMPOTENCY_SECONDS = 24 * 3600

export class IdempotencyKeyInvalid extends Schema.TaggedError<IdempotencyKeyInvalid>()(
  "IdempotencyKeyInvalid",
  {},
) {
  override get message() {
    return "An Idempotency-Key is 1 to 255 visible ASCII characters"
  }
}

export const IdempotencyKey = Schema.String.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,255}$/),
  Schema.brand("IdempotencyKey"),
)
export type IdempotencyKey = typeof IdempotencyKey.Type

const isKey = Schema.is(IdempotencyKey)

/** The key in the header. Quotes around it, as the draft standard has them, are not part of it. */
export const parseIdempotencyKey = (header: string): Either.Either<IdempotencyKey, IdempotencyKeyInvalid> => {
  const trimmed = header.trim()
  const isQuoted = trimmed.length >= 2 && trimmed.startsWith('"') && trimmed.endsWith('"')
  const key = isQuoted ? trimmed.slice(1, -1) : trimmed
  return isKey(key) ? Either.right(key) : Either.left(new IdempotencyKeyInvalid())
}

const isJsonable = (value: object): value is { toJSON: () => unknown } =>
  "toJSON" in value && typeof value.toJSON === "function"

const hasValue = ([, value]: readonly [string, unknown]): boolean => value !== undefined

/** JSON with the names of every object in order, so that equal values are equal texts. Absent and undefined are the same. */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (isJsonable(value)) return canonicalJson(value.toJSON())
  const members = Object.entries(value)
    .filter(hasValue)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(",")}}`
}

/**
 * Equal for requests that ask for the same: the same method and path template, and the same body once decoded, so
 * that neither the order of fields nor a default written out matters.
 */
export const fingerprint = (method: string, pathTemplate: string, body: unknown): string =>
  hexOf(sha256Of(canonicalJson([method.toUpperCase(), pathTemplate, body])))
