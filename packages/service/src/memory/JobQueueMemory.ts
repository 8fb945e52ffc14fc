import type { WorkPhase } from "@earmark/core/jobs"
import { Effect, Either, Layer } from "effect"
import { JobQueue, type Lease, type QueueStats, type Span } from "../ports/JobQueue.js"
import type { Finished } from "../ports/records.js"
import { describedJob } from "../ports/stored.js"
import { remember } from "./cache.js"
import { claimJobs } from "./claimJobs.js"
import { holdFor } from "./credits.js"
import { change, changeEntry, finishJob, moveSafely, unleased } from "./jobs.js"
import { failAttempt, type Held, heldBy, uncount } from "./leases.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import type { Entry } from "./rows.js"

const extend = (db: Transaction, leases: ReadonlyArray<Lease>, seconds: number): ReadonlyArray<Lease> =>
  leases.filter((lease) => {
    const held = heldBy(db, lease)
    if (Either.isRight(held)) changeEntry(db, held.right.entry, { leaseUntil: db.now + seconds * 1000 })
    return Either.isLeft(held)
  })

const report = (
  db: Transaction,
  { job }: Held,
  seen: { readonly phase: WorkPhase; readonly progress: number },
): void => {
  const before = job.state
  const entered = moveSafely(db, job, { type: "entered", phase: seen.phase, at: db.now })
  const after = moveSafely(db, entered, { type: "progressed", progress: seen.progress, at: db.now })
  const isSame =
    before.status === "queued" &&
    after.state.status === "queued" &&
    before.phase === after.state.phase &&
    before.progress === after.state.progress
  // One report is one change for readers, or none.
  db.jobs.set(job.id, { ...after, version: job.version + (isSame ? 0 : 1) })
}

const resume = (db: Transaction, { entry, job }: Held, plan: string): ReadonlyArray<Span> => {
  if (entry.plan === plan) return db.spans.get(job.id) ?? []
  changeEntry(db, entry, { plan })
  db.spans.delete(job.id)
  return []
}

const saveSpan = (db: Transaction, { job }: Held, span: Span): void => {
  const spans = db.spans.get(job.id) ?? []
  if (spans.some(({ index }) => index === span.index)) return
  db.spans.set(
    job.id,
    [...spans, span].sort((left, right) => left.index - right.index),
  )
}

const complete = (
  db: Transaction,
  { job }: Held,
  finished: Finished,
  options: { readonly cacheKeys: ReadonlyArray<string>; readonly shared: boolean },
): void => {
  remember(db, finishJob(db, job, finished), options)
}

const isExpired = (db: Transaction) => (entry: Entry) =>
  entry.state === "leased" && entry.leaseUntil <= db.now

const reap = (db: Transaction, limit: number): number => {
  const expired = db.entries.filter(isExpired(db)).slice(0, limit)
  for (const entry of expired) {
    const job = db.jobs.get(entry.job)
    if (job !== undefined) failAttempt(db, { entry, job }, { code: "internal_error", retryInSeconds: 0 })
  }
  return expired.length
}

const wake = (db: Transaction, account: string): number => {
  const parked = db.entries
    .filter((entry) => entry.state === "parked" && entry.account === account)
    .sort((left, right) => left.sequence - right.sequence)
  let woken = 0
  for (const entry of parked) {
    const job = db.jobs.get(entry.job)
    if (job === undefined || Either.isLeft(holdFor(db, job, entry.needs))) break
    changeEntry(db, entry, { state: "ready", readyAt: db.now })
    moveSafely(db, job, { type: "credits_granted", at: db.now })
    db.wake("jobs")
    woken += 1
  }
  return woken
}

const wakeAll = (db: Transaction, limit: number): number => {
  const parked = db.entries.filter(({ state }) => state === "parked").slice(0, limit)
  for (const entry of parked) {
    const job = db.jobs.get(entry.job)
    if (job === undefined) continue
    changeEntry(db, entry, { state: "ready", readyAt: db.now })
    moveSafely(db, job, { type: "credits_granted", at: db.now })
  }
  if (parked.length > 0) db.wake("jobs")
  return parked.length
}

