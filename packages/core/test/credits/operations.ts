/** Operations on a ledger, and the numbers that come of them. */
import {
  apply,
  type Balance,
  emptyBook,
  type LedgerBook,
  type LedgerOperation,
  viewOf,
} from "@earmark/core/credits"
import { Either } from "effect"

export const ACCOUNT = "a"

export const after = (...operations: ReadonlyArray<LedgerOperation>): LedgerBook =>
  operations.reduce<LedgerBook>((book, operation) => Either.getOrThrow(apply(book, operation)), emptyBook)

export const balanceOf = (book: LedgerBook, account = ACCOUNT): Balance | undefined =>
  viewOf(book).balance(account)

/** Posted, held and floor. */
export const numbers = (book: LedgerBook) => {
  const balance = balanceOf(book)
  return [balance?.posted, balance?.held, balance?.floor]
}

export const signUp = (amount = 60): LedgerOperation => ({ type: "sign_up", account: ACCOUNT, amount })
export const topUp = (amount: number, payment = "p1", provider = "manual"): LedgerOperation => ({
  type: "top_up",
  account: ACCOUNT,
  amount,
  provider,
  payment,
  kind: "purchase",
})
export const hold = (amount: number, job = "j", run = 0, account = ACCOUNT): LedgerOperation => ({
  type: "hold",
  account,
  job,
  run,
  amount,
})
export const settle = (amount: number, run = 0): LedgerOperation => ({
  type: "settle",
  job: "j",
  run,
  amount,
})
