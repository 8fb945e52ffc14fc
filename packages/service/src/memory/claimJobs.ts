import type { Claimed, Lease } from "../ports/JobQueue.js"
import { changeEntry } from "./jobs.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { Entry } from "./rows.js"

const LAST_SERVED = "last"

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

/** Accounts behind the one served last, and around. */
const inRotation = (db: Transaction, accounts: ReadonlyArray<string>): Map<string, number> => {
  const last = db.turns.get(LAST_SERVED) ?? ""
  const sorted = [...accounts].sort()
  const start = Math.max(
    0,
    sorted.findIndex((account) => account > last),
  )
  const rotated = [...sorted.slice(start), ...sorted.slice(0, start)]
  return new Map(rotated.map((account, place) => [account, place]))
}

/** Entries in the order in which they are due: by the turn of their account, then by the place of the account in the rotation. */
const inTurns = (db: Transaction, cap: number): Array<Entry> => {
  const running = new Map<string, number>()
  for (const { state, account } of db.entries.values()) {
    if (state === "leased") running.set(account, (running.get(account) ?? 0) + 1)
  }
  const ready = grouped(db.entries.filter(({ state }) => state === "ready"))
  const places = inRotation(db, [...ready.keys()])
  const turns: Array<{ readonly entry: Entry; readonly turn: number; readonly place: number }> = []
  for (const [account, entries] of ready) {
    const before = running.get(account) ?? 0
    entries
      .sort((left, right) => left.priority - right.priority || left.sequence - right.sequence)
      .slice(0, Math.max(0, cap - before))
      .forEach((entry, index) => {
        turns.push({ entry, turn: before + index, place: places.get(account) ?? 0 })
      })
  }
  return turns
    .sort((left, right) => left.turn - right.turn || left.place - right.place)
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
    db.turns.set(LAST_SERVED, job.account)
  }
  return claimed
}
