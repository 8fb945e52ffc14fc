import { randomBytes } from "node:crypto"
import {
  AccountId,
  BatchId,
  DeliveryId,
  EndpointId,
  ID_RANDOM_BYTES,
  type IdKind,
  JobId,
  KeyId,
  makeId,
  PurchaseId,
} from "@earmark/core/jobs"
import { Clock, Context, Effect } from "effect"

/** Bytes that nobody can guess: ids, keys, secrets and nonces are made of them. */
export class Entropy extends Context.Reference<Entropy>()("@earmark/service/Entropy", {
  defaultValue: () => ({ bytes: (count: number): Uint8Array => randomBytes(count) }),
}) {}

export const randomOf = (count: number): Effect.Effect<Uint8Array> =>
  Effect.map(Entropy, (entropy) => entropy.bytes(count))

const newId = Effect.fnUntraced(function* (kind: IdKind) {
  const now = yield* Clock.currentTimeMillis
  return makeId(kind, now, yield* randomOf(ID_RANDOM_BYTES))
})

export const newAccountId = Effect.map(newId("account"), (id) => AccountId.make(id))
export const newBatchId = Effect.map(newId("batch"), (id) => BatchId.make(id))
export const newDeliveryId = Effect.map(newId("delivery"), (id) => DeliveryId.make(id))
export const newEndpointId = Effect.map(newId("endpoint"), (id) => EndpointId.make(id))
export const newJobId = Effect.map(newId("job"), (id) => JobId.make(id))
export const newKeyId = Effect.map(newId("key"), (id) => KeyId.make(id))
export const newPurchaseId = Effect.map(newId("purchase"), (id) => PurchaseId.make(id))

/** A random uuid (version 4). */
export const newUuid = Effect.map(randomOf(16), (random) => {
  const bytes = Uint8Array.from(random)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
})
