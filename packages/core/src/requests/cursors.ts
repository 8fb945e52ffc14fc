/** Places in a list that clients hold without being able to read, forge, or carry over to another list. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { base64urlOf, bytesOfBase64url, joinBytes, utf8 } from "../signing/bytes.js"
import { equalBytes } from "../signing/constantTime.js"
import { hmacSha256 } from "../signing/digests.js"

/** What a cursor is good for: one list of one account in one order. The filters of a list belong into its name. */
export interface CursorScope {
  readonly account: string
  readonly list: string
  readonly order: "desc" | "asc"
}

/** The sort key of the last item shown, for example its time and its id. */
export type CursorPosition = ReadonlyArray<string | number>

export class CursorInvalid extends Schema.TaggedError<CursorInvalid>()("CursorInvalid", {}) {
  override get message() {
    return "The cursor is not one that this list has given out; start without a cursor"
  }
}

const VERSION = 1
const MAC_BYTES = 16
const LONGEST_CURSOR = 1024
const SHAPE = /^[A-Za-z0-9_-]+$/

const Position = Schema.parseJson(Schema.Array(Schema.Union(Schema.String, Schema.Number)))
const decodePosition = Schema.decodeEither(Position)

const macOf = (key: Uint8Array, scope: CursorScope, payload: string): Uint8Array =>
  hmacSha256(key, JSON.stringify([VERSION, scope.account, scope.list, scope.order, payload])).subarray(
    0,
    MAC_BYTES,
  )

/** The opaque text for a place. */
export const makeCursor = (key: Uint8Array, scope: CursorScope, position: CursorPosition): string => {
  const payload = JSON.stringify(position)
  return base64urlOf(joinBytes(Uint8Array.of(VERSION), macOf(key, scope, payload), utf8(payload)))
}

/** The place in a cursor of this list. Anything else is invalid, for one and the same reason. */
export const openCursor = (
  key: Uint8Array,
  scope: CursorScope,
  cursor: string,
): Either.Either<CursorPosition, CursorInvalid> => {
  const invalid = Either.left(new CursorInvalid())
  if (cursor.length > LONGEST_CURSOR || !SHAPE.test(cursor)) return invalid
  // A rest of one character stands for no byte.
  if (cursor.length % 4 === 1) return invalid
  const bytes = bytesOfBase64url(cursor)
  // A second text for the same bytes would be a cursor that was never given out.
  if (bytes.length <= 1 + MAC_BYTES || bytes[0] !== VERSION || base64urlOf(bytes) !== cursor) {
    return invalid
  }
  const payload = new TextDecoder().decode(bytes.subarray(1 + MAC_BYTES))
  if (!equalBytes(bytes.subarray(1, 1 + MAC_BYTES), macOf(key, scope, payload))) return invalid
  return Either.mapLeft(decodePosition(payload), () => new CursorInvalid())
}
