/**
 * Limits of time that hold everywhere. Those of Effect wait until what they end has ended: where nothing may be interrupted (a claim, a
 * transaction, what a scope does at its end) they never come.
 */
import { type Duration, Effect, Fiber } from "effect"
import { dual } from "effect/Function"

/** Where nothing may be interrupted, it runs apart: its own limit can end it, and nobody else. */
const everywhere = <A, E, R>(limited: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.checkInterruptible((isInterruptible) =>
    isInterruptible ? limited : Effect.flatMap(Effect.forkDaemon(Effect.interruptible(limited)), Fiber.join),
  )

/** Fails with `TimeoutException` after so long. */
export const timeout: typeof Effect.timeout = dual(
  2,
  <A, E, R>(effect: Effect.Effect<A, E, R>, duration: Duration.DurationInput) =>
    everywhere(Effect.timeout(effect, duration)),
)

/** None after so long. */
export const option: typeof Effect.timeoutOption = dual(
  2,
  <A, E, R>(effect: Effect.Effect<A, E, R>, duration: Duration.DurationInput) =>
    everywhere(Effect.timeoutOption(effect, duration)),
)

/** Fails as it is told to after so long. */
export const fail: typeof Effect.timeoutFail = dual(
  2,
  <A, E, R, E1>(
    effect: Effect.Effect<A, E, R>,
    options: { readonly duration: Duration.DurationInput; readonly onTimeout: () => E1 },
  ) => everywhere(Effect.timeoutFail(effect, options)),
)

/** Answers with something else after so long. */
export const to: typeof Effect.timeoutTo = dual(
  2,
  <A, E, R, B, B1>(
    effect: Effect.Effect<A, E, R>,
    options: {
      readonly duration: Duration.DurationInput
      readonly onSuccess: (value: A) => B
      readonly onTimeout: () => B1
    },
  ) => everywhere(Effect.timeoutTo(effect, options)),
)
