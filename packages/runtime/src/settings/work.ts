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
    sentence:
      "What this process does: `api` answers and works on nothing, `worker` works and answers nothing.",
  }),
  workers: setting("EARMARK_WORKERS", {
    kind: wholeNumber(1, 1024),
    otherwise: availableParallelism(),
    shown: "one for each core",
    sentence: "Jobs at once in this process.",
  }),
  workerName: setting("EARMARK_WORKER_NAME", {
    kind: text,
    otherwise: `${hostname()}-${process.pid}`,
    shown: "host name and process id",
    sentence: "Names this process among the workers.",
  }),
  accountConcurrency: setting("EARMARK_ACCOUNT_CONCURRENCY", {
    kind: wholeNumber(1),
    otherwise: defaults.accountConcurrency,
    sentence: "Running jobs of one account, over all workers.",
  }),
  lease: setting("EARMARK_LEASE_SECONDS", {
    kind: seconds(1, 86_400),
    otherwise: defaults.lease,
    shown: String(Duration.toSeconds(defaults.lease)),
    sentence: "How long a job stays with a worker that says nothing more.",
  }),
  grace: setting("EARMARK_GRACE_SECONDS", {
    kind: seconds(1, 86_400),
    otherwise: defaults.grace,
    shown: String(Duration.toSeconds(defaults.grace)),
    sentence:
      "How long running jobs may go on to their next checkpoint, and deliveries to their answer, when the process is told to stop.",
  }),
  webhookBackoff: setting("EARMARK_WEBHOOK_BACKOFF", {
    kind: delays(DEFAULT_BACKOFF.length),
    otherwise: DeliveryConfig.defaults.backoff,
    shown: DEFAULT_BACKOFF.join(","),
    sentence: "The waits between the six attempts at a delivery, each ±20 %.",
  }),
  webhookTimeoutSeconds: setting("EARMARK_WEBHOOK_TIMEOUT_SECONDS", {
    // Less than the lease of a delivery.
    kind: wholeNumber(1, 25),
    otherwise: DeliveryConfig.defaults.timeoutSeconds,
    sentence: "The deadline of one attempt, in seconds.",
  }),
}
