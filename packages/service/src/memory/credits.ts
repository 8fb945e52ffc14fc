import {
  availableOf,
  type Balance,
  decide,
  type LedgerOperation,
  type OutOfCredits,
} from "@earmark/core/credits"
import { Either } from "effect"
import type { StoredJob } from "../ports/records.js"
import type { Transaction } from "./MemoryDatabase.js"
import { openReload } from "./openReload.js"

/** Keeps a balance, and opens a reload when too little is left of it. */
const keepBalance = (db: Transaction, balance: Balance): void => {
  const before = db.balances.get(balance.account)
  db.balances.set(balance.account, balance)
  if (before !== undefined && availableOf(balance) < availableOf(before)) openReload(db, balance)
}

/** Does what core decides. An operation that no correct program asks for is a defect. */
export const post = (db: Transaction, operation: LedgerOperation): Either.Either<void, OutOfCredits> => {
  const decided = decide(
    {
      balance: (account) => db.balances.get(account),
      hold: (job) => db.holds.get(job),
      hasTransaction: (transaction) => db.transactions.has(transaction),
    },
    operation,
  )
  if (Either.isLeft(decided)) {
    if (decided.left._tag === "LedgerMisused") throw decided.left
    return Either.left(decided.left)
  }
  const { balance, hold, postings } = decided.right
  if (balance !== undefined) keepBalance(db, balance)
  if (hold !== undefined) db.holds.set(hold.job, hold)
  for (const posting of postings) {
    const id = db.newId("entry")
    db.postings.set(id, { ...posting, id, createdAt: db.now })
    db.transactions.set(posting.transaction, true)
  }
  return Either.void
}

/** An operation that cannot lack credits. */
export const postSafely = (db: Transaction, operation: LedgerOperation): void => {
  Either.getOrThrowWith(post(db, operation), (error) => error)
}

/** Holds credits for the run that a job is in; holding nothing is no hold. */
export const holdFor = (
  db: Transaction,
  job: Pick<StoredJob, "id" | "account" | "state">,
  amount: number,
): Either.Either<void, OutOfCredits> => {
  if (amount === 0) return Either.void
  const run = job.state.run
  const hold = db.holds.get(job.id)
  return hold?.run === run && hold.state === "open"
    ? post(db, { type: "raise", job: job.id, run, amount })
    : post(db, { type: "hold", account: job.account, job: job.id, run, amount })
}

/** Gives the credits of a job back that comes to nothing. */
export const releaseHold = (db: Transaction, job: StoredJob): void => {
  if (db.holds.get(job.id)?.state === "open") {
    postSafely(db, { type: "release", job: job.id, run: job.state.run })
  }
}

/** Turns the credits held for a done job into what it costs. */
export const settleHold = (db: Transaction, job: StoredJob, amount: number): void => {
  if (amount === 0 && !db.holds.has(job.id)) return
  postSafely(db, { type: "settle", job: job.id, run: job.state.run, amount })
}

export const balanceOf = (db: Transaction, account: string): Balance | undefined => db.balances.get(account)
