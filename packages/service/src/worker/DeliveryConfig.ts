import { DEFAULT_BACKOFF } from "@earmark/core/jobs"
import { Config, ConfigError, Context, Duration, Effect, Either, Layer } from "effect"

/** How webhooks are delivered. */
export class DeliveryConfig extends Context.Tag("@earmark/service/DeliveryConfig")<
  DeliveryConfig,
  {
    /** Seconds between the six attempts. */
    readonly backoff: ReadonlyArray<number>
    /** The deadline of one attempt. */
    readonly timeoutSeconds: number
    /** Deliveries at once in this process, and to one endpoint over all processes. */
    readonly slots: number
    readonly perEndpoint: number
    readonly leaseSeconds: number
    readonly pollEvery: Duration.Duration
    readonly grace: Duration.Duration
  }
>() {
  static readonly defaults: DeliveryConfig["Type"] = {
    backoff: DEFAULT_BACKOFF,
    timeoutSeconds: 10,
    slots: 64,
    perEndpoint: 4,
    leaseSeconds: 30,
    pollEvery: Duration.seconds(1),
    grace: Duration.seconds(12),
  }

  static readonly layer = (overrides: Partial<DeliveryConfig["Type"]> = {}) =>
    Layer.succeed(DeliveryConfig, { ...DeliveryConfig.defaults, ...overrides })

  static readonly config: Config.Config<DeliveryConfig["Type"]> = Config.map(
    Config.all({
      backoff: Config.string("EARMARK_WEBHOOK_BACKOFF").pipe(
        Config.mapOrFail(parseBackoff),
        Config.withDefault(DeliveryConfig.defaults.backoff),
      ),
      timeoutSeconds: Config.integer("EARMARK_WEBHOOK_TIMEOUT_SECONDS").pipe(
        Config.validate({
          message: "must be from 1 to 25: less than the lease of a delivery",
          validation: (seconds) => seconds >= 1 && seconds <= 25,
        }),
        Config.withDefault(DeliveryConfig.defaults.timeoutSeconds),
      ),
    }),
    (given) => ({ ...DeliveryConfig.defaults, ...given }),
  )

  static readonly layerConfig = Layer.effect(
    DeliveryConfig,
    Effect.suspend(() => DeliveryConfig.config),
  )
}

const ATTEMPTS = 6

function parseBackoff(text: string): Either.Either<ReadonlyArray<number>, ConfigError.ConfigError> {
  const seconds = text.split(",").map(Number)
  return seconds.length === ATTEMPTS - 1 && seconds.every((each) => each > 0)
    ? Either.right(seconds)
    : Either.left(
        ConfigError.InvalidData(
          ["EARMARK_WEBHOOK_BACKOFF"],
          `must be ${ATTEMPTS - 1} numbers of seconds with commas between`,
        ),
      )
}
