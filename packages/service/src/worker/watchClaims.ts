import { Clock, Duration, Effect } from "effect"
import type { JobQueue } from "../ports/JobQueue.js"

/** So long nothing may come of claims before it is looked into, and a claim may take before it counts as stuck. */
const PATIENCE = Duration.seconds(30)

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} seconds`

/**
 * Notices when jobs are ready and this process claims none: its claims do not come back, or bring nothing while nobody works on anything
 * (where somebody does, the caps of accounts may be the reason).
 */
export const watchClaims = (queue: Pick<JobQueue["Type"], "stats">) => {
  let claimingSince: number | null = null
  let lastTaken = 0
  let trouble: string | null = null

  /** A claim, noted. */
  const noted = <A, E>(claim: Effect.Effect<ReadonlyArray<A>, E>): Effect.Effect<ReadonlyArray<A>, E> =>
    Clock.currentTimeMillis.pipe(
      Effect.tap((now) => {
        claimingSince = now
      }),
      Effect.zipRight(claim),
      Effect.tap(({ length }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (length > 0) lastTaken = now
        }),
      ),
      Effect.ensuring(
        Effect.sync(() => {
          claimingSince = null
        }),
      ),
    )

  const found = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const limit = Duration.toMillis(PATIENCE)
    const waited = claimingSince === null ? 0 : now - claimingSince
    if (waited >= limit) return `the queue has not answered its claim for ${seconds(waited)}`
    if (now - lastTaken < limit) return null
    const { ready, leased, oldestSeconds } = yield* queue.stats
    return ready > 0 && leased === 0 && oldestSeconds * 1000 >= limit
      ? `${ready} jobs are ready, the oldest for ${Math.round(oldestSeconds)} seconds, and nobody works on any`
      : null
  })

  const look = Effect.gen(function* () {
    const before = trouble
    // A store that cannot be asked is told by whoever claims from it.
    trouble = yield* Effect.orElseSucceed(found, () => before)
    if (trouble !== null) yield* Effect.logError(`This worker claims no jobs: ${trouble}. Restart it.`)
    if (trouble === null && before !== null) yield* Effect.logInfo("This worker claims jobs again")
  })

  return {
    noted,
    /** What keeps this process from working; null when nothing does. */
    trouble: Effect.sync(() => trouble),
    /** Looks again and again. */
    run: Effect.gen(function* () {
      lastTaken = yield* Clock.currentTimeMillis
      trouble = null
      return yield* Effect.forever(Effect.zipRight(Effect.sleep(PATIENCE), look))
    }),
  }
}
