/** What the work is measured by. Labels have few values: a kind, a code, an engine; never an account or a job. */
import { Metric, MetricBoundaries } from "effect"

const counter = (name: `earmark_${string}_total`, description: string) =>
  Metric.counter(name, { description, incremental: true })

const seconds = (name: `earmark_${string}_seconds`, description: string, bounds: ReadonlyArray<number>) =>
  Metric.histogram(name, MetricBoundaries.fromIterable(bounds), description)

export const jobsEnded = counter(
  "earmark_jobs_ended_total",
  "Jobs that this process brought to their end, by status and failure code.",
)

export const attemptsFailed = counter(
  "earmark_attempts_failed_total",
  "Attempts at jobs that failed in this process, by failure code; most are tried again.",
)

export const engineWindows = seconds(
  "earmark_engine_window_seconds",
  "How long the engine took for a window, by engine and outcome.",
  [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 150],
)

export const audioHeard = counter(
  "earmark_audio_seconds_total",
  "Seconds of audio that the engine heard. Its rate is the audio seconds per second; with the sum of earmark_engine_window_seconds it gives the real time factor.",
)

export const webhookAttempts = seconds(
  "earmark_webhook_attempt_seconds",
  "How long attempts to deliver a webhook took, by outcome: delivered, refused (another status than 2xx) or unreachable.",
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
)

export const limiterLetThrough = counter(
  "earmark_rate_limiter_let_through_total",
  "Requests that were not limited because the store of the limiter could not be reached.",
)
