import {
  type Balance,
  decide,
  type Hold,
  type LedgerOperation,
  type OutOfCredits,
  type Posting,
  type PostingKind,
  referenceOf,
  verifyLedger,
} from "@earmark/core/credits"
import { type AccountId, AccountNotFound, type ReloadId } from "@earmark/core/jobs"
import {
  Ledger,
  type LedgerLine,
  type Page,
  RELOAD_TAKEN_SECONDS,
  type Reload,
  type ReloadSettings,
} from "@earmark/service"
import { Effect, Either, Layer } from "effect"
import type { QueryResultRow } from "pg"
import { Database, type Run } from "../database/Database.js"
import { DatabaseFailure } from "../database/DatabaseFailure.js"
import { PLAN_EACH_TIME } from "../database/statements.js"
import { timeText } from "../database/values.js"
import { newId } from "./ids.js"
import { pageOf, placeValues } from "./pages.js"

interface BalanceRow extends QueryResultRow {
  readonly posted: number
  readonly held: number
  readonly floor: number
  readonly moment: number
}

interface EntryRow extends QueryResultRow {
  readonly id: string
  readonly kind: PostingKind
  readonly amount: number
  readonly job_id: string | null
  readonly tx: string
  readonly created_at: number
}

interface SettingsRow extends QueryResultRow {
  readonly enabled: boolean
  readonly threshold: number | null
  readonly amount: number | null
  readonly monthly_cap: number | null
}

interface ReloadRow extends QueryResultRow {
  readonly id: ReloadId
  readonly account_id: AccountId
  readonly amount: number
  readonly attempt: number
  readonly state: Reload["state"]
  readonly provider_reference: string | null
  readonly next_at: number
  readonly created_at: number
  readonly declined_at: number | null
}

const OFF: ReloadSettings = { enabled: false, threshold: null, amount: null, monthlyCap: null }

const settingsOf = (row: SettingsRow | undefined): ReloadSettings =>
  row === undefined
    ? OFF
    : { enabled: row.enabled, threshold: row.threshold, amount: row.amount, monthlyCap: row.monthly_cap }

const reloadOf = (row: ReloadRow): Reload => ({
  id: row.id,
  account: row.account_id,
  amount: row.amount,
  attempt: row.attempt,
  state: row.state,
  providerReference: row.provider_reference,
  nextAt: row.next_at,
})

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

const isOpen = ({ state }: ReloadRow): boolean => state === "pending" || state === "processing"

const SETTINGS = "SELECT enabled, threshold, amount, monthly_cap FROM auto_reload WHERE account_id = $1"

const TAKE_RELOAD = `UPDATE reload SET next_at = earmark_now() + $2::double precision * interval '1 second'
WHERE account_id = $1 AND state = 'pending' AND next_at <= earmark_now() RETURNING *`

const TAKE_DUE = `UPDATE reload SET next_at = earmark_now() + $2::double precision * interval '1 second' WHERE id IN (
  SELECT id FROM reload WHERE state IN ('pending', 'processing') AND next_at <= earmark_now()
  ORDER BY next_at, id LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING *`

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

/** The payments and grants of `post`, which cannot lack credits. */
const never = (error: OutOfCredits) => Effect.die(error)

