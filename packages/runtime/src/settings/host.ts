import { FAILED_ATTEMPTS } from "@earmark/core/requests"
import { Either } from "effect"
import { choice, limit, onOrOff, origins, rate, seconds, secret, text, wholeNumber } from "./kinds.js"
import { setting } from "./Setting.js"

/** Where the service listens, and how much of it one account may ask. */
export const host = {
  host: setting("EARMARK_HOST", {
    kind: text,
    otherwise: "127.0.0.1",
    sentence: "The address to listen on; `0.0.0.0` for all interfaces.",
  }),
  port: setting("EARMARK_PORT", {
    kind: wholeNumber(1, 65_535),
    otherwise: 8787,
    sentence: "The port to listen on.",
  }),
  workerPort: setting("EARMARK_WORKER_PORT", {
    kind: wholeNumber(1, 65_535),
    otherwise: null,
    shown: "none",
    sentence:
      "The port where a worker (`earmark worker`) answers `/healthz`, `/readyz` and `/metrics`. Unset: it opens no port.",
  }),
  drain: setting("EARMARK_DRAIN_SECONDS", {
    kind: seconds(0, 600),
    otherwise: null,
    shown: "5 with `EARMARK_ROLE=api`, else 0",
    sentence:
      "How long a stopping process keeps answering requests after `/readyz` turns to 503, so that a load balancer has time to send them elsewhere.",
  }),
  console: setting("EARMARK_CONSOLE", {
    kind: onOrOff,
    otherwise: true,
    shown: "on",
    sentence:
      "Whether people can use Earmark in a browser, at `/console`. The address `/` then leads browsers there.",
  }),
  corsOrigins: setting("EARMARK_CORS_ORIGINS", {
    kind: origins,
    otherwise: [],
    shown: "none",
    sentence:
      "Web pages that may use the API in a browser: origins such as `https://app.example.com`, comma-separated.",
  }),
  rateLimitCreates: setting("EARMARK_RATE_LIMIT_CREATES", {
    kind: rate,
    otherwise: { limit: 120, windowSeconds: 60, burst: 30 },
    shown: "120/60s:30",
    sentence:
      "How often an account may ask for new work: 120 times in 60 seconds, 30 times at once. Requests that are refused count too.",
  }),
  rateLimitReads: setting("EARMARK_RATE_LIMIT_READS", {
    kind: rate,
    otherwise: { limit: 600, windowSeconds: 60, burst: 100 },
    shown: "600/60s:100",
    sentence: "How often an account may make any other request.",
  }),
  rateLimitFailures: setting("EARMARK_RATE_LIMIT_FAILURES", {
    kind: rate,
    otherwise: FAILED_ATTEMPTS,
    shown: "20/60s:20",
    sentence:
      "How often one address may send a wrong key, token, code or signature before the answer is 429.",
  }),
  metrics: setting("EARMARK_METRICS", {
    kind: choice("local", "open", "off"),
    otherwise: "local",
    sentence:
      "Who may read `/metrics` without a key: programs on this machine that use its host name (`local`; not through a proxy), or everybody who can reach the port (`open`).",
  }),
  metricsKey: setting("EARMARK_METRICS_KEY", {
    kind: secret("text of at least 16 visible characters", (given) =>
      /^[\x21-\x7e]{16,}$/.test(given) ? Either.right(given) : Either.left("at least 16 visible characters"),
    ),
    otherwise: null,
    shown: "none",
    sentence:
      "A key for `/metrics`. If set, every reader must send it, from anywhere: `Authorization: Bearer ...`.",
  }),
  eventStreams: setting("EARMARK_EVENT_STREAMS", {
    kind: limit,
    otherwise: 10,
    sentence: "How many event streams a key may have open at once, in each process.",
  }),
  waitingReads: setting("EARMARK_WAITING_READS", {
    kind: limit,
    otherwise: 30,
    sentence:
      "How many reads with `wait`, and how many requests that send a recording and wait for its text, a key may have open at once, in each process.",
  }),
}
