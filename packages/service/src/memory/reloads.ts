import type { Balance } from "@earmark/core/credits"
import type { AccountId, ReloadId } from "@earmark/core/jobs"
import { RELOAD_TAKEN_SECONDS, type Reload } from "../ports/Ledger.js"
import { post } from "./credits.js"
import type { Transaction } from "./MemoryDatabase.js"
import { isOpen, openReload } from "./openReload.js"
import type { ReloadRow } from "./rows.js"

const shown = ({ createdAt: _, declinedAt: _at, ...reload }: ReloadRow): Reload => reload

const take = (db: Transaction, row: ReloadRow): Reload => {
  const taken = { ...row, nextAt: db.now + RELOAD_TAKEN_SECONDS * 1000 }
  db.reloads.set(row.id, taken)
  return shown(taken)
}

/** The reload of the account that nobody has begun to charge, if there is one or has to be one. */
export const takeReload = (db: Transaction, balance: Balance): Reload | null => {
  openReload(db, balance)
  const [row] = db.reloads.filter(
    ({ account, state, nextAt }) => account === balance.account && state === "pending" && nextAt <= db.now,
  )
  return row === undefined ? null : take(db, row)
}

export const takeDueReloads = (db: Transaction, limit: number): ReadonlyArray<Reload> =>
  db.reloads
    .filter((reload) => isOpen(reload) && reload.nextAt <= db.now)
    .sort((left, right) => left.nextAt - right.nextAt)
    .slice(0, limit)
    .map((row) => take(db, row))

export const forgetDeclines = (db: Transaction, account: AccountId): void => {
  for (const row of db.reloads.filter((reload) => reload.account === account)) {
    db.reloads.set(row.id, { ...row, declinedAt: null })
  }
}

type RecordedReload = Pick<Reload, "attempt" | "state" | "providerReference" | "nextAt"> & {
  readonly provider: string
}

export const recordReload = (
  db: Transaction,
  id: ReloadId,
  { provider, ...outcome }: RecordedReload,
): void => {
  const row = db.reloads.get(id)
  if (row === undefined || !isOpen(row)) return
  const declinedAt = outcome.state === "declined" ? db.now : null
  db.reloads.set(id, { ...row, ...outcome, declinedAt })
  if (outcome.state !== "succeeded") return
  post(db, {
    type: "top_up",
    account: row.account,
    amount: row.amount,
    provider,
    payment: outcome.providerReference ?? row.id,
    kind: "reload",
  })
}
