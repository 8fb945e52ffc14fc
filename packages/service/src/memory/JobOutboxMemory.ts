import { Effect, Either, Layer } from "effect"
import { type Dispatched, JobOutbox } from "../ports/JobOutbox.js"
import type { Claimed } from "../ports/JobQueue.js"
import { claimJobs } from "./claimJobs.js"
import { changeEntry, unleased } from "./jobs.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import type { Entry } from "./rows.js"

type Port = JobOutbox["Type"]

/** Sets the attempts of an entry and of its job. */
const count = (db: Transaction, entry: Entry, attempt: number, changed: Partial<Entry>): void => {
  const job = db.jobs.get(entry.job)
  changeEntry(db, entry, { ...changed, attempt })
  if (job !== undefined) db.jobs.set(job.id, { ...job, attempts: attempt })
}

const dispatch = (
  db: Transaction,
  { want, cap, seconds }: Parameters<Port["dispatch"]>[0],
): ReadonlyArray<Dispatched> =>
  claimJobs(db, { want, cap, leaseSeconds: seconds }).map(({ lease: { job, token, attempt } }) => {
    const entry = db.entries.get(job)
    if (entry !== undefined) count(db, entry, attempt - 1, { state: "dispatched" })
    return { job, token }
  })

const accept = (
  db: Transaction,
  dispatched: ReadonlyArray<Dispatched>,
  { leaseSeconds }: Parameters<Port["accept"]>[1],
): ReadonlyArray<Claimed> =>
  dispatched.flatMap(({ job: id, token }) => {
    const entry = db.entries.get(id)
    if (entry?.state !== "dispatched" || entry.token !== token || entry.leaseUntil <= db.now) return []
    const lease = { job: id, token: `lease-${db.nextNumber()}`, attempt: entry.attempt + 1 }
    const leaseUntil = db.now + leaseSeconds * 1000
    count(db, entry, lease.attempt, { state: "leased", token: lease.token, leaseUntil })
    const job = db.jobs.get(id)
    return job === undefined ? [] : [{ lease, job }]
  })

const makeReady = (db: Transaction, entries: ReadonlyArray<Entry>): number => {
  for (const entry of entries) changeEntry(db, entry, { ...unleased, state: "ready", readyAt: db.now })
  if (entries.length > 0) db.wake("jobs")
  return entries.length
}

/** Takes back what nobody accepted in time, and answers how many entries that were. */
export const comeBack = (db: Transaction): number =>
  makeReady(
    db,
    db.entries.filter(({ state, leaseUntil }) => state === "dispatched" && leaseUntil <= db.now),
  )

const giveBack = (db: Transaction, dispatched: ReadonlyArray<Dispatched>): void => {
  const tokens = new Set(dispatched.map(({ token }) => token))
  makeReady(
    db,
    db.entries.filter(({ state, token }) => state === "dispatched" && token !== null && tokens.has(token)),
  )
}

export const layer = Layer.effect(
  JobOutbox,
  Effect.map(MemoryDatabase, ({ transact }) =>
    JobOutbox.of({
      dispatch: (options) => transact((db) => Either.right(dispatch(db, options))),
      accept: (dispatched, options) => transact((db) => Either.right(accept(db, dispatched, options))),
      giveBack: (dispatched) => transact((db) => Either.right(giveBack(db, dispatched))),
    }),
  ),
)
