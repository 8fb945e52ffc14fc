import type { AccountId, JobId } from "@earmark/core/jobs"
import { Context, Effect, Layer } from "effect"
import { EditStore } from "../ports/EditStore.js"
import { JobNews } from "../ports/JobNews.js"
import { JobQueue, type Lease, LeaseLost } from "../ports/JobQueue.js"
import { JobStore } from "../ports/JobStore.js"

const make = Effect.gen(function* () {
  const store = yield* JobStore
  const queue = yield* JobQueue
  const edits = yield* EditStore
  const { tell } = yield* JobNews

  /** Tells of a job, once what changes it has succeeded. */
  const telling =
    (account: string, job: JobId | null) =>
    <A, E>(change: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.zipLeft(change, tell({ account, job }))

  /** What is worked on here: a lease does not know whose job it is. */
  const held = new Map<JobId, { readonly account: AccountId; readonly phase: string | null }>()

  const tellLease = (job: JobId) =>
    Effect.suspend(() => {
      const known = held.get(job)
      return known === undefined ? Effect.void : tell({ account: known.account, job })
    })
  const forget = (job: JobId) => Effect.sync(() => held.delete(job))

  /** Tells of a job that is given out of hand. A write that may be repeated leaves it known. */
  const ending = <A, E>({ job }: Lease, change: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.zipLeft(change, Effect.zipRight(tellLease(job), forget(job))).pipe(
      Effect.tapError((error) => (error instanceof LeaseLost ? forget(job) : Effect.void)),
    )

  const tellingStore: JobStore["Type"] = {
    ...store,
    create: (job, options) => telling(job.account, job.id)(store.create(job, options)),
    createDone: (job, finished, options) =>
      telling(job.account, job.id)(store.createDone(job, finished, options)),
    createBatch: (batch) => telling(batch.account, null)(store.createBatch(batch)),
    patch: (account, id, patch) => telling(account, id)(store.patch(account, id, patch)),
    cancel: (account, id) => telling(account, id)(store.cancel(account, id)),
    retry: (account, id, hold) => telling(account, id)(store.retry(account, id, hold)),
    remove: (account, id) => telling(account, id)(store.remove(account, id)),
    cancelBatch: (account, id) => telling(account, null)(store.cancelBatch(account, id)),
  }

  const tellingQueue: JobQueue["Type"] = {
    ...queue,
    claim: (options) =>
      Effect.tap(queue.claim(options), (claimed) =>
        Effect.forEach(
          claimed,
          ({ job: { id, account } }) => {
            held.set(id, { account, phase: null })
            return tell({ account, job: id })
          },
          { discard: true },
        ),
      ),
    extend: (leases, seconds) =>
      Effect.tap(queue.extend(leases, seconds), (lost) =>
        Effect.forEach(lost, ({ job }) => forget(job), { discard: true }),
      ),
    describe: (lease, found) => Effect.zipLeft(queue.describe(lease, found), tellLease(lease.job)),
    // How far a phase has come is asked for by those who want to know.
    report: (lease, seen) =>
      Effect.zipLeft(
        queue.report(lease, seen),
        Effect.suspend(() => {
          const known = held.get(lease.job)
          if (known === undefined || known.phase === seen.phase) return Effect.void
          held.set(lease.job, { ...known, phase: seen.phase })
          return tell({ account: known.account, job: lease.job })
        }),
      ),
    // Credits came, whether or not a job has waited for them.
    wakeAccount: (account) => telling(account, null)(queue.wakeAccount(account)),
    release: (lease) => ending(lease, queue.release(lease)),
    park: (lease, facts) => ending(lease, queue.park(lease, facts)),
    complete: (lease, finished, options) => ending(lease, queue.complete(lease, finished, options)),
    fail: (lease, failure) => ending(lease, queue.fail(lease, failure)),
    bury: (lease, reason) => ending(lease, queue.bury(lease, reason)),
  }

  const tellingEdits: EditStore["Type"] = {
    ...edits,
    append: (revision, options) => telling(revision.account, revision.job)(edits.append(revision, options)),
  }

  return Context.make(JobStore, tellingStore).pipe(
    Context.add(JobQueue, tellingQueue),
    Context.add(EditStore, tellingEdits),
  )
})

/**
 * The stores below, whose changes of jobs are told as soon as they are written. Ends that nobody in a process has asked for (a lease that ran
 * out, a job that expired) are not: those who listen look for themselves now and then.
 */
export const layerTelling = Layer.effectContext(make)
