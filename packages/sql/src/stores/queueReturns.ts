import type { JobId } from "@earmark/core/jobs"
import type { JobQueue } from "@earmark/service"
import { Effect, Either } from "effect"
import type { Database, Run } from "../database/Database.js"
import type { Wakes } from "../database/Wakes.js"
import { certainly, isSpent, UNLEASED } from "./queueSteps.js"
import { type LockedJob, lockJobs, writeChanges } from "./writeChanges.js"

const EXPIRED = `SELECT id FROM queue WHERE state = 1 AND lease_until <= earmark_now()
ORDER BY lease_until LIMIT $1 FOR UPDATE SKIP LOCKED`

// The running sum is cut where core would refuse the next hold; it decides over each of them again, on locked rows.
const WAITING = `SELECT waiting.id FROM (
  SELECT q.id, q.seq, sum(greatest(0, q.needed - coalesce(h.amount, 0))) OVER (ORDER BY q.seq) AS total
  FROM queue q JOIN job j ON j.id = q.id LEFT JOIN credit_hold h ON h.job_id = q.id AND h.state = 'open'
  WHERE q.account_id = $1 AND q.state = 3 AND j.phase = 'waiting_for_credits'
) waiting JOIN credit_balance b ON b.account_id = $1
WHERE waiting.total <= greatest(0, b.posted - b.held) ORDER BY waiting.seq LIMIT 5000`

const ALL_WAITING = `SELECT q.id FROM queue q JOIN job j ON j.id = q.id
WHERE q.state = 3 AND j.phase = 'waiting_for_credits' ORDER BY q.seq LIMIT $1`

const LEASED = 1

const putBack = (run: Run, ids: ReadonlyArray<JobId>) =>
  run(`UPDATE queue SET state = 0, run_at = earmark_now(), ${UNLEASED} WHERE id = ANY ($1)`, [ids])

const READY = "UPDATE queue SET state = 0, run_at = earmark_now() WHERE id = ANY ($1)"

const isWaiting = ({ job: { state }, entry }: LockedJob): boolean =>
  entry !== null && state.status === "queued" && state.waitingSince !== null

const isExpired = ({ entry }: LockedJob): boolean => entry !== null && entry.state === LEASED && !entry.live

interface Around {
  readonly database: Database["Type"]
  readonly wakes: Wakes["Type"]
  readonly settings: { readonly baseUrl: string; readonly maxAttempts: number }
}

/** What brings jobs back to the queue: leases that ran out, credits that have come. */
export const queueReturns = ({
  database,
  wakes,
  settings,
}: Around): Pick<JobQueue["Type"], "reapExpired" | "wakeAccount" | "wakeAll"> => ({
  reapExpired: (limit) =>
    Effect.tap(
      database.transaction("JobQueue.reapExpired", (run) =>
        Effect.gen(function* () {
          const rows = yield* run<{ readonly id: JobId }>(EXPIRED, [limit])
          const ids = rows.map(({ id }) => id)
          const { jobs, changes } = yield* lockJobs(run, ids, settings)
          const expired = jobs.filter(isExpired)
          const again: Array<JobId> = []
          for (const { job, entry } of expired) {
            if (entry !== null && isSpent(entry)) yield* certainly(changes.fail(job, "internal_error"))
            else {
              yield* certainly(changes.move(job, { type: "released", at: changes.now }))
              again.push(job.id)
            }
          }
          yield* writeChanges(run, changes)
          if (again.length > 0) yield* putBack(run, again)
          return expired.length
        }),
      ),
      (count) => (count === 0 ? Effect.void : Effect.zipRight(wakes.wake("jobs"), wakes.wake("deliveries"))),
    ),

  wakeAccount: (account) =>
    Effect.tap(
      database.transaction("JobQueue.wakeAccount", (run) =>
        Effect.gen(function* () {
          const rows = yield* run<{ readonly id: JobId }>(WAITING, [account])
          const order = rows.map(({ id }) => id)
          const { jobs, changes } = yield* lockJobs(run, order, settings)
          const known = new Map(jobs.map((locked) => [locked.job.id, locked]))
          const woken: Array<JobId> = []
          for (const id of order) {
            const locked = known.get(id)
            if (locked === undefined || locked.entry === null || !isWaiting(locked)) continue
            if (Either.isLeft(changes.hold(locked.job, locked.job.state.run, locked.entry.needs))) break
            yield* certainly(changes.move(locked.job, { type: "credits_granted", at: changes.now }))
            woken.push(id)
          }
          yield* writeChanges(run, changes)
          yield* run(READY, [woken])
          return woken.length
        }),
      ),
      (count) => (count === 0 ? Effect.void : wakes.wake("jobs")),
    ),

  wakeAll: (limit) =>
    Effect.tap(
      database.transaction("JobQueue.wakeAll", (run) =>
        Effect.gen(function* () {
          const rows = yield* run<{ readonly id: JobId }>(ALL_WAITING, [limit])
          const ids = rows.map(({ id }) => id)
          const { jobs, changes } = yield* lockJobs(run, ids, settings)
          const waiting = jobs.filter(isWaiting)
          for (const { job } of waiting)
            yield* certainly(changes.move(job, { type: "credits_granted", at: changes.now }))
          yield* writeChanges(run, changes)
          yield* run(READY, [waiting.map(({ job }) => job.id)])
          return waiting.length
        }),
      ),
      (count) => (count === 0 ? Effect.void : wakes.wake("jobs")),
    ),
})
