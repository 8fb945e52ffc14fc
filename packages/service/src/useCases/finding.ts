import { type AccountId, JobExpired, JobId, JobNotFound, parseId } from "@earmark/core/jobs"
import { Clock, DateTime, Effect, Either } from "effect"
import { JobStore } from "../ports/JobStore.js"
import type { StoredJob } from "../ports/records.js"
import type { StorageError } from "../ports/StorageError.js"
import { TranscriptNotReady } from "./refusals.js"

export type Unknown = JobNotFound | StorageError
export type Unreadable = Unknown | JobExpired

const jobId = parseId(JobId)

/** What is past its retention is nobody's to read, also until it has been swept. */
export const isOver = ({ expiresAt }: StoredJob, now: number): boolean =>
  expiresAt !== null && expiresAt <= now

/** A moment of a filter, as stores compare it. */
export const millisOf = (moment: DateTime.Utc | undefined): number | undefined =>
  moment === undefined ? undefined : DateTime.toEpochMillis(moment)

/** Jobs by whatever was given as their id, and what they hold. */
export const makeFinding = Effect.gen(function* () {
  const jobs = yield* JobStore

  const idOf = (text: string) => Either.mapLeft(jobId(text), () => new JobNotFound({ id: text.slice(0, 64) }))

  const find = (account: AccountId, text: string): Effect.Effect<StoredJob, Unknown> => {
    const id = idOf(text)
    return Either.isRight(id) ? jobs.get(account, id.right) : Effect.fail(id.left)
  }

  const keptContent = Effect.fnUntraced(function* (job: StoredJob) {
    const isGone = isOver(job, yield* Clock.currentTimeMillis)
    const content = isGone ? null : yield* jobs.content(job.account, job.id)
    return content ?? (yield* new JobExpired({ id: job.id }))
  })

  const contentOf = Effect.fnUntraced(function* (job: StoredJob) {
    if (job.state.status !== "done") return yield* new TranscriptNotReady({ status: job.state.status })
    return yield* keptContent(job)
  })

  return { idOf, find, keptContent, contentOf }
})
