/** How the work is counted: see `metrics.ts` for what the numbers mean. */
import type { FailureCode } from "@earmark/core/jobs"
import { Clock, Effect, Exit, Metric } from "effect"
import type { AudioWindow } from "../ports/Speech.js"
import { attemptsFailed, audioHeard, engineWindows, jobsEnded, webhookAttempts } from "./metrics.js"
import { traced } from "./traces.js"

export const countEnd = (status: "done" | "failed", code: FailureCode | "") =>
  Metric.increment(Metric.tagged(Metric.tagged(jobsEnded, "status", status), "code", code))

export const countFailure = (code: FailureCode) =>
  Metric.increment(Metric.tagged(attemptsFailed, "code", code))

/** Times what an engine does with a window. */
export const measureEngine = (engine: string) => {
  const windows = Metric.tagged(engineWindows, "engine", engine)
  const heard = Metric.tagged(audioHeard, "engine", engine)
  return ({ start, end }: Pick<AudioWindow, "start" | "end">) =>
    <A, E>(recognition: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.flatMap(Clock.currentTimeMillis, (began) =>
        Effect.onExit(recognition, (exit) =>
          Effect.gen(function* () {
            const seconds = ((yield* Clock.currentTimeMillis) - began) / 1000
            const outcome = Exit.isSuccess(exit) ? "heard" : "failed"
            yield* Metric.update(Metric.tagged(windows, "outcome", outcome), seconds)
            if (Exit.isSuccess(exit)) yield* Metric.incrementBy(heard, (end - start) / 1000)
          }),
        ),
      ).pipe(traced("Engine.recognize", { attributes: { engine, start, end } }))
}

const outcomeOf = (status: number | null) => {
  if (status === null) return "unreachable"
  return status >= 200 && status < 300 ? "delivered" : "refused"
}

export const countAttempt = (status: number | null, milliseconds: number) =>
  Metric.update(Metric.tagged(webhookAttempts, "outcome", outcomeOf(status)), milliseconds / 1000)
