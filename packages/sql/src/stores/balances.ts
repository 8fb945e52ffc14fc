import {
  type Balance,
  customerAccount,
  decide,
  type MoneyOperation,
  type OutOfCredits,
  type Posting,
  type PostingKind,
  transactionsOf,
} from "@earmark/core/credits"
import { type AccountId, AccountNotFound } from "@earmark/core/jobs"
import type { Credited } from "@earmark/service"
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

interface KnownRow extends QueryResultRow {
  readonly tx: string
  readonly account: string
  readonly kind: PostingKind
  readonly amount: number
}

/** What the ledger has of an operation, from any side of it that can be seen. */
const earlierOf = ([row]: ReadonlyArray<KnownRow>): Credited["earlier"] => {
  if (row === undefined) return null
  const { kind, account, amount } = row
  return { kind, amount: account.startsWith(customerAccount("")) ? amount : -amount }
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
export const postLocked = (run: Run, account: AccountId, before: BalanceRow, operation: MoneyOperation) =>
  Effect.gen(function* () {
    const balance: Balance = { account, posted: before.posted, held: before.held, floor: before.floor }
    const known = yield* run<KnownRow>(
      "SELECT tx, account, kind, amount FROM credit_entry WHERE tx = ANY($1::text[]) ORDER BY created_at, id",
      [transactionsOf(operation)],
    )
    const decided = decide(
      {
        balance: () => balance,
        hold: () => undefined,
        hasTransaction: (transaction) => known.some(({ tx }) => tx === transaction),
      },
      operation,
    )
    if (Either.isLeft(decided)) {
      if (decided.left._tag === "LedgerMisused") return yield* Effect.die(decided.left)
      return yield* decided.left
    }
    const { balance: after, postings } = decided.right
    const credited = (now: Balance): Credited => ({ ...now, earlier: earlierOf(known) })
    if (after === undefined) return credited(balance)
    yield* run("UPDATE credit_balance SET posted = $2, held = $3, floor = $4 WHERE account_id = $1", [
      account,
      after.posted,
      after.held,
      after.floor,
    ])
    for (const posting of postings) yield* writePosting(run, posting, before.moment)
    return credited(after)
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
