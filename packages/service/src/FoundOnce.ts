/**
 * What is found once and kept for all who ask for it. `Effect.cached` and `Effect.cachedFunction` also keep that whoever asked first went
 * away meanwhile: from then on everybody who asks is interrupted.
 */
import { Cache, Cause, Duration, Effect, Exit } from "effect"

/** So often somebody may go away while others wait. A lookup that interrupts itself is not repeated without an end. */
const MOST_LOOKS = 100

interface KeptOptions {
  /** For how many keys. */
  readonly capacity?: number
  readonly timeToLive?: Duration.DurationInput
}

/** Keeps what was found for each key. A failure is not kept: the next who asks looks again. */
export const byKey = <Key, A, E, R>(
  lookup: (key: Key) => Effect.Effect<A, E, R>,
  { capacity = Number.MAX_SAFE_INTEGER, timeToLive = Duration.infinity }: KeptOptions = {},
): Effect.Effect<(key: Key) => Effect.Effect<A, E>, never, R> =>
  Effect.map(
    Cache.makeWith({
      capacity,
      lookup,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? timeToLive : Duration.zero),
    }),
    (cache) => {
      const get = (key: Key, looks: number): Effect.Effect<A, E> =>
        Effect.catchAllCause(cache.get(key), (cause) =>
          // Somebody else has looked, and went away.
          Cause.isInterruptedOnly(cause) && looks < MOST_LOOKS
            ? get(key, looks + 1)
            : Effect.failCause(cause),
        )
      return (key) => get(key, 1)
    },
  )

/** Keeps what was found. */
export const one = <A, E, R>(
  lookup: Effect.Effect<A, E, R>,
  options: Pick<KeptOptions, "timeToLive"> = {},
): Effect.Effect<Effect.Effect<A, E>, never, R> =>
  Effect.map(
    byKey(() => lookup, { ...options, capacity: 1 }),
    (get) => get(undefined),
  )
