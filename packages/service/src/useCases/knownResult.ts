import type { AccountId } from "@earmark/core/jobs"
import { Effect } from "effect"
import type { JobStore } from "../ports/JobStore.js"
import { type Cacheable, cacheKeysOf, type Makers, resultFor } from "./cacheKey.js"

const isKnown = Effect.fnUntraced(function* (
  jobs: Pick<JobStore["Type"], "isCached">,
  account: AccountId,
  job: Cacheable,
  makers: Makers,
) {
  const keys = cacheKeysOf(job, makers)
  if (keys === null) return false
  if (yield* jobs.isCached(account, keys.whole)) return true
  return keys.heard !== keys.whole && (yield* jobs.isCached(account, keys.heard))
})

/** Of each whether such a result is there, without reading any. */
export const whichAreKnown = (
  jobs: Pick<JobStore["Type"], "isCached">,
  account: AccountId,
  wanted: ReadonlyArray<Cacheable>,
  makers: Makers,
) => Effect.forEach(wanted, (job) => isKnown(jobs, account, job, makers), { concurrency: "unbounded" })

/** A result that was made before: all that a job asks for, or what was heard, of which the extras are still to be made. */
export const findKnown = Effect.fnUntraced(function* (
  jobs: Pick<JobStore["Type"], "cached">,
  account: AccountId,
  job: Cacheable,
  makers: Makers,
) {
  const keys = cacheKeysOf(job, makers)
  if (keys === null) return null
  const whole = yield* jobs.cached(account, keys.whole)
  if (whole !== null) return { result: resultFor(whole, keys.whole, keys), by: "whole" as const }
  if (keys.heard === keys.whole) return null
  const heard = yield* jobs.cached(account, keys.heard)
  return heard === null ? null : { result: resultFor(heard, keys.heard, keys), by: "heard" as const }
})
