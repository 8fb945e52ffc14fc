/** Steps of a job's life that several methods share. */
import {
  type AccountId,
  advance,
  type FailureCode,
  type JobEvent,
  type JobId,
  JobNotFound,
  type TransitionRefused,
} from "@earmark/core/jobs"
import { Either } from "effect"
import type { NewJob } from "../ports/JobStore.js"
import type { Content, Finished, StoredJob } from "../ports/records.js"
import { namesAtTheEnd } from "../ports/stored.js"
import { releaseHold } from "./credits.js"
import { announce } from "./events.js"
import type { Transaction } from "./MemoryDatabase.js"
import type { Entry } from "./rows.js"

/** A job of the account; that of another one does not exist. */
export const findJob = (
  db: Transaction,
  account: AccountId,
  id: JobId,
): Either.Either<StoredJob, JobNotFound> => {
  const job = db.jobs.get(id)
  return job?.account === account ? Either.right(job) : Either.left(new JobNotFound({ id }))
}

/** How many jobs of an account are queued. */
export const waitingOf = (db: Transaction, account: AccountId): number =>
  db.jobs.filter((job) => job.account === account && job.state.status === "queued").length

/** Whether the account has stored this very job before. An id that somebody else has is a defect: ids are random. */
export const isStored = (db: Transaction, { id, account }: Pick<NewJob, "id" | "account">): boolean => {
  const job = db.jobs.get(id)
  if (job !== undefined && job.account !== account) throw new RangeError(`The id ${id} is taken`)
  return job !== undefined
}

/** Low for the jobs of a whole feed: they never stand before a single job. */
const priorityOf = (job: StoredJob): number => (job.batch === null ? 100 : 200)

export const enqueue = (db: Transaction, job: StoredJob, needs: number): void => {
  const parked = job.state.status === "queued" && job.state.waitingSince !== null
  db.entries.set(job.id, {
    job: job.id,
    account: job.account,
    priority: priorityOf(job),
    sequence: db.nextNumber(),
    state: parked ? "parked" : "ready",
    readyAt: db.now,
    token: null,
    leaseUntil: 0,
    plan: null,
    attempt: 0,
    needs,
    reason: null,
  })
  if (!parked) db.wake("jobs")
}

/** The stored job after a change, with the next version when a reader can see one. */
export const change = (db: Transaction, job: StoredJob, changed: Partial<StoredJob>): StoredJob => {
  const next = { ...job, ...changed, version: job.version + 1 }
  db.jobs.set(job.id, next)
  return next
}

/** Moves a job on by the rules of core. */
export const move = (
  db: Transaction,
  job: StoredJob,
  event: JobEvent,
  changed: Partial<StoredJob> = {},
): Either.Either<StoredJob, TransitionRefused> =>
  Either.map(advance(job.state, event), (state) =>
    state === job.state && Object.keys(changed).length === 0 ? job : change(db, job, { ...changed, state }),
  )

/** `move` where the rules cannot refuse: only a defect of this layer could make them. */
export const moveSafely = (
  db: Transaction,
  job: StoredJob,
  event: JobEvent,
  changed: Partial<StoredJob> = {},
): StoredJob => Either.getOrThrowWith(move(db, job, event, changed), (refused) => refused)

const leaveQueue = (db: Transaction, job: StoredJob): void => {
  db.entries.delete(job.id)
  db.spans.delete(job.id)
  // A worker's slot of the account may be free now.
  db.wake("jobs")
}

/** Ends a queued job as failed: hold released, event and deliveries made, out of the queue. */
export const failJob = (
  db: Transaction,
  job: StoredJob,
  code: FailureCode,
  detail: string | null = null,
): Either.Either<StoredJob, TransitionRefused> =>
  Either.map(move(db, job, eventOf(code, detail, db.now), { billedMinutes: 0 }), (failed) => {
    releaseHold(db, job)
    leaveQueue(db, job)
    announce(db, failed)
    return failed
  })

const eventOf = (code: FailureCode, detail: string | null, at: number): JobEvent => {
  if (code === "canceled") return { type: "canceled", at }
  if (code === "expired") return { type: "expired", at }
  return { type: "failed", code, detail, at }
}

/** Ends a job as done: content, usage, event and deliveries, out of the queue. Credits are the caller's. */
export const finishJob = (
  db: Transaction,
  job: StoredJob,
  finished: Finished,
): Either.Either<StoredJob, TransitionRefused> => {
  const { content, credits: _, ...found } = finished
  return Either.map(
    move(
      db,
      job,
      { type: "completed", at: db.now },
      { ...found, language: content.language, speakerNames: namesAtTheEnd(job, finished) },
    ),
    (done) => {
      db.contents.set(job.id, content)
      db.usage.set(`${job.id} ${done.state.run}`, {
        account: job.account,
        at: db.now,
        key: job.key,
        minutes: finished.billedMinutes,
      })
      leaveQueue(db, job)
      announce(db, done)
      return done
    },
  )
}

export const changeEntry = (db: Transaction, entry: Entry, changed: Partial<Entry>): Entry => {
  const next = { ...entry, ...changed }
  db.entries.set(entry.job, next)
  return next
}

/** What an entry is once no worker has it. */
export const unleased = { token: null, leaseUntil: 0 } as const

export const contentOf = (db: Transaction, job: StoredJob): Content | null => db.contents.get(job.id) ?? null
