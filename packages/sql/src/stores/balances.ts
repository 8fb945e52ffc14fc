import {
  type Balance,
  decide,
  type LedgerOperation,
  type OutOfCredits,
  type Posting,
} from "@earmark/core/credits"
import { type AccountId, AccountNotFound } from "@earmark/core/jobs"
import { Effect, Either } from "effect"
import type { QueryResultRow } from "pg"
import type { Run } from "../database/Database.js"
import { DatabaseFailure } from "../database/DatabaseFailure.js"
import { timeText } from "../database/values.js"
import { newId } from "./ids.js"

interface BalanceRow extends QueryResultRow {
  readonly posted: number
  readonly held: number
  readonly floor: number
  readonly moment: number
}

/** The balance of an account, locked: the first thing that every change of credits does. */
export const lockBalance = (run: Run, account: AccountId) =>
  Effect.flatMap(
    run<BalanceRow>(
      "SELECT posted, held, floor, earmark_now() AS moment FROM credit_balance WHERE account_id = $1 FOR UPDATE",
      [account],
    ),
    ([row]) => (row === undefined ? Effect.fail(new AccountNotFound({ id: account })) : Effect.succeed(row)),
  )

/** Does what core decides over the balance of an account, which is locked already. */
export const postLocked = (run: Run, account: AccountId, before: BalanceRow, operation: LedgerOperation) =>
  Effect.gen(function* () {
    const balance: Balance = { account, posted: before.posted, held: before.held, floor: before.floor }
    let transaction = ""
    const decideKnowing = (isKnown: boolean) =>
      decide(
        {
          balance: () => balance,
          hold: () => undefined,
          hasTransaction: (asked) => {
            transaction = asked
            return isKnown
          },
        },
        operation,
      )
    // Core names the transaction; asked once more, it knows whether that was written before.
    decideKnowing(false)
    const known = yield* run("SELECT 1 FROM credit_entry WHERE tx = $1 LIMIT 1", [transaction])
    const decided = decideKnowing(known.length > 0)
    if (Either.isLeft(decided)) {
      if (decided.left._tag === "LedgerMisused") return yield* Effect.die(decided.left)
      return yield* decided.left
    }
    const { balance: after, postings } = decided.right
    if (after === undefined) return balance
    yield* run("UPDATE credit_balance SET posted = $2, held = $3, floor = $4 WHERE account_id = $1", [
      account,
      after.posted,
      after.held,
      after.floor,
    ])
    for (const posting of postings) yield* writePosting(run, posting, before.moment)
    return after
  })

const writePosting = (run: Run, { transaction, account, amount, kind, job }: Posting, now: number) =>
  run(
    "INSERT INTO credit_entry (id, tx, account, amount, kind, job_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    [newId("entry", now), transaction, account, amount, kind, job, timeText(now)],
  ).pipe(
    // Another account was given the same payment at the same moment: looked at again, it is known.
    Effect.mapError((failure) =>
      failure.constraint === "credit_entry_once"
        ? new DatabaseFailure({ ...failure, kind: "conflict" })
        : failure,
    ),
  )

/** Payments and grants cannot lack credits. */
export const never = (error: OutOfCredits) => Effect.die(error)
