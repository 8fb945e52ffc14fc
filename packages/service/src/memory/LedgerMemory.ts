import {
  type Balance,
  customerAccount,
  type MoneyOperation,
  type OutOfCredits,
  referenceOf,
  transactionsOf,
  verifyLedger,
} from "@earmark/core/credits"
import { type AccountId, AccountNotFound } from "@earmark/core/jobs"
import { Effect, Either, Layer } from "effect"
import { type Credited, Ledger, type LedgerLine } from "../ports/Ledger.js"
import { post, postSafely } from "./credits.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import { noReload } from "./openReload.js"
import { isWithin, mapPage, pageOf } from "./pages.js"
import { forgetDeclines, recordReload, takeDueReloads, takeReload } from "./reloads.js"
import type { PostingRow } from "./rows.js"

const knownBalance = (db: Transaction, account: AccountId): Either.Either<Balance, AccountNotFound> =>
  Either.fromNullable(db.balances.get(account), () => new AccountNotFound({ id: account }))

/** What the ledger has of an operation already. */
const earlierOf = (db: Transaction, operation: MoneyOperation): Credited["earlier"] => {
  const known = transactionsOf(operation).filter((transaction) => db.transactions.has(transaction))
  if (known.length === 0) return null
  const [first] = db.postings.filter(
    ({ transaction, account }) => known.includes(transaction) && account.startsWith(customerAccount("")),
  )
  return first === undefined ? null : { kind: first.kind, amount: first.amount }
}

const posted = (
  db: Transaction,
  account: AccountId,
  operation: MoneyOperation,
): Either.Either<Credited, OutOfCredits | AccountNotFound> =>
  Either.gen(function* () {
    yield* knownBalance(db, account)
    const earlier = earlierOf(db, operation)
    yield* post(db, operation)
    return { ...(yield* knownBalance(db, account)), earlier }
  })

/** `posted` for what adds credits, or may go below zero. */
const postedSafely = (
  db: Transaction,
  account: AccountId,
  operation: MoneyOperation,
): Either.Either<Credited, AccountNotFound> =>
  Either.flatMap(knownBalance(db, account), () => {
    const earlier = earlierOf(db, operation)
    postSafely(db, operation)
    return Either.map(knownBalance(db, account), (balance) => ({ ...balance, earlier }))
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
          Either.map(postedSafely(db, account, { type: "top_up", account, ...payment }), (credited) => {
            if (payment.kind === "purchase" && credited.earlier === null) unlock(db, account)
            return credited
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
