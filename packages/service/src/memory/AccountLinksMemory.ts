import { AccountNotFound } from "@earmark/core/jobs"
import { Effect, Either, Layer } from "effect"
import { AccountLinks, type Identity } from "../ports/AccountLinks.js"
import { MemoryDatabase } from "./MemoryDatabase.js"

const keyOf = ({ issuer, subject }: Identity): string => JSON.stringify([issuer, subject])

export const layer = Layer.effect(
  AccountLinks,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return AccountLinks.of({
      find: (identity) => transact((db) => Either.right(db.accountLinks.get(keyOf(identity)) ?? null)),
      link: (identity, account) =>
        transact((db) => {
          const known = db.accountLinks.get(keyOf(identity))
          if (known !== undefined) return Either.right(known)
          if (!db.accounts.has(account)) return Either.left(new AccountNotFound({ id: account }))
          db.accountLinks.set(keyOf(identity), account)
          return Either.right(account)
        }),
      unlink: (identity) =>
        transact((db) => {
          const was = db.accountLinks.has(keyOf(identity))
          db.accountLinks.delete(keyOf(identity))
          return Either.right(was)
        }),
    })
  }),
)
