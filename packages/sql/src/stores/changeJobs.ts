import {
  type AccountId,
  CREDITS_WAIT_SECONDS,
  creditsWaitIsOver,
  type JobId,
  JobNotFound,
} from "@earmark/core/jobs"
import type { PatchTranscription } from "@earmark/core/wire"
import { expiryOf, type JobStore, namesAfter, type StoredJob, type StoreSettings } from "@earmark/service"
import { Effect } from "effect"
import type { Database, Run } from "../database/Database.js"
import type { Wakes } from "../database/Wakes.js"
import { fillSlices } from "./fillSlices.js"
import { dropContent } from "./keepContent.js"
import { requireRoomOf } from "./keySpending.js"
import { releaseUploads } from "./releaseUploads.js"
import { enqueue, type Locked, type LockedJob, lockJobs, writeChanges } from "./writeChanges.js"

/** A text that a request brought goes with the content. */
const DROP_TEXT =
  "UPDATE job SET options = options - 'transcriptText' WHERE id = ANY($1) AND jsonb_exists(options, 'transcriptText')"

// Each part by its own index; locks come later, in the order of ids.
const DUE = `(SELECT id FROM job WHERE expires_at IS NOT NULL AND expires_at <= earmark_now() AND NOT expired LIMIT $1)
UNION (SELECT id FROM job WHERE expires_at IS NULL AND status <> 'queued' AND jsonb_exists(options, 'deleteAfterSeconds') LIMIT $1)
UNION (SELECT id FROM job WHERE waiting_since IS NOT NULL AND waiting_since <= earmark_now() - $2::double precision * interval '1 second' LIMIT $1)
LIMIT $1`

const FORGET_KEYS = `DELETE FROM idempotency WHERE (account_id, key) IN (
  SELECT account_id, key FROM idempotency WHERE expires_at <= earmark_now() LIMIT $1)`

// A bucket that is full again says nothing that a missing one does not.
const FORGET_BUCKETS = `DELETE FROM rate_bucket WHERE key IN (
  SELECT key FROM rate_bucket WHERE tat < extract(epoch FROM earmark_now()) * 1000000 LIMIT $1 FOR UPDATE SKIP LOCKED)`

const patched = (job: StoredJob, patch: PatchTranscription): Partial<StoredJob> => ({
  ...(patch.title !== undefined && { title: patch.title }),
  ...(patch.metadata !== undefined && { metadata: patch.metadata }),
  speakerNames: namesAfter(job.speakerNames, patch.speakers),
})

const KEEP_MINUTES = "UPDATE batch SET removed_minutes = removed_minutes + $2 WHERE id = $1"

