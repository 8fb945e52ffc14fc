import {
  type Balance,
  type Hold,
  type MoneyOperation,
  type Posting,
  type PostingKind,
  referenceOf,
  verifyLedger,
} from "@earmark/core/credits"
import { type AccountId, AccountNotFound } from "@earmark/core/jobs"
import { Ledger, type LedgerLine, type Page } from "@earmark/service"
import { Effect, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database } from "../database/Database.js"
import { PLAN_EACH_TIME } from "../database/statements.js"
import { autoReloads } from "./autoReloads.js"
import { lockBalance, never, postLocked } from "./balances.js"
import { pageOf, pageSql, spanSql } from "./pages.js"

interface EntryRow extends QueryResultRow {
  readonly id: string
  readonly kind: PostingKind
  readonly amount: number
  readonly job_id: string | null
  readonly tx: string
  readonly created_at: number
}

const lineOf =
  (account: AccountId) =>
  (row: EntryRow): LedgerLine => ({
    id: row.id,
    kind: row.kind,
    amount: row.amount,
    job: row.job_id,
    reference: referenceOf({ account, transaction: row.tx }),
    createdAt: row.created_at,
  })

const make = Effect.gen(function* () {
  const database = yield* Database

  const post = (operation: string, account: AccountId, what: MoneyOperation) =>
    database.transaction(
      operation,
      (run) =>
        Effect.gen(function* () {
          const before = yield* lockBalance(run, account)
          return yield* postLocked(run, account, before, what)
        }),
      { account },
    )

  return Ledger.of({
    balance: (account) =>
      Effect.flatMap(
        database.query<Omit<Balance, "account"> & QueryResultRow>(
          "Ledger.balance",
          "SELECT posted, held, floor FROM credit_balance WHERE account_id = $1",
          [account],
          { reads: true, account },
        ),
        ([row]) =>
          row === undefined
            ? Effect.fail(new AccountNotFound({ id: account }))
            : Effect.succeed({ account, posted: row.posted, held: row.held, floor: row.floor }),
      ),

    adjust: (account, amount, reference) =>
      post("Ledger.adjust", account, {
        type: "adjust",
        account,
        amount,
        reference: `${account}:${reference}`,
      }),

    topUp: (account, payment) =>
      database
        .transaction(
          "Ledger.topUp",
          (run) =>
            Effect.gen(function* () {
              const before = yield* lockBalance(run, account)
              const after = yield* postLocked(run, account, before, { type: "top_up", account, ...payment })
              if (payment.kind === "purchase" && after.earlier === null) {
                yield* run("UPDATE account SET is_paid = true WHERE id = $1 AND NOT is_paid", [account])
              }
              return after
            }),
          { account },
        )
        .pipe(Effect.catchTag("OutOfCredits", never)),

    refund: (account, amount, reference) =>
      post("Ledger.refund", account, { type: "refund", account, amount, reference }).pipe(
        Effect.catchTag("OutOfCredits", never),
      ),

    entries: (account, filter) => {
      const { within, bounds } = spanSql(filter, 3)
      const { rest, sorted, values } = pageSql(filter, 5)
      return Effect.map(
        database.query<EntryRow>(
          "Ledger.entries",
          `${PLAN_EACH_TIME} SELECT id, kind, amount, job_id, tx, created_at FROM credit_entry
          WHERE account = $1 AND ($2::text IS NULL OR kind = $2) AND ${within} AND ${rest} ${sorted}`,
          [`customer:${account}`, filter.kind ?? null, ...bounds, ...values],
          { reads: true, account },
        ),
        (rows): Page<LedgerLine> => pageOf(rows.map(lineOf(account)), filter.limit),
      )
    },

    ...autoReloads(database),

    verify: database.transaction("Ledger.verify", (run) =>
      Effect.gen(function* () {
        yield* run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        const balances = yield* run<Balance & QueryResultRow>(
          "SELECT account_id AS account, posted, held, floor FROM credit_balance",
        )
        const holds = yield* run<Hold & QueryResultRow>(
          "SELECT job_id AS job, account_id AS account, run, amount, state, settled FROM credit_hold",
        )
        const postings = yield* run<Posting & QueryResultRow>(
          "SELECT tx AS transaction, account, amount, kind, job_id AS job FROM credit_entry",
        )
        return verifyLedger({ balances, holds, postings })
      }),
    ),
  })
})

export const layer = Layer.effect(Ledger, make)
