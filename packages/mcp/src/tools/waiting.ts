import type { Job } from "@earmark/core/jobs"
import { Clock, Effect } from "effect"
import type { BackendRefused } from "../BackendRefused.js"
import { TranscriptionBackend } from "../TranscriptionBackend.js"
import { percent } from "./jobs.js"
import type { ToolCall } from "./Tool.js"

/** A client hears something at least this often while it waits. */
const NOTE_EVERY_SECONDS = 4

const noteOf = (job: Job): string => `${job.phase ?? job.status}, ${percent(job.progress)}`

/**
 * The job as soon as it ends, or after so many seconds, or as it is when the server is to stop. Notes go out while it is waited for.
 * Whoever stops waiting stops nothing but the wait.
 */
export const waitFor = (
  id: string,
  seconds: number,
  { progress, stopped }: Pick<ToolCall, "progress" | "stopped">,
): Effect.Effect<Job, BackendRefused, TranscriptionBackend> =>
  Effect.gen(function* () {
    const backend = yield* TranscriptionBackend
    const begun = yield* Clock.currentTimeMillis
    const first = yield* backend.get(id)
    const waiting = Effect.gen(function* () {
      for (let job = first; ; ) {
        const waited = ((yield* Clock.currentTimeMillis) - begun) / 1000
        const left = seconds - waited
        if (job.status !== "queued" || left <= 0) return job
        yield* progress(waited, seconds, noteOf(job))
        job = yield* backend.get(id, Math.ceil(Math.min(NOTE_EVERY_SECONDS, left)))
      }
    })
    // A host may run its tools where nothing is interrupted: what lost is then ended all the same.
    return yield* Effect.raceFirst(
      Effect.interruptible(waiting),
      Effect.interruptible(Effect.zipRight(stopped, backend.get(id))),
    )
  })
