import { type AccountId, AccountNotFound, type ReloadId } from "@earmark/core/jobs"
import { type Ledger, RELOAD_TAKEN_SECONDS, type Reload, type ReloadSettings } from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Database } from "../database/Database.js"
import { timeText } from "../database/values.js"
import { lockBalance, never, postLocked } from "./balances.js"

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

const isOpen = ({ state }: ReloadRow): boolean => state === "pending" || state === "processing"

const SETTINGS = "SELECT enabled, threshold, amount, monthly_cap FROM auto_reload WHERE account_id = $1"

const TAKE_RELOAD = `UPDATE reload SET next_at = earmark_now() + $2::double precision * interval '1 second'
WHERE account_id = $1 AND state = 'pending' AND next_at <= earmark_now() RETURNING *`

const TAKE_DUE = `UPDATE reload SET next_at = earmark_now() + $2::double precision * interval '1 second' WHERE id IN (
  SELECT id FROM reload WHERE state IN ('pending', 'processing') AND next_at <= earmark_now()
  ORDER BY next_at, id LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING *`

/** Credits bought by themselves when few are left: what is wished, and each attempt. */
export const autoReloads = (
  database: Database["Type"],
): Pick<
  Ledger["Type"],
  "reloadSettings" | "putReloadSettings" | "takeReload" | "takeDueReloads" | "recordReload"
> => {
  const known = (account: AccountId) =>
    Effect.flatMap(
      database.query("Ledger.account", "SELECT 1 FROM account WHERE id = $1", [account], { reads: true }),
      (rows) => (rows.length === 0 ? Effect.fail(new AccountNotFound({ id: account })) : Effect.void),
    )

  return {
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
  }
}
