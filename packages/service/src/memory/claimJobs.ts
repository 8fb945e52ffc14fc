import type { Claimed, Lease } from "../ports/JobQueue.js"
import { changeEntry } from "./jobs.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { Entry } from "./rows.js"

interface Asked {
  readonly want: number
  readonly cap: number
  readonly leaseSeconds: number
}

const grouped = (entries: ReadonlyArray<Entry>): Map<string, Array<Entry>> => {
  const groups = new Map<string, Array<Entry>>()
  for (const entry of entries) {
    const group = groups.get(entry.account)
    if (group === undefined) groups.set(entry.account, [entry])
    else group.push(entry)
  }
  return groups
}

const promoteDue = (db: Transaction): void => {
  for (const entry of db.entries.filter(({ state, readyAt }) => state === "scheduled" && readyAt <= db.now)) {
    changeEntry(db, entry, { state: "ready" })
  }
}

/** Entries in the order in which they are due: by the turn of their account, then by age. */
const inTurns = (db: Transaction, cap: number): Array<Entry> => {
  const running = new Map<string, number>()
  for (const { state, account } of db.entries.values()) {
    if (state === "leased" || state === "dispatched") running.set(account, (running.get(account) ?? 0) + 1)
  }
  const turns: Array<{ readonly entry: Entry; readonly turn: number }> = []
  for (const [account, entries] of grouped(db.entries.filter(({ state }) => state === "ready"))) {
    const before = running.get(account) ?? 0
    entries
      .sort((left, right) => left.priority - right.priority || left.sequence - right.sequence)
      .slice(0, Math.max(0, cap - before))
      .forEach((entry, place) => {
        turns.push({ entry, turn: before + place })
      })
  }
  return turns
    .sort((left, right) => left.turn - right.turn || left.entry.sequence - right.entry.sequence)
    .map(({ entry }) => entry)
}

const lease = (db: Transaction, entry: Entry, seconds: number): Lease => {
  const token = `lease-${db.nextNumber()}`
  const attempt = entry.attempt + 1
  changeEntry(db, entry, { state: "leased", token, attempt, leaseUntil: db.now + seconds * 1000 })
  return { job: entry.job, token, attempt }
}

export const claimJobs = (db: Transaction, { want, cap, leaseSeconds }: Asked): ReadonlyArray<Claimed> => {
  promoteDue(db)
  const claimed: Array<Claimed> = []
  for (const entry of inTurns(db, cap).slice(0, want)) {
    const job = db.jobs.get(entry.job)
    if (job === undefined) continue
    const taken = lease(db, entry, leaseSeconds)
    const next = { ...job, attempts: taken.attempt }
    db.jobs.set(job.id, next)
    claimed.push({ lease: taken, job: next })
  }
  return claimed
}
