import { Effect } from "effect"
import { JobStore } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import { holdFor } from "./prices.js"
import { Reloads } from "./Reloads.js"
import { ServiceConfig } from "./ServiceConfig.js"

/** Queues a failed job again, for what it costs today. Where credits are lacking, they are bought first if the account wants that. */
export const makeRetry = Effect.gen(function* () {
  const jobs = yield* JobStore
  const reloads = yield* Reloads
  const config = yield* ServiceConfig

  return ({ id, account, durationSeconds, options, ...job }: StoredJob) => {
    const again = jobs.retry(account, id, holdFor(durationSeconds, options, config, job))
    return again.pipe(
      Effect.catchTag("OutOfCredits", (refused) =>
        Effect.flatMap(reloads.consider(account), (bought) => (bought ? again : Effect.fail(refused))),
      ),
    )
  }
})
