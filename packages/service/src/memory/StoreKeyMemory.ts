import { keyOfSealed } from "@earmark/core/signing"
import { Effect, Either, Layer } from "effect"
import { type OAuthRecord, SERVER_KEYS } from "../ports/OAuthRecords.js"
import { type KeyReplaced, StoreKey } from "../ports/StoreKey.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"

const ONLY = "secrets key"

const claim = (db: Transaction, id: string): string => {
  const known = db.storeKey.get(ONLY) ?? id
  db.storeKey.set(ONLY, known)
  return known
}

const replace = (db: Transaction, id: string): KeyReplaced => {
  const before = db.storeKey.get(ONLY) ?? null
  db.storeKey.set(ONLY, id)
  const isAnothers = ({ model, payload }: OAuthRecord) =>
    model === SERVER_KEYS && keyOfSealed(payload.sealed) !== id
  const forgotten = db.oauthRecords.filter(isAnothers).length
  db.oauthRecords.deleteWhere(isAnothers)
  return { before, forgotten }
}

export const layer = Layer.effect(
  StoreKey,
  Effect.map(MemoryDatabase, ({ transact }) =>
    StoreKey.of({
      claim: (id) => transact((db) => Either.right(claim(db, id))),
      replace: (id) => transact((db) => Either.right(replace(db, id))),
    }),
  ),
)
