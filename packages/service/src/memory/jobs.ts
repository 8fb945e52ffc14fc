/** Steps of a job's life that several methods share. */
import {
  type AccountId,
  type FailureCode,
  type JobEvent,
  type JobId,
  JobNotFound,
  type TransitionRefused,
} from "@earmark/core/jobs"
import { Either } from "effect"
import type { ExtraName } from "../ports/ExtraStore.js"
import type { NewJob } from "../ports/JobStore.js"
import type { Content, Finished, StoredJob } from "../ports/records.js"
import { deciding } from "./changes.js"
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

/** The stored job after a change that readers can see. */
export const change = (db: Transaction, job: StoredJob, changed: Partial<StoredJob>): StoredJob =>
  deciding(db, (changes) => changes.change(job, changed))

/** Moves a job on by the rules of core. */
export const move = (
  db: Transaction,
  job: StoredJob,
  event: JobEvent,
  changed: Partial<StoredJob> = {},
): Either.Either<StoredJob, TransitionRefused> => deciding(db, (changes) => changes.move(job, event, changed))

/** `move` where the rules cannot refuse: only a defect of this layer could make them. */
export const moveSafely = (
  db: Transaction,
  job: StoredJob,
  event: JobEvent,
  changed: Partial<StoredJob> = {},
): StoredJob => Either.getOrThrowWith(move(db, job, event, changed), (refused) => refused)

/** Ends a queued job as failed. */
export const failJob = (
  db: Transaction,
  job: StoredJob,
  code: FailureCode,
  detail: string | null = null,
): Either.Either<StoredJob, TransitionRefused> => deciding(db, (changes) => changes.fail(job, code, detail))

/** Ends a job as done, with its content. Only a job that waits for credits could refuse, and no lease is given for such a job. */
export const finishJob = (db: Transaction, job: StoredJob, finished: Finished): StoredJob => {
  db.contents.set(job.id, finished.content)
  const decided = deciding(db, (changes) => changes.finish(job, finished))
  return Either.getOrThrowWith(decided, (refused) => refused)
}

export const changeEntry = (db: Transaction, entry: Entry, changed: Partial<Entry>): Entry => {
  const next = { ...entry, ...changed }
  db.entries.set(entry.job, next)
  return next
}

/** What an entry is once no worker has it. */
export const unleased = { token: null, leaseUntil: 0 } as const

export const contentOf = (db: Transaction, job: StoredJob): Content | null => db.contents.get(job.id) ?? null

/** The place of an extra among all. */
export const extraKey = (job: JobId, { kind, language }: ExtraName): string =>
  `${job} ${kind} ${language ?? ""}`

/** Corrections and extras go with the content. */
export const forgetEdits = (db: Transaction, id: JobId): void => {
  db.revisions.delete(id)
  db.editedWords.delete(id)
  for (const { name } of db.extras.filter(({ job }) => job === id)) db.extras.delete(extraKey(id, name))
}
