import { LONG_FORM_SECONDS } from "@earmark/core/credits"
import type { Quality } from "@earmark/core/jobs"
import type { Cidr, PlainHttp } from "@earmark/core/links"
import { Context, Duration, Layer } from "effect"

/** What an operator decides about the use cases. */
export class ServiceConfig extends Context.Tag("@earmark/service/ServiceConfig")<
  ServiceConfig,
  {
    /** Off: nothing is held or billed, and everything is unlocked. */
    readonly billing: boolean
    /** What a new account starts with. */
    readonly freeCredits: number
    /** From this length on, diarized media costs more. */
    readonly longFormSeconds: number
    readonly defaultQuality: Quality
    /** Whether automatic captions may stand for a transcript when `quality` is `fast`. */
    readonly allowAutomaticCaptions: boolean
    /** Whether webhooks may go to plain http addresses: `allowed` is only to those in `egressAllow`. */
    readonly httpWebhooks: PlainHttp
    /** Private addresses that may be reached all the same. */
    readonly egressAllow: ReadonlyArray<Cidr>
    /** For accounts whose plan says nothing. Null: no limit. */
    readonly maxUploadBytes: number | null
    readonly maxMediaMinutes: number | null
    readonly maxWaitingJobs: number | null
    /** What a request waits for other servers, over all of its steps. */
    readonly requestWait: Duration.Duration
  }
>() {
  static readonly defaults: ServiceConfig["Type"] = {
    billing: true,
    freeCredits: 60,
    longFormSeconds: LONG_FORM_SECONDS,
    defaultQuality: "accurate",
    allowAutomaticCaptions: false,
    httpWebhooks: "allowed",
    egressAllow: [],
    maxUploadBytes: 5 * 1024 ** 3,
    maxMediaMinutes: null,
    maxWaitingJobs: null,
    requestWait: Duration.seconds(8),
  }

  static readonly layer = (overrides: Partial<ServiceConfig["Type"]> = {}) =>
    Layer.succeed(ServiceConfig, { ...ServiceConfig.defaults, ...overrides })
}
