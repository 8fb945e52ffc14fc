import type { Balance, LedgerOperation, OutOfCredits } from "@earmark/core/credits"
import { Either } from "effect"
import type { StoredJob } from "../ports/records.js"
import { deciding } from "./changes.js"
import type { Transaction } from "./MemoryDatabase.js"

/** Does what core decides. An operation that no correct program asks for is a defect. */
export const post = (db: Transaction, operation: LedgerOperation): Either.Either<void, OutOfCredits> =>
  deciding(db, (changes) => changes.post(operation))

/** An operation that cannot lack credits. */
export const postSafely = (db: Transaction, operation: LedgerOperation): void => {
  Either.getOrThrowWith(post(db, operation), (error) => error)
}

/** Holds credits for the run that a job is in. */
export const holdFor = (
  db: Transaction,
  job: Pick<StoredJob, "id" | "account" | "state">,
  amount: number,
): Either.Either<void, OutOfCredits> => deciding(db, (changes) => changes.hold(job, job.state.run, amount))

export const balanceOf = (db: Transaction, account: string): Balance | undefined => db.balances.get(account)
