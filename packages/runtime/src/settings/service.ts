import { ServiceConfig } from "@earmark/service"
import { Duration } from "effect"
import { choice, limit, onOrOff, ranges, seconds, webAddress, wholeNumber } from "./kinds.js"
import { setting } from "./Setting.js"

const { defaults } = ServiceConfig

const limited = { kind: limit, otherwise: null, shown: "none" } as const

/** What customers get. */
export const service = {
  baseUrl: setting("EARMARK_BASE_URL", {
    kind: webAddress,
    otherwise: null,
    shown: "http://HOST:PORT",
    sentence: "The address that clients use. Webhooks contain the address of their job below it.",
  }),
  billing: setting("EARMARK_BILLING", {
    kind: onOrOff,
    otherwise: defaults.billing,
    shown: "on",
    sentence: "Whether jobs cost credits. Off: nothing is held or billed, and everything is unlocked.",
  }),
  freeCredits: setting("EARMARK_FREE_CREDITS", {
    kind: wholeNumber(0, 10_000_000),
    otherwise: defaults.freeCredits,
    sentence: "Minutes that a new account starts with.",
  }),
  longFormSeconds: setting("EARMARK_LONG_FORM_SECONDS", {
    kind: wholeNumber(0),
    otherwise: defaults.longFormSeconds,
    sentence: "From this length on, diarized media costs three times as much.",
  }),
  defaultQuality: setting("EARMARK_QUALITY", {
    kind: choice("fast", "accurate"),
    otherwise: defaults.defaultQuality,
    sentence: "The default `quality` of a request.",
  }),
  automaticCaptions: setting("EARMARK_AUTOMATIC_CAPTIONS", {
    kind: onOrOff,
    otherwise: defaults.allowAutomaticCaptions,
    shown: "off",
    sentence: "Whether automatic captions of a source may replace a transcript if `quality` is `fast`.",
  }),
  webhookHttp: setting("EARMARK_WEBHOOK_HTTP", {
    kind: choice("on", "allowed", "off"),
    otherwise: defaults.httpWebhooks,
    sentence:
      "Whether webhooks may use plain http addresses: `allowed` is only to those in `EARMARK_EGRESS_ALLOW`.",
  }),
  egressAllow: setting("EARMARK_EGRESS_ALLOW", {
    kind: ranges,
    otherwise: defaults.egressAllow,
    shown: "none",
    sentence: "Private addresses that Earmark may connect to.",
  }),
  maxUploadBytes: setting("EARMARK_MAX_UPLOAD_BYTES", {
    kind: limit,
    otherwise: defaults.maxUploadBytes,
    sentence: "The largest upload of an account whose plan sets no limit.",
  }),
  maxMediaMinutes: setting("EARMARK_MAX_MEDIA_MINUTES", {
    ...limited,
    sentence: "The longest media of an account whose plan sets no limit.",
  }),
  maxWaitingJobs: setting("EARMARK_MAX_WAITING_JOBS", {
    ...limited,
    sentence: "The most waiting jobs of an account whose plan sets no limit.",
  }),
  requestWait: setting("EARMARK_REQUEST_WAIT_SECONDS", {
    kind: seconds(1, 60),
    otherwise: defaults.requestWait,
    shown: String(Duration.toSeconds(defaults.requestWait)),
    sentence:
      "How long a request waits for feeds, pages and captions of other servers, in all. After that a feed is refused as `unresolvable_link`, and the worker loads what a job needs.",
  }),
}