/** What happens to jobs at the wish of their account, and what ends them when their time is over. */
export const changeJobs = (
  database: Database["Type"],
  wakes: Wakes["Type"],
  settings: StoreSettings["Type"],
): Pick<JobStore["Type"], "patch" | "cancel" | "retry" | "remove" | "cancelBatch" | "sweep"> => {
  /** The job of the account, locked, with room for what changes. */
  const lockOwn = (run: Run, account: AccountId, id: JobId) =>
    Effect.flatMap(
      lockJobs(run, [id], settings),
      ({ jobs, changes }): Effect.Effect<LockedJob & Pick<Locked, "changes">, JobNotFound> => {
        const [found] = jobs
        return found?.job.account === account
          ? Effect.succeed({ ...found, changes })
          : Effect.fail(new JobNotFound({ id }))
      },
    )

  const wakeBoth = Effect.zipRight(wakes.wake("jobs"), wakes.wake("deliveries"))

  /** Ends jobs one way or another, in one transaction. */
  const endAll = (run: Run, { jobs, changes }: Locked) =>
    Effect.gen(function* () {
      const expired: Array<StoredJob> = []
      for (const { job } of jobs) {
        const expiresAt = expiryOf(job)
        if (expiresAt !== job.expiresAt) {
          // A process of an earlier version ended it, or took it up again.
          changes.change(job, { expiresAt })
          continue
        }
        const isPast = expiresAt !== null && expiresAt <= changes.now
        if (isPast && job.state.status === "queued") yield* Effect.orDie(changes.fail(job, "expired"))
        else if (isPast) yield* Effect.orDie(changes.move(job, { type: "expired", at: changes.now }))
        else if (creditsWaitIsOver(job.state, changes.now)) {
          yield* Effect.orDie(changes.fail(job, "insufficient_credits"))
        }
        if (isPast) expired.push(job)
      }
      yield* writeChanges(run, changes)
      if (expired.length === 0) return
      const ids = expired.map(({ id }) => id)
      yield* dropContent(run, ids)
      yield* run(DROP_TEXT, [ids])
      yield* releaseUploads(run, expired)
    })

  return {
    patch: (account, id, patch) =>
      database.transaction(
        "JobStore.patch",
        (run) =>
          Effect.gen(function* () {
            const { job, changes } = yield* lockOwn(run, account, id)
            const changed = changes.change(job, patched(job, patch))
            yield* writeChanges(run, changes)
            return changed
          }),
        { account },
      ),

    cancel: (account, id) =>
      Effect.zipLeft(
        database.transaction(
          "JobStore.cancel",
          (run) =>
            Effect.gen(function* () {
              const { job, changes } = yield* lockOwn(run, account, id)
              const canceled = yield* changes.fail(job, "canceled")
              yield* writeChanges(run, changes)
              return canceled
            }),
          { account },
        ),
        wakeBoth,
      ),

    retry: (account, id, hold) =>
      Effect.zipLeft(
        database.transaction(
          "JobStore.retry",
          (run) =>
            Effect.gen(function* () {
              const { job, changes } = yield* lockOwn(run, account, id)
              const event = { type: "retried", at: changes.now } as const
              const queued = yield* changes.move(job, event, { attempts: 0, billedMinutes: null })
              yield* requireRoomOf(run, account, job.key, hold)
              yield* changes.hold(queued, queued.state.run, hold)
              yield* writeChanges(run, changes)
              yield* enqueue(run, queued, hold, settings)
              return queued
            }),
          { account },
        ),
        wakes.wake("jobs"),
      ),

    remove: (account, id) =>
      Effect.zipLeft(
        database.transaction(
          "JobStore.remove",
          (run) =>
            Effect.gen(function* () {
              const { job, changes } = yield* lockOwn(run, account, id)
              if (job.state.status === "queued") yield* Effect.orDie(changes.fail(job, "canceled"))
              yield* writeChanges(run, changes)
              yield* dropContent(run, [id])
              if (job.batch !== null) yield* run(KEEP_MINUTES, [job.batch, job.billedMinutes ?? 0])
              yield* run("DELETE FROM job WHERE id = $1", [id])
              const released = yield* releaseUploads(run, [job])
              return released.find((reference) => reference === job.source.shown.mediaRef) ?? null
            }),
          { account },
        ),
        wakeBoth,
      ),

    cancelBatch: (account, id) =>
      Effect.zipLeft(
        database.transaction(
          "JobStore.cancelBatch",
          (run) =>
            Effect.gen(function* () {
              const batches = yield* run(
                "SELECT id FROM batch WHERE id = $1 AND account_id = $2 FOR UPDATE",
                [id, account],
              )
              if (batches.length === 0) return null
              const rows = yield* run<{ id: JobId; status: string }>(
                "SELECT id, status FROM job WHERE batch_id = $1 AND account_id = $2",
                [id, account],
              )
              const queued = rows.filter(({ status }) => status === "queued").map((row) => row.id)
              const { jobs, changes } = yield* lockJobs(run, queued, settings)
              const waiting = jobs.filter(({ job }) => job.state.status === "queued")
              for (const { job } of waiting) yield* Effect.orDie(changes.fail(job, "canceled"))
              yield* writeChanges(run, changes)
              if (waiting.length > 0)
                yield* run(
                  "UPDATE batch SET canceled_at = coalesce(canceled_at, earmark_now()) WHERE id = $1",
                  [id],
                )
              return { canceled: waiting.length, alreadyEnded: rows.length - waiting.length }
            }),
          { account },
        ),
        wakeBoth,
      ),

    sweep: (limit) =>
      Effect.zipLeft(
        database.transaction("JobStore.sweep", (run) =>
          Effect.gen(function* () {
            yield* run(FORGET_KEYS, [limit])
            yield* run(FORGET_BUCKETS, [limit])
            const due = yield* run<{ readonly id: JobId }>(DUE, [limit, CREDITS_WAIT_SECONDS])
            const locked = yield* lockJobs(
              run,
              due.map(({ id }) => id),
              settings,
            )
            yield* endAll(run, locked)
            return locked.jobs.length
          }),
        ),
        // Nobody waits until slices are filled, which takes seconds and may fail.
        Effect.zipRight(wakeBoth, fillSlices(database)),
      ),
  }
}
