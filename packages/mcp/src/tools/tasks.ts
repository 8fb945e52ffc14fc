/** Jobs and feed runs as tasks: views of what is there anyway, so a restart loses none. */

import { BatchId, type Job, JobId, parseId } from "@earmark/core/jobs"
import { counted } from "@earmark/core/text"
import type { BatchStatus } from "@earmark/core/wire"
import { DateTime, Effect, Either } from "effect"
import type { BackendRefused } from "../BackendRefused.js"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import { iso, percent } from "./jobs.js"
import type { Task } from "./Task.js"
import { resultOf, type Told } from "./Tool.js"

const POLL_MILLISECONDS = 2000

/** A job that failed is an answer of its tool; one that was canceled has none. */
export const taskOfJob = (job: Job, told: (job: Job) => Told<object>): Task => {
  const common = {
    taskId: job.id,
    createdAt: iso(job.createdAt),
    lastUpdatedAt: iso(job.completedAt ?? job.startedAt ?? job.createdAt),
    ttlMs: job.expiresAt === null ? null : DateTime.distance(job.createdAt, job.expiresAt),
    pollIntervalMs: POLL_MILLISECONDS,
  }
  if (job.status === "queued") {
    return { ...common, status: "working", statusMessage: `${job.phase}, ${percent(job.progress)}` }
  }
  if (job.status === "failed" && job.failure.code === "canceled") {
    return { ...common, status: "cancelled", statusMessage: "canceled" }
  }
  return { ...common, status: "completed", statusMessage: job.status, result: resultOf(told(job)) }
}

const counts = ({ done, failed, queued, total }: BatchStatus): string =>
  `${done} of ${total} done, ${failed} failed, ${queued} to do`

export const taskOfBatch = (batch: BatchStatus): Task => {
  const { batchId, total, done, failed } = batch
  const next = `Call list_transcriptions with batch_id ${batchId} to read them.`
  const common = {
    taskId: batchId,
    statusMessage: counts(batch),
    createdAt: iso(batch.createdAt),
    lastUpdatedAt: iso(batch.canceledAt ?? batch.createdAt),
    ttlMs: null,
    pollIntervalMs: POLL_MILLISECONDS,
  }
  if (batch.queued > 0) return { ...common, status: "working" }
  if (batch.canceledAt !== null) return { ...common, status: "cancelled" }
  const result = resultOf({
    structured: { batch_id: batchId, total, next_step: next },
    lines: [`${done} of ${counted(total, "episode")} done, ${failed} failed.`, next],
  })
  return { ...common, status: "completed", result }
}

const isJob = (id: string): boolean => Either.isRight(parseId(JobId)(id))
const isBatch = (id: string): boolean => Either.isRight(parseId(BatchId)(id))

const absent = <Value>(
  effect: Effect.Effect<Value, BackendRefused, TranscriptionBackend>,
): Effect.Effect<Value | null, BackendRefused, TranscriptionBackend> =>
  Effect.catchIf(
    effect,
    ({ code }) => code === "not_found",
    () => Effect.succeed(null),
  )

/** The task with an id; null when there is none. */
export const findTask = (
  id: string,
  told: (job: Job, baseUrl: string) => Told<object>,
): Effect.Effect<Task | null, BackendRefused, TranscriptionBackend> =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    if (isJob(id))
      return yield* absent(
        Effect.map(backend.get(id), (job) => taskOfJob(job, (ended) => told(ended, backend.baseUrl))),
      )
    return isBatch(id)
      ? yield* absent(Effect.map(backend.ask("podcasts.batch", { path: { id } }), taskOfBatch))
      : null
  })

/** Stops a task. One that has ended stays as it is. */
export const cancelTask = (id: string): Effect.Effect<true | null, BackendRefused, TranscriptionBackend> =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    if (isBatch(id))
      return yield* absent(Effect.as(backend.ask("podcasts.cancelBatch", { path: { id } }), true as const))
    if (!isJob(id)) return null
    const canceled = backend.ask("transcriptions.cancel", { path: { id } }).pipe(
      Effect.catchIf(
        ({ code }) => code === "invalid_state",
        () => Effect.void,
      ),
      Effect.as(true as const),
    )
    return yield* absent(canceled)
  })
