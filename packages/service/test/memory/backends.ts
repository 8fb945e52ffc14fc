import { type Backend, StoreClock } from "@earmark/testkit/contracts"
import { Clock, Duration, Effect, Layer } from "effect"
import { ObjectStoreMemory, RateLimiterMemory, StoreMemory } from "../../src/index.js"

const NOON = Date.UTC(2026, 0, 31, 12)

const manualClock = () => {
  let now = NOON
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: () => Effect.never,
  }
  const advance = (duration: Duration.DurationInput) =>
    Effect.sync(() => {
      now += Duration.toMillis(duration)
    })
  return { clock, control: StoreClock.of({ now: clock.currentTimeMillis, advance }) }
}

/** A store in memory that goes by a clock of its own. */
export const onManualClock = <Ports>(layer: Layer.Layer<Ports>): Backend<Ports, StoreClock> => ({
  layer: Layer.unwrapEffect(
    Effect.sync(() => {
      const { clock, control } = manualClock()
      // The layer is built by this clock; the tests themselves keep the real one.
      const built = Layer.scopedContext(Effect.withClock(Layer.build(layer), clock))
      return Layer.merge(built, Layer.succeed(StoreClock, control))
    }),
  ),
  now: Effect.flatMap(StoreClock, (clock) => clock.now),
  advance: (duration) => Effect.flatMap(StoreClock, (clock) => clock.advance(duration)),
})

export const memoryBackend = onManualClock(StoreMemory.layer)
export const memoryObjects = onManualClock(ObjectStoreMemory.layer)
export const memoryLimiter = onManualClock(RateLimiterMemory.layer)
