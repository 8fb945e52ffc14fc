import { type AccountId, type KeyId, KeyNotFound } from "@earmark/core/jobs"
import type { ApiKey, PatchKey } from "@earmark/core/wire"
import { DateTime, Effect, Either, Layer } from "effect"
import { ApiKeys, type Bearer } from "../ports/Accounts.js"
import { usedOf } from "./keySpending.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import { mapPage, pageOf } from "./pages.js"
import type { ApiKeyRow } from "./rows.js"

const ONE_MINUTE = 60_000

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString("hex")

const moment = (milliseconds: number | null): DateTime.Utc | null =>
  milliseconds === null ? null : DateTime.unsafeMake(milliseconds)

const shown = (db: Transaction, row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  last4: row.last4,
  scopes: row.scopes,
  expiresAt: moment(row.expiresAt),
  lastUsedAt: moment(row.lastUsedAt),
  createdAt: DateTime.unsafeMake(row.createdAt),
  revokedAt: moment(row.revokedAt),
  monthlyCredits: row.monthlyCredits,
  monthlyCreditsUsed: usedOf(db, row.id),
})

const findBearer = (db: Transaction, hash: Uint8Array): Bearer | null => {
  const row = db.apiKeys.get(db.keyHashes.get(hex(hash)) ?? "")
  if (row === undefined || row.revokedAt !== null) return null
  if (row.expiresAt !== null && row.expiresAt <= db.now) return null
  if (row.lastUsedAt === null || db.now - row.lastUsedAt >= ONE_MINUTE) {
    db.apiKeys.set(row.id, { ...row, lastUsedAt: db.now })
  }
  return { key: row.id, account: row.account, scopes: row.scopes }
}

const change = (
  db: Transaction,
  account: AccountId,
  id: KeyId,
  changed: (row: ApiKeyRow) => Partial<ApiKeyRow>,
): Either.Either<ApiKey, KeyNotFound> => {
  const row = db.apiKeys.get(id)
  if (row?.account !== account) return Either.left(new KeyNotFound({ id }))
  const next = { ...row, ...changed(row) }
  db.apiKeys.set(id, next)
  return Either.right(shown(db, next))
}

const patched = ({ name, monthlyCredits }: PatchKey): Partial<ApiKeyRow> => ({
  ...(name !== undefined && { name }),
  ...(monthlyCredits !== undefined && { monthlyCredits }),
})

export const layer = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return ApiKeys.of({
      create: ({ hash, ...key }) =>
        transact((db) => {
          if (db.apiKeys.get(key.id) !== undefined) return Either.right(null)
          const row = { ...key, lastUsedAt: null, revokedAt: null }
          db.apiKeys.set(row.id, row)
          db.keyHashes.set(hex(hash), row.id)
          return Either.right(shown(db, row))
        }),
      find: (hash) => transact((db) => Either.right(findBearer(db, hash))),
      list: (account, page) =>
        transact((db) => {
          const own = db.apiKeys.filter((row) => row.account === account)
          return Either.right(mapPage(pageOf(own, page), (row) => shown(db, row)))
        }),
      get: (account, id) => transact((db) => change(db, account, id, () => ({}))),
      update: (account, id, patch) => transact((db) => change(db, account, id, () => patched(patch))),
      revoke: (account, id) =>
        transact((db) => change(db, account, id, ({ revokedAt }) => ({ revokedAt: revokedAt ?? db.now }))),
    })
  }),
)
