import { type Finished, type Lease, LeaseLost, type StoreSettings } from "@earmark/service"
import { Effect } from "effect"
import type { Database, Run } from "../database/Database.js"
import { makeTogether } from "../database/makeTogether.js"
import type { EncodedContent } from "./contents.js"
import { keepLeased } from "./keepContent.js"
import { certainly, isLeasedBy } from "./queueSteps.js"
import { lockJobs, writeChanges } from "./writeChanges.js"

/** A job that is done, as its worker found it. */
interface Completion {
  readonly lease: Lease
  readonly finished: Finished
  readonly encoded: EncodedContent
  /** Where the cache remembers the result. */
  readonly cached: { readonly cacheKeys: ReadonlyArray<string>; readonly shared: boolean }
}

// In the order of its keys, as every statement that writes several.
const REMEMBER = `INSERT INTO result_cache (scope, key, job_id)
SELECT DISTINCT ON (scope, key) scope, key, job_id FROM unnest($1::text[], $2::text[], $3::text[]) AS r (scope, key, job_id)
ORDER BY scope, key ON CONFLICT (scope, key) DO UPDATE SET job_id = excluded.job_id`

interface Remembered {
  readonly scope: string
  readonly key: string
  readonly job: string
}

const remember = (run: Run, results: ReadonlyArray<Remembered>) =>
  results.length === 0
    ? Effect.void
    : run(REMEMBER, [
        results.map(({ scope }) => scope),
        results.map(({ key }) => key),
        results.map(({ job }) => job),
      ])

/** Ends jobs as done in one transaction. When one of the leases is lost, nothing is written. */
const complete = (run: Run, completions: ReadonlyArray<Completion>, settings: StoreSettings["Type"]) =>
  Effect.gen(function* () {
    // Before anything is locked: contents are large, and all jobs of an account wait for its balance.
    for (const { lease, encoded } of completions) yield* keepLeased(run, lease, encoded)
    const ids = completions.map(({ lease }) => lease.job)
    const { jobs, changes } = yield* lockJobs(run, ids, settings)
    const locked = new Map(jobs.map((each) => [each.job.id, each]))
    const results: Array<Remembered> = []
    for (const { lease, finished, cached } of completions) {
      const found = locked.get(lease.job)
      if (found === undefined || !isLeasedBy(found.entry, lease)) {
        return yield* new LeaseLost({ job: lease.job })
      }
      // Ended twice at once, the second has no lease any more.
      locked.delete(lease.job)
      const { id, account } = yield* certainly(changes.finish(found.job, finished))
      const scope = cached.shared ? "public" : account
      for (const key of cached.cacheKeys) results.push({ scope, key, job: id })
    }
    yield* writeChanges(run, changes)
    yield* remember(run, results)
  })

// When one of the jobs is locked for longer, each is written alone.
const PATIENCE = "SET LOCAL lock_timeout = '1s'"

/** Ends jobs as done, those that arrive together in one transaction. */
export const makeJobEnder = (database: Database["Type"], settings: StoreSettings["Type"]) => {
  const end = (completions: ReadonlyArray<Completion>) =>
    database.transaction("JobQueue.complete", (run) =>
      completions.length === 1
        ? complete(run, completions, settings)
        : Effect.zipRight(run(PATIENCE), complete(run, completions, settings)),
    )
  return makeTogether<Completion, true, LeaseLost>(database, {
    mostAtOnce: 16,
    inFlight: 2,
    alone: (completion) => Effect.as(end([completion]), true),
    together: (completions) => Effect.map(end(completions), () => completions.map((): true => true)),
  })
}
