import {
  type Balance,
  customerAccount,
  type LedgerOperation,
  type OutOfCredits,
  referenceOf,
  verifyLedger,
} from "@earmark/core/credits"
import { type AccountId, AccountNotFound } from "@earmark/core/jobs"
import { Effect, Either, Layer } from "effect"
import { Ledger, type LedgerLine } from "../ports/Ledger.js"
import { post, postSafely } from "./credits.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import { noReload } from "./openReload.js"
import { isWithin, mapPage, pageOf } from "./pages.js"
import { forgetDeclines, recordReload, takeDueReloads, takeReload } from "./reloads.js"
import type { PostingRow } from "./rows.js"

const knownBalance = (db: Transaction, account: AccountId): Either.Either<Balance, AccountNotFound> =>
  Either.fromNullable(db.balances.get(account), () => new AccountNotFound({ id: account }))

const posted = (
  db: Transaction,
  account: AccountId,
  operation: LedgerOperation,
): Either.Either<Balance, OutOfCredits | AccountNotFound> =>
  Either.gen(function* () {
    yield* knownBalance(db, account)
    yield* post(db, operation)
    return yield* knownBalance(db, account)
  })

/** `posted` for what adds credits, or may go below zero. */
const postedSafely = (
  db: Transaction,
  account: AccountId,
  operation: LedgerOperation,
): Either.Either<Balance, AccountNotFound> =>
  Either.flatMap(knownBalance(db, account), () => {
    postSafely(db, operation)
    return knownBalance(db, account)
  })

const unlock = (db: Transaction, account: AccountId): void => {
  const row = db.accounts.get(account)
  if (row !== undefined) db.accounts.set(account, { ...row, isPaid: true })
}

const lineOf = (
  account: AccountId,
  { id, kind, amount, job, transaction, createdAt }: PostingRow,
): LedgerLine => ({
  id,
  kind,
  amount,
  job,
  reference: referenceOf({ account, transaction }),
  createdAt,
})

export const layer = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return Ledger.of({
      balance: (account) => transact((db) => knownBalance(db, account)),
      adjust: (account, amount, reference) =>
        transact((db) => posted(db, account, { type: "adjust", account, amount, reference })),
      topUp: (account, payment) =>
        transact((db) =>
          Either.map(postedSafely(db, account, { type: "top_up", account, ...payment }), (balance) => {
            if (payment.kind === "purchase") unlock(db, account)
            return balance
          }),
        ),
      refund: (account, amount, reference) =>
        transact((db) => postedSafely(db, account, { type: "refund", account, amount, reference })),
      entries: (account, filter) =>
        transact((db) => {
          const own = db.postings.filter(
            (posting) =>
              posting.account === customerAccount(account) &&
              (filter.kind === undefined || posting.kind === filter.kind) &&
              isWithin(posting, filter),
          )
          return Either.right(mapPage(pageOf(own, filter), (row) => lineOf(account, row)))
        }),
      reloadSettings: (account) =>
        transact((db) =>
          Either.map(knownBalance(db, account), () => db.reloadSettings.get(account) ?? noReload),
        ),
      putReloadSettings: (account, settings) =>
        transact((db) =>
          Either.map(knownBalance(db, account), () => {
            db.reloadSettings.set(account, settings)
            forgetDeclines(db, account)
            return settings
          }),
        ),
      takeReload: (account) =>
        transact((db) => Either.map(knownBalance(db, account), (balance) => takeReload(db, balance))),
      takeDueReloads: (limit) => transact((db) => Either.right(takeDueReloads(db, limit))),
      recordReload: (id, outcome) => transact((db) => Either.right(recordReload(db, id, outcome))),
      verify: transact((db) =>
        Either.right(
          verifyLedger({
            balances: db.balances.values(),
            holds: db.holds.values(),
            postings: db.postings.values(),
          }),
        ),
      ),
    })
  }),
)
