import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** What an id begins with says what it names. */
const PREFIXES = {
  job: "tr_",
  batch: "batch_",
  endpoint: "we_",
  delivery: "dlv_",
  event: "evt_",
  key: "key_",
  account: "acct_",
  entry: "le_",
  purchase: "pur_",
  reload: "rel_",
} as const

export type IdKind = keyof typeof PREFIXES

// Thirty-two digits without i, l, o, u: an id read aloud or copied by hand stays itself. In code unit order, so ids sort by time.
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
const TIME_DIGITS = 10
const RANDOM_BYTES = 10
const BODY = "[0-7][0-9a-hjkmnp-tv-z]{25}"

const idSchema = <Brand extends string>(kind: IdKind, brand: Brand) =>
  Schema.String.pipe(
    Schema.pattern(new RegExp(`^${PREFIXES[kind]}${BODY}$`), {
      description: `an id that begins with ${PREFIXES[kind]}`,
    }),
    Schema.brand(brand),
  )

export const JobId = idSchema("job", "JobId")
export type JobId = typeof JobId.Type

export const BatchId = idSchema("batch", "BatchId")
export type BatchId = typeof BatchId.Type

export const EndpointId = idSchema("endpoint", "EndpointId")
export type EndpointId = typeof EndpointId.Type

export const DeliveryId = idSchema("delivery", "DeliveryId")
export type DeliveryId = typeof DeliveryId.Type

export const KeyId = idSchema("key", "KeyId")
export type KeyId = typeof KeyId.Type

export const AccountId = idSchema("account", "AccountId")
export type AccountId = typeof AccountId.Type

export const EntryId = idSchema("entry", "EntryId")
export type EntryId = typeof EntryId.Type

export const PurchaseId = idSchema("purchase", "PurchaseId")
export type PurchaseId = typeof PurchaseId.Type

export const ReloadId = idSchema("reload", "ReloadId")
export type ReloadId = typeof ReloadId.Type

export class IdMalformed extends Schema.TaggedError<IdMalformed>()("IdMalformed", { text: Schema.String }) {
  override get message() {
    return "The text is not an id"
  }
}

const digitsOfTime = (now: number): string => {
  let rest = now
  let digits = ""
  for (let place = 0; place < TIME_DIGITS; place++) {
    digits = DIGITS.charAt(rest % 32) + digits
    rest = Math.floor(rest / 32)
  }
  return digits
}

const digitsOfBytes = (bytes: Uint8Array): string => {
  let digits = ""
  let bits = 0
  let width = 0
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    width += 8
    while (width >= 5) {
      width -= 5
      digits += DIGITS.charAt((bits >> width) & 31)
    }
  }
  return digits
}

/** How many random bytes `makeId` takes. */
export const ID_RANDOM_BYTES = RANDOM_BYTES

/**
 * A new id: 48 bits of time, then 80 random bits. Ids of a later millisecond sort after those of an earlier one.
 * `now` is in milliseconds; `random` has `ID_RANDOM_BYTES` bytes.
 */
export const makeId = (kind: IdKind, now: number, random: Uint8Array): string => {
  if (random.length !== RANDOM_BYTES) throw new RangeError(`An id takes ${RANDOM_BYTES} random bytes`)
  return PREFIXES[kind] + digitsOfTime(now) + digitsOfBytes(random)
}

/** The typed id in a text, for example `parseId(BatchId)`. */
export const parseId = <Id extends string>(
  schema: Schema.Schema<Id, string>,
): ((text: string) => Either.Either<Id, IdMalformed>) => {
  const isId = Schema.is(schema)
  return (text) =>
    isId(text) ? Either.right(text) : Either.left(new IdMalformed({ text: text.slice(0, 64) }))
}

/** The millisecond in which an id was made. */
export const timeOfId = (id: string): number => {
  const start = id.lastIndexOf("_") + 1
  let time = 0
  for (const digit of id.slice(start, start + TIME_DIGITS)) time = time * 32 + DIGITS.indexOf(digit)
  return time
}