/** How many entries there are of each kind. */
export const statsOf = (db: Transaction): QueueStats => {
  const count = (...states: ReadonlyArray<Entry["state"]>) =>
    db.entries.filter(({ state }) => states.includes(state)).length
  const ready = db.entries.filter(({ state }) => state === "ready")
  const oldest = ready.reduce((least, { readyAt }) => Math.min(least, readyAt), db.now)
  return {
    ready: ready.length,
    scheduled: count("scheduled", "parked"),
    leased: count("leased"),
    dead: count("dead"),
    oldestSeconds: (db.now - oldest) / 1000,
  }
}

const requeueDead = (db: Transaction, id: string): boolean => {
  const entry = db.entries.get(id)
  const job = db.jobs.get(id)
  if (entry?.state !== "dead" || job === undefined) return false
  changeEntry(db, entry, { state: "ready", attempt: 0, readyAt: db.now, reason: null })
  moveSafely(db, job, { type: "released", at: db.now }, { attempts: 0 })
  db.wake("jobs")
  return true
}

export const layer = Layer.effect(
  JobQueue,
  Effect.gen(function* () {
    const { transact, wakeUps } = yield* MemoryDatabase

    const fenced = <A>(lease: Lease, write: (db: Transaction, held: Held) => A) =>
      transact((db) => Either.map(heldBy(db, lease), (held) => write(db, held)))

    return JobQueue.of({
      claim: (options) => transact((db) => Either.right(claimJobs(db, options))),
      extend: (leases, seconds) => transact((db) => Either.right(extend(db, leases, seconds))),
      release: (lease) =>
        fenced(lease, (db, held) => {
          uncount(db, held, { type: "released", at: db.now }, { state: "ready", readyAt: db.now })
          db.wake("jobs")
        }),
      park: (lease, { credits, durationSeconds }) =>
        fenced(lease, (db, held) => {
          const job = change(db, held.job, { durationSeconds })
          const parked = { state: "parked", needs: credits } as const
          uncount(db, { ...held, job }, { type: "credits_lacking", at: db.now }, parked)
        }),
      raiseHold: (lease, { credits, durationSeconds }) =>
        transact((db) =>
          Either.gen(function* () {
            const { job } = yield* heldBy(db, lease)
            yield* holdFor(db, job, credits)
            if (job.durationSeconds !== durationSeconds) change(db, job, { durationSeconds })
          }),
        ),
      describe: (lease, found) => fenced(lease, (db, { job }) => change(db, job, describedJob(job, found))),
      report: (lease, seen) => fenced(lease, (db, held) => report(db, held, seen)),
      resume: (lease, plan) => fenced(lease, (db, held) => resume(db, held, plan)),
      saveSpan: (lease, span) => fenced(lease, (db, held) => saveSpan(db, held, span)),
      spans: (job, after) =>
        transact((db) => Either.right((db.spans.get(job) ?? []).filter(({ index }) => index > after))),
      complete: (lease, finished, options) =>
        fenced(lease, (db, held) => complete(db, held, finished, options)),
      fail: (lease, failure) => fenced(lease, (db, held) => failAttempt(db, held, failure)),
      reapExpired: (limit) => transact((db) => Either.right(reap(db, limit))),
      wakeAccount: (account) => transact((db) => Either.right(wake(db, account))),
      wakeAll: (limit) => transact((db) => Either.right(wakeAll(db, limit))),
      wakeUps: wakeUps("jobs"),
      stats: transact((db) => Either.right(statsOf(db))),
      bury: (lease, reason) =>
        fenced(lease, (db, { entry, job }) => {
          changeEntry(db, entry, { ...unleased, state: "dead", reason })
          moveSafely(db, job, { type: "released", at: db.now })
        }),
      dead: (limit) =>
        transact((db) =>
          Either.right(
            db.entries
              .filter(({ state }) => state === "dead")
              .slice(0, limit)
              .map(({ job, account, attempt, reason }) => ({
                job,
                account,
                attempts: attempt,
                reason: reason ?? "",
              })),
          ),
        ),
      requeueDead: (job) => transact((db) => Either.right(requeueDead(db, job))),
    })
  }),
)
