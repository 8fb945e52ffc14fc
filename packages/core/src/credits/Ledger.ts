/**
 * The rules of the credit ledger, as decisions over the few rows that each operation touches.
 * A store loads those rows, asks `decide`, and writes the change in the same transaction.
 */

import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { counted } from "../text/counted.js"
import { ownReference } from "./referenceOf.js"

/** What a customer has. `posted` is the sum of the entries; `held` that of the open holds. */
export interface Balance {
  readonly account: string
  readonly posted: number
  readonly held: number
  /**
   * `posted - held` is never below it. 0, but for what refunds and disputes took away after it was spent:
   * then exactly `posted - held`, and it comes back up with the balance, so that no debt becomes credit.
   */
  readonly floor: number
}

/** Credits set aside for one job. There is one hold per job; a retry opens it again for its own run. */
export interface Hold {
  readonly job: string
  readonly account: string
  readonly run: number
  readonly amount: number
  readonly state: "open" | "settled" | "released"
  readonly settled: number
}

export type PostingKind = "signup" | "purchase" | "reload" | "settlement" | "refund" | "adjustment"

/** One side of a transaction. The sides of a transaction sum to zero, and name an account once. */
export interface Posting {
  readonly transaction: string
  /** `customer:<account>`, `payments`, `grants`, `revenue` or `adjustments`. */
  readonly account: string
  readonly amount: number
  readonly kind: PostingKind
  readonly job: string | null
}

export type LedgerOperation =
  /**
   * Free credits or a correction by the operator (which may be negative). `reference` makes it happen once for the account, also
   * beside a top-up of the provider `operator` for the payment `<account>:<reference>`.
   */
  | { readonly type: "sign_up"; readonly account: string; readonly amount: number }
  | {
      readonly type: "adjust"
      readonly account: string
      readonly amount: number
      readonly reference: string
    }
  /** A payment that succeeded. The same payment of a provider credits once. */
  | {
      readonly type: "top_up"
      readonly account: string
      readonly amount: number
      readonly provider: string
      readonly payment: string
      readonly kind: "purchase" | "reload"
    }
  /** Money that went back to the payer, by a refund or a dispute. The one operation that may go below zero. */
  | { readonly type: "refund"; readonly account: string; readonly amount: number; readonly reference: string }
  | {
      readonly type: "hold"
      readonly account: string
      readonly job: string
      readonly run: number
      readonly amount: number
    }
  /** Sets an open hold to a higher amount, once the length of the media is known. A lower one changes nothing. */
  | { readonly type: "raise"; readonly job: string; readonly run: number; readonly amount: number }
  | { readonly type: "settle"; readonly job: string; readonly run: number; readonly amount: number }
  | { readonly type: "release"; readonly job: string; readonly run: number }

/** The rows that an operation may need. */
export interface LedgerView {
  readonly balance: (account: string) => Balance | undefined
  readonly hold: (job: string) => Hold | undefined
  readonly hasTransaction: (transaction: string) => boolean
}

/** The rows that an operation writes. All absent or empty: it had been done before. */
export interface LedgerChange {
  readonly balance?: Balance
  readonly hold?: Hold
  readonly postings: ReadonlyArray<Posting>
}

const are = (count: number): string => (count === 1 ? "is" : "are")

export class OutOfCredits extends Schema.TaggedError<OutOfCredits>()("OutOfCredits", {
  balance: Schema.Int,
  available: Schema.Int,
  needed: Schema.Int,
}) {
  override get message() {
    return `${counted(this.needed, "credit")} ${are(this.needed)} needed and ${this.available} ${are(this.available)} available`
  }
}

/** An operation that no correct program asks for; a store treats it as a defect. */
export class LedgerMisused extends Schema.TaggedError<LedgerMisused>()("LedgerMisused", {
  reason: Schema.Literal(
    "amount_invalid",
    "account_unknown",
    "hold_unknown",
    "hold_of_other_account",
    "hold_closed",
    "run_over",
    "settled_above_hold",
  ),
}) {}

export type LedgerRefusal = OutOfCredits | LedgerMisused
type Decision = Either.Either<LedgerChange, LedgerRefusal>

/** A balance of nothing. */
export const emptyBalance = (account: string): Balance => ({ account, posted: 0, held: 0, floor: 0 })

