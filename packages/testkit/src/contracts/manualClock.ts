import { Clock, Duration, Effect, Layer } from "effect"
import { type Backend, StoreClock } from "./Case.js"

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

/**
 * A layer that goes by the clock of Effect, with a clock of its own that suites move. A layer that goes by another clock, such as that of
 * a database, needs a `Backend` whose `now` and `advance` read and move that one.
 */
export const onManualClock = <Ports, E>(layer: Layer.Layer<Ports, E>): Backend<Ports, StoreClock, E> => ({
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
