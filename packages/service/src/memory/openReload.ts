import { availableOf, type Balance, decideReload } from "@earmark/core/credits"
import { AccountId, ReloadId } from "@earmark/core/jobs"
import { DateTime } from "effect"
import type { Reload, ReloadSettings } from "../ports/Ledger.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { ReloadRow } from "./rows.js"

export const noReload: ReloadSettings = { enabled: false, threshold: null, amount: null, monthlyCap: null }

export const isOpen = ({ state }: Reload): boolean => state === "pending" || state === "processing"

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

/** Opens a reload when the rules of core ask for one, in the transaction that spends. */
export const openReload = (db: Transaction, balance: Balance): void => {
  const { account } = balance
  const { enabled, threshold, amount, monthlyCap } = db.reloadSettings.get(account) ?? noReload
  if (!enabled || threshold === null || amount === null || monthlyCap === null) return
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
  if (!decided.reload) return
  const id = ReloadId.make(db.newId("reload"))
  db.reloads.set(id, {
    id,
    account: AccountId.make(account),
    amount: decided.amount,
    attempt: 1,
    state: "pending",
    providerReference: null,
    nextAt: db.now,
    createdAt: db.now,
    declinedAt: null,
  })
}
