import { DEFAULT_BACKOFF } from "@earmark/core/jobs"
import { Context, Duration, Layer } from "effect"

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
    grace: Duration.seconds(6),
  }

  static readonly layer = (overrides: Partial<DeliveryConfig["Type"]> = {}) =>
    Layer.succeed(DeliveryConfig, { ...DeliveryConfig.defaults, ...overrides })
}
