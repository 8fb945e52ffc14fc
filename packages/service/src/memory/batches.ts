import { batchHolds, emptyBalance, type KeyLimitReached, type OutOfCredits } from "@earmark/core/credits"
import type { AccountId, BatchId } from "@earmark/core/jobs"
import { Either } from "effect"
import {
  type Guarded,
  type GuardRefused,
  type NewBatch,
  type Page,
  type PageRequest,
  type StoredBatch,
  TooManyJobs,
} from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import { freshJob } from "../ports/stored.js"
import { balanceOf, holdFor } from "./credits.js"
import { guarded } from "./guards.js"
import { enqueue, failJob, isStored, waitingOf } from "./jobs.js"
import { requireRoomOf } from "./keySpending.js"
import type { Transaction } from "./MemoryDatabase.js"
import { mapPage, pageOf } from "./pages.js"
import type { BatchRow } from "./rows.js"

const writeBatch = (
  db: Transaction,
  batch: NewBatch,
): Either.Either<void, KeyLimitReached | OutOfCredits | TooManyJobs> =>
  Either.gen(function* () {
    const { id, account, feedUrl, title, createdAt, jobs, maxWaiting } = batch
    if (findBatch(db, account, id) !== undefined) return
    if (maxWaiting !== null && waitingOf(db, account) + jobs.length > maxWaiting) {
      return yield* Either.left(new TooManyJobs({ limit: maxWaiting }))
    }
    yield* requireRoomOf(
      db,
      jobs[0]?.key ?? null,
      jobs.reduce((sum, { hold }) => sum + hold, 0),
    )
    const balance = balanceOf(db, account) ?? emptyBalance(account)
    const paid = jobs.filter(({ hold }) => hold > 0)
    const { held } = yield* batchHolds(
      balance,
      paid.map(({ hold }) => hold),
    )
    const unheld = new Set(paid.slice(held).map((job) => job.id))
    db.batches.set(id, {
      id,
      account,
      feedUrl,
      title,
      total: jobs.length,
      removedMinutes: 0,
      createdAt,
      canceledAt: null,
    })
    for (const job of jobs) {
      if (isStored(db, job)) throw new RangeError(`The id ${job.id} is taken`)
      const lacking = unheld.has(job.id)
      const stored = freshJob(job, { batch: id, creditsLacking: lacking })
      db.jobs.set(stored.id, stored)
      if (!lacking) yield* holdFor(db, stored, job.hold)
      enqueue(db, stored, job.hold)
    }
  })

export const createBatch = (
  db: Transaction,
  batch: NewBatch,
): Either.Either<Guarded, GuardRefused | KeyLimitReached | OutOfCredits | TooManyJobs> =>
  guarded(db, batch.account, batch.guard, () => writeBatch(db, batch))

const findBatch = (db: Transaction, account: AccountId, id: BatchId): BatchRow | undefined => {
  const batch = db.batches.get(id)
  return batch?.account === account ? batch : undefined
}

const jobsOf = (db: Transaction, batch: BatchRow): Array<StoredJob> =>
  db.jobs.filter((job) => job.batch === batch.id)

/** What a job cost that is removed now stays with its batch. */
export const keepMinutes = (db: Transaction, { batch: id, billedMinutes }: StoredJob): void => {
  const batch = id === null ? undefined : db.batches.get(id)
  if (batch === undefined) return
  db.batches.set(batch.id, { ...batch, removedMinutes: batch.removedMinutes + (billedMinutes ?? 0) })
}

/** How far a batch is; what was removed of it counts as ended, and as paid. */
const statusOf = (db: Transaction, batch: BatchRow): StoredBatch => {
  const { account: _, removedMinutes, ...shown } = batch
  const jobs = jobsOf(db, batch)
  const count = (fits: (job: StoredJob) => boolean) => jobs.filter(fits).length
  const left = jobs.reduce((sum, { state }) => sum + (state.status === "queued" ? 1 - state.progress : 0), 0)
  return {
    ...shown,
    queued: count(({ state }) => state.status === "queued"),
    waitingForCredits: count(
      ({ state }) => state.status === "queued" && state.phase === "waiting_for_credits",
    ),
    done: count(({ state }) => state.status === "done"),
    failed: count(({ state }) => state.status === "failed"),
    progress: batch.total === 0 ? 1 : 1 - left / batch.total,
    billedMinutes: jobs.reduce((sum, job) => sum + (job.billedMinutes ?? 0), removedMinutes),
  }
}

export const batchStatus = (db: Transaction, account: AccountId, id: BatchId): StoredBatch | null => {
  const batch = findBatch(db, account, id)
  return batch === undefined ? null : statusOf(db, batch)
}

export const listBatches = (db: Transaction, account: AccountId, page: PageRequest): Page<StoredBatch> => {
  const own = db.batches.filter((batch) => batch.account === account)
  return mapPage(pageOf(own, page), (batch) => statusOf(db, batch))
}

export const cancelBatch = (
  db: Transaction,
  account: AccountId,
  id: BatchId,
): Either.Either<{ readonly canceled: number; readonly alreadyEnded: number } | null> => {
  const batch = findBatch(db, account, id)
  if (batch === undefined) return Either.right(null)
  const jobs = jobsOf(db, batch)
  const queued = jobs.filter(({ state }) => state.status === "queued")
  for (const job of queued) Either.getOrThrow(failJob(db, job, "canceled"))
  if (queued.length > 0) db.batches.set(id, { ...batch, canceledAt: batch.canceledAt ?? db.now })
  return Either.right({ canceled: queued.length, alreadyEnded: jobs.length - queued.length })
}
