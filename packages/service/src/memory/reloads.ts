import { availableOf, type Balance, decideReload } from "@earmark/core/credits"
import type { AccountId, ReloadId } from "@earmark/core/jobs"
import { DateTime } from "effect"
import type { Reload, ReloadSettings } from "../ports/Ledger.js"
import { post } from "./credits.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { ReloadRow } from "./rows.js"

export const noReload: ReloadSettings = { enabled: false, threshold: null, amount: null, monthlyCap: null }

const isOpen = ({ state }: Reload): boolean => state === "pending" || state === "processing"

const monthOf = (moment: number): string => DateTime.formatIsoDateUtc(DateTime.unsafeMake(moment)).slice(0, 7)

const newestFirst = (left: ReloadRow, right: ReloadRow): number => right.createdAt - left.createdAt

/** The declines since something else happened. */
const declinesOf = (reloads: ReadonlyArray<ReloadRow>): { times: number; at: number } | null => {
  const sorted = [...reloads].sort(newestFirst)
  const others = sorted.findIndex(({ declinedAt }) => declinedAt === null)
  const declined = others < 0 ? sorted : sorted.slice(0, others)
  const at = declined[0]?.declinedAt
  return at === undefined || at === null
    ? null
    : { times: declined.reduce((sum, { attempt }) => sum + attempt, 0), at }
}

const shown = ({ createdAt: _, declinedAt: _at, ...reload }: ReloadRow): Reload => reload

/** A new reload when the rules of core ask for one; null when they do not. */
export const openReload = (
  db: Transaction,
  account: AccountId,
  id: ReloadId,
  balance: Balance,
): Reload | null => {
  const { enabled, threshold, amount, monthlyCap } = db.reloadSettings.get(account) ?? noReload
  if (threshold === null || amount === null || monthlyCap === null) return null
  const reloads = db.reloads.filter((reload) => reload.account === account)
  const counted = reloads.filter(
    (reload) =>
      (isOpen(reload) || reload.state === "succeeded") && monthOf(reload.createdAt) === monthOf(db.now),
  )
  const decided = decideReload(
    { enabled, threshold, amount, monthlyCap },
    {
      available: availableOf(balance),
      inFlight: reloads.some(isOpen),
      boughtThisMonth: counted.reduce((sum, reload) => sum + reload.amount, 0),
      declined: declinesOf(reloads),
    },
    db.now,
  )
  if (!decided.reload || db.reloads.has(id)) return null
  const row: ReloadRow = {
    id,
    account,
    amount: decided.amount,
    attempt: 1,
    state: "pending",
    providerReference: null,
    nextAt: db.now,
    createdAt: db.now,
    declinedAt: null,
  }
  db.reloads.set(id, row)
  return shown(row)
}

export const dueReloads = (db: Transaction, limit: number): ReadonlyArray<Reload> =>
  db.reloads
    .filter((reload) => isOpen(reload) && reload.nextAt <= db.now)
    .sort((left, right) => left.nextAt - right.nextAt)
    .slice(0, limit)
    .map(shown)

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
