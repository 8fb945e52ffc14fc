import { AccountId } from "@earmark/core/jobs"
import { Accounts, JobStore, PublicationStore } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import * as Postgres from "../src/postgres/Postgres.js"
import { layerStores } from "../src/SqlStore.js"
import { newUrl, outside, postgresMissing } from "./backends.js"
import { newId, newJob } from "./newJob.js"

const LOOKS = `SELECT indexrelname AS index, idx_scan AS looks FROM pg_stat_user_indexes
WHERE indexrelname IN ('job_pkey', 'job_list', 'job_status')`

const storesIn = (url: string) =>
  layerStores.pipe(Layer.provideMerge(Postgres.layer({ url: Redacted.make(url), migrate: "run" })))

/** More than a connection runs before it keeps the plan of a statement. */
const CALLS = 10

describe.skipIf(postgresMissing !== null)(`a store that was empty ${postgresMissing ?? ""}`, () => {
  it.live("finds a job by its id, and does not walk through the jobs of its account", () =>
    Effect.gen(function* () {
      const url = yield* newUrl
      const account = AccountId.make(newId("account"))
      const use = Effect.gen(function* () {
        const accounts = yield* Accounts
        const jobs = yield* JobStore
        const publications = yield* PublicationStore
        yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 100, createdAt: 0 })
        for (let call = 0; call < CALLS; call++) {
          const job = newJob(account)
          yield* jobs.create(job, { guard: null, maxWaiting: null })
          yield* jobs.get(account, job.id)
          yield* jobs.content(account, job.id)
          yield* publications.remove(account, job.id)
        }
      })
      // Connections tell of what they did when they end.
      yield* Effect.provide(use, storesIn(url))
      const looks = Effect.map(outside(url, LOOKS), (rows) =>
        Object.fromEntries(rows.map(({ index, looks }) => [index, Number(looks)])),
      )
      const all = yield* looks.pipe(
        Effect.filterOrFail(
          ({ job_pkey: byId = 0, job_status: ofAccount = 0 }) => byId + ofAccount >= 3 * CALLS,
        ),
        Effect.retry(Schedule.spaced("50 millis")),
        Effect.timeout("20 seconds"),
      )
      assert.deepInclude(all, { job_list: 0, job_status: 0 })
    }).pipe(Effect.scoped),
  )
})
