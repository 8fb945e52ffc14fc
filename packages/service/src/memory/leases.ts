/** What may be done with a lease, and what becomes of entries whose lease is given up. */
import type { JobEvent } from "@earmark/core/jobs"
import { Either } from "effect"
import { type AttemptFailure, type Lease, LeaseLost } from "../ports/JobQueue.js"
import type { StoredJob } from "../ports/records.js"
import { changeEntry, failJob, moveSafely, unleased } from "./jobs.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { Entry } from "./rows.js"

export interface Held {
  readonly entry: Entry
  readonly job: StoredJob
}

/** What the lease is for, as long as it is good. */
export const heldBy = (db: Transaction, lease: Lease): Either.Either<Held, LeaseLost> => {
  const entry = db.entries.get(lease.job)
  const job = db.jobs.get(lease.job)
  return entry?.state !== "leased" ||
    job === undefined ||
    entry.token !== lease.token ||
    entry.leaseUntil <= db.now
    ? Either.left(new LeaseLost({ job: lease.job }))
    : Either.right({ entry, job })
}

/** Takes the attempt back that the claim counted, and moves the job on. */
export const uncount = (
  db: Transaction,
  { entry, job }: Held,
  event: JobEvent,
  changed: Partial<Entry>,
): void => {
  const attempt = entry.attempt - 1
  changeEntry(db, entry, { ...unleased, attempt, ...changed })
  moveSafely(db, job, event, { attempts: attempt })
}

/** Queues the job again after a failed attempt, or ends it when all are spent or nothing would help. */
export const failAttempt = (
  db: Transaction,
  { entry, job }: Held,
  { code, detail = null, retryInSeconds }: AttemptFailure,
): "again" | "failed" => {
  if (retryInSeconds === null || entry.attempt >= db.settings.maxAttempts) {
    Either.getOrThrow(failJob(db, job, code, detail))
    return "failed"
  }
  const waits = retryInSeconds > 0
  changeEntry(db, entry, {
    ...unleased,
    state: waits ? "scheduled" : "ready",
    readyAt: db.now + retryInSeconds * 1000,
  })
  moveSafely(db, job, { type: "released", at: db.now })
  db.wake("jobs")
  return "again"
}
