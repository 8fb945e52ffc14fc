import { Effect, Either, Layer } from "effect"
import { type Guard, JobStore, type NewJob, type Standing, TooManyJobs } from "../ports/JobStore.js"
import type { Finished, StoredJob } from "../ports/records.js"
import { freshJob, namesAfter } from "../ports/stored.js"
import { batchStatus, cancelBatch, createBatch, keepMinutes, listBatches } from "./batches.js"
import { cachedResult } from "./cache.js"
import { holdFor } from "./credits.js"
import { guarded } from "./guards.js"
import { holdingJobs } from "./holdingJobs.js"
import {
  change,
  contentOf,
  enqueue,
  failJob,
  findJob,
  finishJob,
  forgetEdits,
  isStored,
  move,
  waitingOf,
} from "./jobs.js"
import { requireRoomOf } from "./keySpending.js"
import { changedJobs, countJobs, listJobs } from "./listJobs.js"
import { MemoryDatabase, type Transaction } from "./MemoryDatabase.js"
import { releaseUpload } from "./releaseUpload.js"
import { candidateJobs, searchJobs } from "./searchJobs.js"
import { sweepJobs } from "./sweepJobs.js"
import { usageOf } from "./usage.js"

const create = (
  db: Transaction,
  job: NewJob,
  options: { readonly guard: Guard | null; readonly maxWaiting: number | null },
) =>
  guarded(db, job.account, options.guard, () =>
    Either.gen(function* () {
      if (isStored(db, job)) return
      const limit = options.maxWaiting
      if (limit !== null && waitingOf(db, job.account) >= limit) {
        return yield* Either.left(new TooManyJobs({ limit }))
      }
      yield* requireRoomOf(db, job.key, job.hold)
      const stored = freshJob(job, { batch: null })
      db.jobs.set(stored.id, stored)
      yield* holdFor(db, stored, job.hold)
      enqueue(db, stored, job.hold)
    }),
  )

const createDone = (
  db: Transaction,
  job: NewJob,
  finished: Finished,
  options: { readonly guard: Guard | null },
) =>
  guarded(db, job.account, options.guard, () => {
    if (isStored(db, job)) return Either.void
    const stored = freshJob(job, { batch: null })
    db.jobs.set(stored.id, stored)
    finishJob(db, stored, { ...finished, credits: 0 })
    return Either.void
  })

const standingOf = (db: Transaction, { id, version, state }: StoredJob): Standing => ({
  id,
  version,
  isEnded: state.status !== "queued",
  spans: (db.spans.get(id) ?? []).length,
})

const retried = { attempts: 0, billedMinutes: null } as const

const removeJob = (db: Transaction, job: StoredJob): string | null => {
  if (job.state.status === "queued") Either.getOrThrow(failJob(db, job, "canceled"))
  keepMinutes(db, job)
  db.jobs.delete(job.id)
  db.contents.delete(job.id)
  forgetEdits(db, job.id)
  db.publications.delete(job.id)
  return releaseUpload(db, job)
}

export const layer = Layer.effect(
  JobStore,
  Effect.gen(function* () {
    const { transact } = yield* MemoryDatabase

    return JobStore.of({
      create: (job, options) => transact((db) => create(db, job, options)),
      createDone: (job, finished, options) => transact((db) => createDone(db, job, finished, options)),
      createBatch: (batch) => transact((db) => createBatch(db, batch)),
      get: (account, id) => transact((db) => findJob(db, account, id)),
      list: (account, filter) => transact((db) => Either.right(listJobs(db, account, filter))),
      counts: (account) => transact((db) => Either.right(countJobs(db, account))),
      standings: (ids) =>
        transact((db) =>
          Either.right(
            ids
              .map((id) => db.jobs.get(id))
              .filter((job) => job !== undefined)
              .map((job) => standingOf(db, job)),
          ),
        ),
      changed: (account, which) => transact((db) => Either.right(changedJobs(db, account, which))),
      content: (account, id) =>
        transact((db) => Either.map(findJob(db, account, id), (job) => contentOf(db, job))),
      patch: (account, id, patch) =>
        transact((db) =>
          Either.map(findJob(db, account, id), (job) =>
            change(db, job, {
              ...(patch.title !== undefined && { title: patch.title }),
              ...(patch.metadata !== undefined && { metadata: patch.metadata }),
              speakerNames: namesAfter(job.speakerNames, patch.speakers),
            }),
          ),
        ),
      cancel: (account, id) =>
        transact((db) => Either.flatMap(findJob(db, account, id), (job) => failJob(db, job, "canceled"))),
      retry: (account, id, hold) =>
        transact((db) =>
          Either.gen(function* () {
            const job = yield* findJob(db, account, id)
            const queued = yield* move(db, job, { type: "retried", at: db.now }, retried)
            yield* requireRoomOf(db, job.key, hold)
            yield* holdFor(db, queued, hold)
            enqueue(db, queued, hold)
            return queued
          }),
        ),
      remove: (account, id) =>
        transact((db) => Either.map(findJob(db, account, id), (job) => removeJob(db, job))),
      batch: (account, id) => transact((db) => Either.right(batchStatus(db, account, id))),
      batches: (account, page) => transact((db) => Either.right(listBatches(db, account, page))),
      cancelBatch: (account, id) => transact((db) => cancelBatch(db, account, id)),
      cached: (account, cacheKey) => transact((db) => Either.right(cachedResult(db, account, cacheKey))),
      isCached: (account, cacheKey) =>
        transact((db) => Either.right(cachedResult(db, account, cacheKey) !== null)),
      search: (account, filter) => transact((db) => Either.right(searchJobs(db, account, filter))),
      candidates: (account, ids) => transact((db) => Either.right(candidateJobs(db, account, ids))),

      holding: (account, filter) => transact((db) => Either.right(holdingJobs(db, account, filter))),
      usage: (account, range) => transact((db) => Either.right(usageOf(db, account, range))),
      sweep: (limit) => transact((db) => Either.right(sweepJobs(db, limit))),
    })
  }),
)