/** What new jobs may use. */
export const availableOf = (balance: Balance): number => balance.posted - balance.held

/** The ledger account of a customer. */
export const customerAccount = (account: string): string => `customer:${account}`

const nothing: Decision = Either.right({ postings: [] })
const misused = (reason: LedgerMisused["reason"]): Decision => Either.left(new LedgerMisused({ reason }))
// Sums of a million amounts of this size are still exact.
const LARGEST_AMOUNT = 1_000_000_000
const isAmount = (amount: number, least: number) =>
  Number.isSafeInteger(amount) && amount >= least && amount <= LARGEST_AMOUNT

/** Moves `posted` and `held`; a floor below zero follows the balance up, never down. */
const moved = (balance: Balance, by: { readonly posted?: number; readonly held?: number }): Balance => {
  const posted = balance.posted + (by.posted ?? 0)
  const held = balance.held + (by.held ?? 0)
  return { ...balance, posted, held, floor: Math.min(0, Math.max(balance.floor, posted - held)) }
}

const fits = (balance: Balance, more: number): boolean => availableOf(balance) - more >= balance.floor

const lacking = (balance: Balance, needed: number): Decision =>
  Either.left(
    new OutOfCredits({ balance: balance.posted, available: Math.max(0, availableOf(balance)), needed }),
  )

interface Transfer {
  readonly account: string
  readonly amount: number
  readonly against: "payments" | "grants" | "adjustments"
  readonly transaction: string
  readonly kind: PostingKind
}

const postingsOf = (transfer: Omit<Transfer, "against"> & { readonly against: string }, job: string | null) =>
  [
    { account: customerAccount(transfer.account), amount: transfer.amount },
    { account: transfer.against, amount: -transfer.amount },
  ].map((side) => ({ ...side, transaction: transfer.transaction, kind: transfer.kind, job }))

const transferTo = (view: LedgerView, operation: MoneyOperation): Decision => {
  if (transactionsOf(operation).some(view.hasTransaction)) return nothing
  const transfer = transferOf(operation)
  const before = view.balance(transfer.account) ?? emptyBalance(transfer.account)
  const isRefund = transfer.kind === "refund"
  if (!isRefund && transfer.amount < 0 && !fits(before, -transfer.amount)) {
    return lacking(before, -transfer.amount)
  }
  const after = moved(before, { posted: transfer.amount })
  const floor = isRefund ? Math.min(after.floor, availableOf(after)) : after.floor
  return Either.right({ balance: { ...after, floor }, postings: postingsOf(transfer, null) })
}

const openHold = (
  view: LedgerView,
  { account, job, run, amount }: LedgerOperation & { readonly type: "hold" },
): Decision => {
  if (!isAmount(amount, 1)) return misused("amount_invalid")
  const known = view.hold(job)
  if (known !== undefined) {
    if (known.account !== account) return misused("hold_of_other_account")
    if (run < known.run) return misused("run_over")
    // A late repeat of a hold that was closed since must not open it again.
    if (run === known.run) return nothing
    if (known.state !== "released") return misused("hold_closed")
  }
  const before = view.balance(account)
  if (before === undefined) return misused("account_unknown")
  if (!fits(before, amount)) return lacking(before, amount)
  return Either.right({
    balance: moved(before, { held: amount }),
    hold: { job, account, run, amount, state: "open", settled: 0 },
    postings: [],
  })
}

interface HeldRows {
  readonly hold: Hold
  readonly balance: Balance
}

const held = (view: LedgerView, job: string, run: number): Either.Either<HeldRows, LedgerMisused> => {
  const hold = view.hold(job)
  const balance = hold === undefined ? undefined : view.balance(hold.account)
  if (hold === undefined || run > hold.run) return Either.left(new LedgerMisused({ reason: "hold_unknown" }))
  if (run < hold.run) return Either.left(new LedgerMisused({ reason: "run_over" }))
  if (balance === undefined) return Either.left(new LedgerMisused({ reason: "account_unknown" }))
  return Either.right({ hold, balance })
}

const raiseHold = ({ hold, balance }: HeldRows, amount: number): Decision => {
  if (!isAmount(amount, 1)) return misused("amount_invalid")
  if (hold.state !== "open") return misused("hold_closed")
  const more = amount - hold.amount
  if (more <= 0) return nothing
  if (!fits(balance, more)) return lacking(balance, more)
  return Either.right({ balance: moved(balance, { held: more }), hold: { ...hold, amount }, postings: [] })
}

