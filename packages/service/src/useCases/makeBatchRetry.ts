import type { KeyLimitReached, OutOfCredits } from "@earmark/core/credits"
import { type AccountId, type BatchId, isRetryable } from "@earmark/core/jobs"
import { Effect } from "effect"
import { type JobFilter, JobStore, type Page } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import { makeRetry } from "./makeRetry.js"

/** Failed jobs that are looked at together. */
const PAGE = 100

const mayEndBetter = ({ state }: StoredJob): boolean =>
  state.status === "failed" && !state.expired && isRetryable(state.code)

/**
 * Queues the failed jobs of a batch again that may end better, newest first, until credits are lacking; how many there were. Refused
 * only when they are lacking for the first one already.
 */
export const makeBatchRetry = Effect.gen(function* () {
  const jobs = yield* JobStore
  const retry = yield* makeRetry

  /** Whether the job is queued again. What has moved on meanwhile is left as it is. */
  const retryOne = (job: StoredJob) => {
    const left = () => Effect.succeed(false)
    return Effect.as(retry(job), true).pipe(
      Effect.catchTags({
        JobNotFound: left,
        JobAlreadyEnded: left,
        JobNotRetryable: left,
        JobNotWaiting: left,
        JobWaitsForCredits: left,
      }),
    )
  }

  return Effect.fnUntraced(function* (account: AccountId, batch: BatchId) {
    let retried = 0
    let after: JobFilter["after"] = null
    do {
      const filter: JobFilter = { batch, status: "failed", order: "desc", limit: PAGE, after }
      const page: Page<StoredJob> = yield* jobs.list(account, filter)
      for (const job of page.items.filter(mayEndBetter)) {
        const before = retried
        const lacking = (refused: OutOfCredits | KeyLimitReached) =>
          before === 0 ? Effect.fail(refused) : Effect.succeed(null)
        const isQueued = yield* retryOne(job).pipe(
          Effect.catchTags({ OutOfCredits: lacking, KeyLimitReached: lacking }),
        )
        if (isQueued === null) return retried
        if (isQueued) retried += 1
      }
      after = page.next
    } while (after !== null)
    return retried
  })
})
