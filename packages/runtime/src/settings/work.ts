import { availableParallelism, hostname } from "node:os"
import { DEFAULT_BACKOFF } from "@earmark/core/jobs"
import { DeliveryConfig, WorkerConfig } from "@earmark/service"
import { Duration } from "effect"
import { choice, delays, seconds, text, wholeNumber } from "./kinds.js"
import { setting } from "./Setting.js"

const { defaults } = WorkerConfig

/** How jobs and webhooks are worked on. */
export const work = {
  role: setting("EARMARK_ROLE", {
    kind: choice("all", "api", "worker"),
    otherwise: "all",
    sentence: "What this process does: `api` only answers requests, `worker` only processes jobs.",
  }),
  workers: setting("EARMARK_WORKERS", {
    kind: wholeNumber(1, 1024),
    otherwise: availableParallelism(),
    shown: "one for each core",
    sentence: "The number of jobs that this process runs at once.",
  }),
  workerName: setting("EARMARK_WORKER_NAME", {
    kind: text,
    otherwise: `${hostname()}-${process.pid}`,
    shown: "host name and process id",
    sentence: "The name of this worker process.",
  }),
  accountConcurrency: setting("EARMARK_ACCOUNT_CONCURRENCY", {
    kind: wholeNumber(1),
    otherwise: defaults.accountConcurrency,
    sentence: "The number of jobs of one account that run at once, over all workers.",
  }),
  lease: setting("EARMARK_LEASE_SECONDS", {
    kind: seconds(1, 86_400),
    otherwise: defaults.lease,
    shown: String(Duration.toSeconds(defaults.lease)),
    sentence: "How long a job stays with a worker that has stopped responding.",
  }),
  grace: setting("EARMARK_GRACE_SECONDS", {
    kind: seconds(1, 86_400),
    otherwise: defaults.grace,
    shown: String(Duration.toSeconds(defaults.grace)),
    sentence:
      "How long running jobs and webhook deliveries may continue after a stop signal: jobs to their next checkpoint, deliveries to their answer.",
  }),
  listeningCopy: setting("EARMARK_LISTENING_COPY", {
    kind: choice("auto", "on", "off"),
    otherwise: defaults.listeningCopy,
    sentence:
      "Whether a small copy of the sound is kept for players, as long as the transcription: `auto` for links, and for uploads in which browsers seek to the wrong place; `on` for everything. It takes about 22 MB for each hour.",
  }),
  webhookBackoff: setting("EARMARK_WEBHOOK_BACKOFF", {
    kind: delays(DEFAULT_BACKOFF.length),
    otherwise: DeliveryConfig.defaults.backoff,
    shown: DEFAULT_BACKOFF.join(","),
    sentence:
      "The pauses between the six attempts of a delivery, each ±20 %. The first one is also the unit of other times of webhooks: a busy receiver gets at least 12 times as long (a minute), `Retry-After` counts up to 720 times as long (an hour) or twice the pause that is due, and failing endpoints pause for 6 to 180 times as long (30 seconds to 15 minutes).",
  }),
  webhookTimeoutSeconds: setting("EARMARK_WEBHOOK_TIMEOUT_SECONDS", {
    // Less than the lease of a delivery.
    kind: wholeNumber(1, 25),
    otherwise: DeliveryConfig.defaults.timeoutSeconds,
    sentence: "The timeout of one attempt, in seconds.",
  }),
}