const make = Effect.gen(function* () {
  const database = yield* Database

  const post = (operation: string, account: AccountId, what: LedgerOperation) =>
    database.transaction(
      operation,
      (run) =>
        Effect.gen(function* () {
          const before = yield* lockBalance(run, account)
          return yield* postLocked(run, account, before, what)
        }),
      { account },
    )

  const known = (account: AccountId) =>
    Effect.flatMap(
      database.query("Ledger.account", "SELECT 1 FROM account WHERE id = $1", [account], { reads: true }),
      (rows) => (rows.length === 0 ? Effect.fail(new AccountNotFound({ id: account })) : Effect.void),
    )

  return Ledger.of({
    balance: (account) =>
      Effect.flatMap(
        database.query<BalanceRow>(
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
              if (payment.kind === "purchase") {
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

    entries: (account, { limit, after }) =>
      Effect.map(
        database.query<EntryRow>(
          "Ledger.entries",
          `${PLAN_EACH_TIME} SELECT id, kind, amount, job_id, tx, created_at FROM credit_entry
          WHERE account = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3))
          ORDER BY created_at DESC, id DESC LIMIT $4`,
          [`customer:${account}`, ...placeValues(after), limit + 1],
          { reads: true, account },
        ),
        (rows): Page<LedgerLine> => pageOf(rows.map(lineOf(account)), limit),
      ),

    reloadSettings: (account) =>
      Effect.gen(function* () {
        yield* known(account)
        const [row] = yield* database.query<SettingsRow>("Ledger.reloadSettings", SETTINGS, [account], {
          reads: true,
          account,
        })
        return settingsOf(row)
      }),

    putReloadSettings: (account, settings) =>
      database.transaction(
        "Ledger.putReloadSettings",
        (run) =>
          Effect.gen(function* () {
            yield* lockBalance(run, account)
            yield* run(
              `INSERT INTO auto_reload (account_id, enabled, threshold, amount, monthly_cap) VALUES ($1, $2, $3, $4, $5)
              ON CONFLICT (account_id) DO UPDATE SET enabled = excluded.enabled, threshold = excluded.threshold,
                amount = excluded.amount, monthly_cap = excluded.monthly_cap`,
              [account, settings.enabled, settings.threshold, settings.amount, settings.monthlyCap],
            )
            yield* run(
              "UPDATE reload SET declined_at = NULL WHERE account_id = $1 AND declined_at IS NOT NULL",
              [account],
            )
            return settings
          }),
        { account },
      ),

    takeReload: (account) =>
      database.transaction(
        "Ledger.takeReload",
        (run) =>
          Effect.gen(function* () {
            yield* lockBalance(run, account)
            yield* run("SELECT open_reload($1)", [account])
            const [taken] = yield* run<ReloadRow>(TAKE_RELOAD, [account, RELOAD_TAKEN_SECONDS])
            return taken === undefined ? null : reloadOf(taken)
          }),
        { account },
      ),

    takeDueReloads: (limit) =>
      Effect.map(
        database.query<ReloadRow>("Ledger.takeDueReloads", TAKE_DUE, [limit, RELOAD_TAKEN_SECONDS]),
        (rows) => rows.map(reloadOf),
      ),

    recordReload: (id, { attempt, state, providerReference, nextAt, provider }) =>
      database
        .transaction("Ledger.recordReload", (run) =>
          Effect.gen(function* () {
            const [found] = yield* run<ReloadRow>("SELECT * FROM reload WHERE id = $1", [id])
            if (found === undefined) return
            const balance = yield* lockBalance(run, found.account_id)
            const [reload] = yield* run<ReloadRow>("SELECT * FROM reload WHERE id = $1 FOR UPDATE", [id])
            if (reload === undefined || !isOpen(reload)) return
            yield* run(
              `UPDATE reload SET attempt = $2, state = $3, provider_reference = $4, next_at = $5,
                declined_at = CASE WHEN $3 = 'declined' THEN earmark_now() END WHERE id = $1`,
              [id, attempt, state, providerReference, timeText(nextAt)],
            )
            if (state !== "succeeded") return
            const { account_id: account, amount } = reload
            const payment = { provider, payment: providerReference ?? id, kind: "reload" } as const
            yield* postLocked(run, account, balance, { type: "top_up", account, amount, ...payment })
          }),
        )
        .pipe(
          Effect.catchTag("OutOfCredits", never),
          // A reload without its account cannot be: it was opened under the lock of the balance.
          Effect.catchTag("AccountNotFound", Effect.die),
        ),

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
