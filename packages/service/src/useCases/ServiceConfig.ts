import { LONG_FORM_SECONDS } from "@earmark/core/credits"
import type { Quality } from "@earmark/core/jobs"
import { type Cidr, parseCidrList } from "@earmark/core/links"
import { Config, ConfigError, Context, Effect, Either, Layer } from "effect"

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
    /** Whether webhooks may go to plain http addresses. */
    readonly allowHttpWebhooks: boolean
    /** Private addresses that may be reached all the same. */
    readonly egressAllow: ReadonlyArray<Cidr>
    /** For accounts whose plan says nothing. Null: no limit. */
    readonly maxUploadBytes: number | null
    readonly maxMediaMinutes: number | null
    readonly maxWaitingJobs: number | null
  }
>() {
  static readonly defaults: ServiceConfig["Type"] = {
    billing: true,
    freeCredits: 60,
    longFormSeconds: LONG_FORM_SECONDS,
    defaultQuality: "accurate",
    allowAutomaticCaptions: false,
    allowHttpWebhooks: false,
    egressAllow: [],
    maxUploadBytes: 5 * 1024 ** 3,
    maxMediaMinutes: null,
    maxWaitingJobs: null,
  }

  static readonly layer = (overrides: Partial<ServiceConfig["Type"]> = {}) =>
    Layer.succeed(ServiceConfig, { ...ServiceConfig.defaults, ...overrides })

  static readonly config: Config.Config<ServiceConfig["Type"]> = Config.all({
    billing: onOrOff("EARMARK_BILLING", true),
    freeCredits: wholeNumber("EARMARK_FREE_CREDITS", ServiceConfig.defaults.freeCredits),
    longFormSeconds: wholeNumber("EARMARK_LONG_FORM_SECONDS", ServiceConfig.defaults.longFormSeconds),
    defaultQuality: Config.literal(
      "fast",
      "accurate",
    )("EARMARK_QUALITY").pipe(Config.withDefault(ServiceConfig.defaults.defaultQuality)),
    allowAutomaticCaptions: onOrOff("EARMARK_AUTOMATIC_CAPTIONS", false),
    allowHttpWebhooks: onOrOff("EARMARK_WEBHOOK_HTTP", false),
    egressAllow: Config.string("EARMARK_EGRESS_ALLOW").pipe(
      Config.mapOrFail((text) =>
        Either.mapLeft(parseCidrList(text), (invalid) =>
          ConfigError.InvalidData(["EARMARK_EGRESS_ALLOW"], invalid.message),
        ),
      ),
      Config.withDefault(ServiceConfig.defaults.egressAllow),
    ),
    maxUploadBytes: limit("EARMARK_MAX_UPLOAD_BYTES", ServiceConfig.defaults.maxUploadBytes),
    maxMediaMinutes: limit("EARMARK_MAX_MEDIA_MINUTES", null),
    maxWaitingJobs: limit("EARMARK_MAX_WAITING_JOBS", null),
  })

  static readonly layerConfig = Layer.effect(
    ServiceConfig,
    Effect.suspend(() => ServiceConfig.config),
  )
}

function onOrOff(name: string, otherwise: boolean): Config.Config<boolean> {
  return Config.literal(
    "on",
    "off",
  )(name).pipe(
    Config.map((value) => value === "on"),
    Config.withDefault(otherwise),
  )
}

function count(name: string): Config.Config<number> {
  return Config.integer(name).pipe(
    Config.validate({ message: "must not be negative", validation: (value) => value >= 0 }),
  )
}

function wholeNumber(name: string, otherwise: number): Config.Config<number> {
  return count(name).pipe(Config.withDefault(otherwise))
}

/** A number, or `none`. */
function limit(name: string, otherwise: number | null): Config.Config<number | null> {
  return Config.literal("none")(name).pipe(
    Config.map(() => null),
    Config.orElse(() => count(name)),
    Config.withDefault(otherwise),
  )
}
