import { type Balance, customerAccount, type Hold, type Posting } from "./Ledger.js"

/** Everything that a ledger has written down. */
export interface LedgerRecords {
  readonly balances: Iterable<Balance>
  readonly holds: Iterable<Hold>
  readonly postings: Iterable<Posting>
}

/** A number that is not what the records say it should be. */
export interface Discrepancy {
  readonly kind:
    | "transaction_unbalanced"
    | "transaction_repeated"
    | "posted_differs"
    | "held_differs"
    | "below_floor"
    | "floor_differs"
    | "settled_above_hold"
    | "settlement_differs"
    | "balance_missing"
  /** The transaction, account or job. */
  readonly subject: string
  readonly expected: number
  readonly actual: number
}

const add = (sums: Map<string, number>, key: string, amount: number) => {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}

const summed = (postings: Iterable<Posting>) => {
  const ofTransaction = new Map<string, number>()
  const ofAccount = new Map<string, number>()
  const settledOfJob = new Map<string, number>()
  const sides = new Map<string, number>()
  for (const posting of postings) {
    add(ofTransaction, posting.transaction, posting.amount)
    add(ofAccount, posting.account, posting.amount)
    add(sides, `${posting.transaction} ${posting.account}`, 1)
    if (posting.kind === "settlement" && posting.job !== null && posting.account === "revenue") {
      add(settledOfJob, posting.job, posting.amount)
    }
  }
  return { ofTransaction, ofAccount, settledOfJob, sides }
}

/** Recomputes the whole ledger from its entries and holds. An empty list: every law holds. */
export const verifyLedger = (records: LedgerRecords): ReadonlyArray<Discrepancy> => {
  const found: Array<Discrepancy> = []
  const expect = (kind: Discrepancy["kind"], subject: string, expected: number, actual: number) => {
    if (expected !== actual) found.push({ kind, subject, expected, actual })
  }
  const sums = summed(records.postings)
  for (const [transaction, sum] of sums.ofTransaction) expect("transaction_unbalanced", transaction, 0, sum)
  for (const [side, count] of sums.sides) expect("transaction_repeated", side, 1, count)

  const heldOf = new Map<string, number>()
  for (const hold of records.holds) {
    if (hold.state === "open") add(heldOf, hold.account, hold.amount)
    expect("settled_above_hold", hold.job, Math.min(hold.settled, hold.amount), hold.settled)
    expect("settlement_differs", hold.job, sums.settledOfJob.get(hold.job) ?? 0, hold.settled)
    sums.settledOfJob.delete(hold.job)
  }
  for (const [job, amount] of sums.settledOfJob) expect("settlement_differs", job, amount, 0)

  const known = new Set<string>()
  for (const { account, posted, held, floor } of records.balances) {
    known.add(customerAccount(account))
    expect("posted_differs", account, sums.ofAccount.get(customerAccount(account)) ?? 0, posted)
    expect("held_differs", account, heldOf.get(account) ?? 0, held)
    expect("below_floor", account, Math.max(posted - held, floor), posted - held)
    expect("floor_differs", account, Math.min(0, posted - held), floor)
    heldOf.delete(account)
  }
  for (const [account, amount] of heldOf) expect("balance_missing", account, amount, 0)
  for (const [account, amount] of sums.ofAccount) {
    if (account.startsWith(customerAccount("")) && !known.has(account)) {
      expect("balance_missing", account, amount, 0)
    }
  }
  return found
}
