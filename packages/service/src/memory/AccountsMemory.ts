import { emptyBalance } from "@earmark/core/credits"
import { type AccountId, AccountNotFound } from "@earmark/core/jobs"
import type { Account } from "@earmark/core/wire"
import { DateTime, Effect, Either, Layer } from "effect"
import { Accounts } from "../ports/Accounts.js"
import { postSafely } from "./credits.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import { mapPage, pageOf } from "./pages.js"

const noLimits: Account["limits"] = { maxMediaMinutes: null, maxUploadBytes: null, maxWaitingJobs: null }

const find = (db: Transaction, id: AccountId): Either.Either<Account, AccountNotFound> =>
  Either.fromNullable(db.accounts.get(id), () => new AccountNotFound({ id }))

const change = (db: Transaction, id: AccountId, changed: Partial<Pick<Account, "name" | "limits">>) =>
  Either.map(find(db, id), (account): Account => {
    const next = { ...account, ...changed }
    db.accounts.set(id, next)
    return next
  })

const placed = (account: Account) => ({
  account,
  id: account.id,
  createdAt: DateTime.toEpochMillis(account.createdAt),
})

export const layer = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return Accounts.of({
      create: ({ id, name, email, freeCredits, createdAt }) =>
        transact((db) => {
          const known = db.accounts.get(id)
          if (known !== undefined) return Either.right(known)
          const account: Account = {
            id,
            name,
            email,
            isPaid: false,
            limits: noLimits,
            createdAt: DateTime.unsafeMake(createdAt),
          }
          db.accounts.set(id, account)
          db.balances.set(id, emptyBalance(id))
          if (freeCredits > 0) postSafely(db, { type: "sign_up", account: id, amount: freeCredits })
          return Either.right(account)
        }),
      get: (id) => transact((db) => find(db, id)),
      findByEmail: (email) =>
        transact((db) => {
          const found = [...db.accounts.values()]
            .filter((account) => account.email?.toLowerCase() === email.toLowerCase())
            .sort((left, right) => DateTime.Order(left.createdAt, right.createdAt))
          return Either.right(found[0] ?? null)
        }),
      list: (page) =>
        transact((db) => {
          const all = [...db.accounts.values()].map(placed)
          return Either.right(mapPage(pageOf(all, page), ({ account }) => account))
        }),
      rename: (id, name) => transact((db) => change(db, id, { name })),
      setLimits: (id, limits) => transact((db) => change(db, id, { limits })),
    })
  }),
)
