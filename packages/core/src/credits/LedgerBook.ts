import * as Either from "effect/Either"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as List from "effect/List"
import * as Option from "effect/Option"
import {
  type Balance,
  decide,
  type Hold,
  type LedgerChange,
  type LedgerOperation,
  type LedgerRefusal,
  type LedgerView,
  type Posting,
} from "./Ledger.js"
import type { LedgerRecords } from "./verifyLedger.js"

/** A whole ledger as one immutable value: the fold over all operations, cheap to keep every version of. */
export interface LedgerBook {
  readonly balances: HashMap.HashMap<string, Balance>
  readonly holds: HashMap.HashMap<string, Hold>
  readonly transactions: HashSet.HashSet<string>
  /** Newest first. */
  readonly postings: List.List<Posting>
}

export const emptyBook: LedgerBook = {
  balances: HashMap.empty(),
  holds: HashMap.empty(),
  transactions: HashSet.empty(),
  postings: List.empty(),
}

/** The rows of a book, for `decide`. */
export const viewOf = (book: LedgerBook): LedgerView => ({
  balance: (account) => Option.getOrUndefined(HashMap.get(book.balances, account)),
  hold: (job) => Option.getOrUndefined(HashMap.get(book.holds, job)),
  hasTransaction: (transaction) => HashSet.has(book.transactions, transaction),
})

/** The book with the rows of a change in it. */
export const record = (book: LedgerBook, { balance, hold, postings }: LedgerChange): LedgerBook => ({
  balances: balance === undefined ? book.balances : HashMap.set(book.balances, balance.account, balance),
  holds: hold === undefined ? book.holds : HashMap.set(book.holds, hold.job, hold),
  transactions: postings.reduce((all, { transaction }) => HashSet.add(all, transaction), book.transactions),
  postings: postings.reduce((all, posting) => List.prepend(all, posting), book.postings),
})

/** The book after one more operation. */
export const apply = (
  book: LedgerBook,
  operation: LedgerOperation,
): Either.Either<LedgerBook, LedgerRefusal> =>
  Either.map(decide(viewOf(book), operation), (change) => record(book, change))

/** Everything in a book, for `verifyLedger`. */
export const recordsOf = (book: LedgerBook): LedgerRecords => ({
  balances: HashMap.values(book.balances),
  holds: HashMap.values(book.holds),
  postings: book.postings,
})
