export {
  decideReload,
  type ReloadDecision,
  type ReloadFacts,
  type ReloadSettings,
  retryAfterDecline,
} from "./autoReload.js"
export { batchHolds } from "./batchHolds.js"
export { creditMonth, KeyLimitReached, type KeySpending, requireKeyRoom } from "./keyLimit.js"
export {
  availableOf,
  type Balance,
  customerAccount,
  decide,
  emptyBalance,
  type Hold,
  type LedgerChange,
  LedgerMisused,
  type LedgerOperation,
  type LedgerRefusal,
  type LedgerView,
  type MoneyOperation,
  OutOfCredits,
  type Posting,
  type PostingKind,
  transactionsOf,
} from "./Ledger.js"
export { apply, emptyBook, type LedgerBook, record, recordsOf, viewOf } from "./LedgerBook.js"
export { billableLength, Credits, LONG_FORM_SECONDS, priceOf, rateOf } from "./price.js"
export { referenceOf } from "./referenceOf.js"
export { type Discrepancy, type LedgerRecords, verifyLedger } from "./verifyLedger.js"
