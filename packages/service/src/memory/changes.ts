import { availableOf, type Balance, type Hold } from "@earmark/core/credits"
import { JobChanges } from "../ports/JobChanges.js"
import { newDelivery } from "./events.js"
import type { Transaction } from "./MemoryDatabase.js"
import { openReload } from "./openReload.js"

/** Keeps a balance, and opens a reload when too little is left of it. */
const keepBalance = (db: Transaction, balance: Balance): void => {
  const before = db.balances.get(balance.account)
  db.balances.set(balance.account, balance)
  if (before !== undefined && availableOf(balance) < availableOf(before)) openReload(db, balance)
}

/** Keeps a hold, and under which key and when that of a new run was opened. */
const keepHold = (db: Transaction, hold: Hold): void => {
  const before = db.holds.get(hold.job)
  db.holds.set(hold.job, hold)
  const job = db.jobs.get(hold.job)
  if (job === undefined || job.key === null || before?.run === hold.run) return
  db.holdingKeys.set(job.id, { job: job.id, key: job.key, openedAt: db.now })
}

const writeEvents = (db: Transaction, { events, deliveries }: JobChanges): void => {
  const fresh = events.filter(({ id }) => !db.events.has(id))
  for (const event of fresh) db.events.set(event.id, event)
  for (const { id, event, endpoint } of deliveries) {
    if (!fresh.includes(event)) continue
    db.deliveries.set(
      id,
      newDelivery(db, { account: event.account, id: endpoint }, event, { id, trigger: "auto" }),
    )
    db.wake("deliveries")
  }
}

const write = (db: Transaction, changes: JobChanges): void => {
  for (const balance of changes.balances.values()) keepBalance(db, balance)
  for (const hold of changes.holds.values()) keepHold(db, hold)
  for (const posting of changes.postings) {
    db.postings.set(posting.id, { ...posting, createdAt: db.now })
    db.transactions.set(posting.transaction, true)
  }
  for (const job of changes.jobs.values()) db.jobs.set(job.id, job)
  for (const id of changes.left) {
    db.entries.delete(id)
    db.spans.delete(id)
    // A worker's slot of the account may be free now.
    db.wake("jobs")
  }
  writeEvents(db, changes)
  for (const { job, minutes, credits } of changes.usage) {
    const row = { account: job.account, at: db.now, key: job.key, minutes, credits }
    db.usage.set(`${job.id} ${job.state.run}`, row)
  }
}

/** Decides over the rows of the tables, and writes what the decision collected. */
export const deciding = <A>(db: Transaction, decide: (changes: JobChanges) => A): A => {
  const changes = new JobChanges(
    {
      balance: (account) => db.balances.get(account),
      hold: (job) => db.holds.get(job),
      hasTransaction: (transaction) => db.transactions.has(transaction),
      listeners: (account) =>
        db.endpoints.filter((endpoint) => endpoint.account === account && endpoint.enabled),
    },
    { now: db.now, baseUrl: db.settings.baseUrl, newId: db.newId },
  )
  const decided = decide(changes)
  write(db, changes)
  return decided
}