const settleHold = ({ hold, balance }: HeldRows, amount: number): Decision => {
  if (!isAmount(amount, 0)) return misused("amount_invalid")
  if (hold.state === "settled") return nothing
  if (hold.state === "released") return misused("hold_closed")
  if (amount > hold.amount) return misused("settled_above_hold")
  const transfer = {
    account: hold.account,
    amount: -amount,
    against: "revenue",
    transaction: `settle:${hold.job}`,
    kind: "settlement",
  } as const
  return Either.right({
    balance: moved(balance, { posted: -amount, held: -hold.amount }),
    hold: { ...hold, state: "settled", settled: amount },
    postings: amount === 0 ? [] : postingsOf(transfer, hold.job),
  })
}

const releaseHold = ({ hold, balance }: HeldRows): Decision => {
  if (hold.state === "released") return nothing
  if (hold.state === "settled") return misused("hold_closed")
  return Either.right({
    balance: moved(balance, { held: -hold.amount }),
    hold: { ...hold, state: "released" },
    postings: [],
  })
}

/** What moves money: it is counted once for its reference or payment. */
export type MoneyOperation = Extract<
  LedgerOperation,
  { readonly type: "sign_up" | "adjust" | "top_up" | "refund" }
>

const transferOf = (operation: MoneyOperation): Transfer => {
  const { account, amount } = operation
  switch (operation.type) {
    case "sign_up":
      return { account, amount, against: "grants", transaction: `signup:${account}`, kind: "signup" }
    case "adjust": {
      const transaction = `adjust:${account}:${operation.reference}`
      return { account, amount, against: "adjustments", transaction, kind: "adjustment" }
    }
    case "top_up": {
      const transaction = `topup:${operation.provider}:${operation.payment}`
      return { account, amount, against: "payments", transaction, kind: operation.kind }
    }
    case "refund": {
      const transaction = `refund:${operation.reference}`
      return { account, amount: -amount, against: "payments", transaction, kind: "refund" }
    }
  }
}

/** The payments of the provider `operator` begin with the account, since two accounts may have the same reference. */
const grantedReference = (operation: MoneyOperation): string | null => {
  const { account } = operation
  if (operation.type === "adjust") return ownReference(account, operation.reference)
  const isGrant =
    operation.type === "top_up" &&
    operation.provider === "operator" &&
    operation.payment.startsWith(`${account}:`)
  return isGrant ? ownReference(account, operation.payment) : null
}

/**
 * The transactions by which an operation may be in the ledger already; with any of them it was counted. The same grant can be
 * there as an adjustment or as a purchase, and adjustments of SQL stores have the account in their reference.
 */
export const transactionsOf = (operation: MoneyOperation): ReadonlyArray<string> => {
  const { transaction } = transferOf(operation)
  const reference = grantedReference(operation)
  if (reference === null) return [transaction]
  const { account } = operation
  const alike = [
    `adjust:${account}:${reference}`,
    `adjust:${account}:${account}:${reference}`,
    `topup:operator:${account}:${reference}`,
  ]
  return [...new Set([transaction, ...alike])]
}

const moveMoney = (view: LedgerView, operation: MoneyOperation): Decision => {
  const amount = operation.type === "adjust" ? Math.abs(operation.amount) : operation.amount
  return isAmount(amount, 1) ? transferTo(view, operation) : misused("amount_invalid")
}

const moveHold = (
  view: LedgerView,
  operation: Extract<LedgerOperation, { readonly type: "raise" | "settle" | "release" }>,
): Decision =>
  Either.flatMap(held(view, operation.job, operation.run), (rows) => {
    if (operation.type === "raise") return raiseHold(rows, operation.amount)
    return operation.type === "settle" ? settleHold(rows, operation.amount) : releaseHold(rows)
  })

/** The change that an operation makes. Repeating an operation changes nothing more. */
export const decide = (view: LedgerView, operation: LedgerOperation): Decision => {
  switch (operation.type) {
    case "sign_up":
    case "adjust":
    case "top_up":
    case "refund":
      return moveMoney(view, operation)
    case "hold":
      return openHold(view, operation)
    case "raise":
    case "settle":
    case "release":
      return moveHold(view, operation)
  }
}
