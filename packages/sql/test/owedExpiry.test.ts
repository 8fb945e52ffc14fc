import { AccountId, effectiveOptions } from "@earmark/core/jobs"
import { Accounts, JobStore } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as Postgres from "../src/postgres/Postgres.js"
import { layerStores } from "../src/SqlStore.js"
import { newUrl, outside, postgresMissing } from "./backends.js"
import { newId, newJob } from "./newJob.js"

/** What a worker leaves that does not know of the time: a job that ended, as its own statements write it. */
const END_EARLIER = `UPDATE job SET status = 'failed', phase = NULL, failure_code = 'engine_error', expires_at = NULL,
  completed_at = earmark_now() - interval '30 seconds', version = version + 1 WHERE id = $1`
/** What a process of that kind does that is asked to try again. */
const RETRY_EARLIER = `UPDATE job SET status = 'queued', phase = 'waiting', failure_code = NULL, completed_at = NULL, run = run + 1
  WHERE id = $1`

describe.skipIf(postgresMissing !== null)(
  `jobs that an earlier version ended ${postgresMissing ?? ""}`,
  () => {
    const account = AccountId.make(newId("account"))

    const withJob = <A, E>(
      seconds: number | undefined,
      test: (jobs: JobStore["Type"], url: string, id: ReturnType<typeof newJob>["id"]) => Effect.Effect<A, E>,
    ) =>
      Effect.gen(function* () {
        const url = yield* newUrl
        const stores = yield* Layer.build(
          layerStores.pipe(Layer.provideMerge(Postgres.layer({ url: Redacted.make(url), migrate: "run" }))),
        )
        yield* Effect.gen(function* () {
          const [accounts, jobs] = [yield* Accounts, yield* JobStore]
          yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 0, createdAt: 0 })
          const options = effectiveOptions(seconds === undefined ? {} : { deleteAfterSeconds: seconds })
          const job = { ...newJob(account, 0), options }
          yield* jobs.create(job, { guard: null, maxWaiting: null })
          yield* outside(url, END_EARLIER, [job.id])
          yield* test(jobs, url, job.id)
        }).pipe(Effect.provide(stores))
      }).pipe(Effect.scoped)

    it.live("get the time of their deletion with the next sweep, and are deleted once it has come", () =>
      Effect.gen(function* () {
        yield* withJob(100, (jobs, _url, id) =>
          Effect.gen(function* () {
            const before = yield* jobs.get(account, id)
            assert.isNull(before.expiresAt)
            assert.strictEqual(yield* jobs.sweep(10), 1)
            const { state, expiresAt, version } = yield* jobs.get(account, id)
            if (state.status !== "failed") return assert.fail(state.status)
            assert.strictEqual(expiresAt, state.completedAt + 100_000)
            assert.strictEqual(version, before.version + 1)
            assert.strictEqual(yield* jobs.sweep(10), 0)
          }),
        )
        yield* withJob(20, (jobs, _url, id) =>
          Effect.gen(function* () {
            assert.deepStrictEqual(
              [yield* jobs.sweep(10), yield* jobs.sweep(10), yield* jobs.sweep(10)],
              [1, 1, 0],
            )
            assert.deepInclude((yield* jobs.get(account, id)).state, { status: "failed", expired: true })
          }),
        )
      }),
    )

    it.live("keep their text if nobody asked for its deletion", () =>
      withJob(undefined, (jobs, _url, id) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* jobs.sweep(10), 0)
          assert.isNull((yield* jobs.get(account, id)).expiresAt)
        }),
      ),
    )

    it.live("wait without a time when an earlier version took them up again", () =>
      withJob(20, (jobs, url, id) =>
        Effect.gen(function* () {
          yield* jobs.sweep(10)
          yield* outside(url, RETRY_EARLIER, [id])
          assert.strictEqual(yield* jobs.sweep(10), 1)
          assert.deepInclude(yield* jobs.get(account, id), { expiresAt: null })
          assert.strictEqual((yield* jobs.get(account, id)).state.status, "queued")
          assert.strictEqual(yield* jobs.sweep(10), 0)
        }),
      ),
    )

    it.live("are found by an index, without a look at the others", () =>
      withJob(100, (_jobs, url) =>
        Effect.gen(function* () {
          const rows = yield* outside(
            url,
            `EXPLAIN SELECT id FROM job WHERE expires_at IS NULL AND status <> 'queued'
            AND jsonb_exists(options, 'deleteAfterSeconds') LIMIT 10`,
          )
          assert.include(JSON.stringify(rows), "job_owed_expiry")
        }),
      ),
    )
  },
)
