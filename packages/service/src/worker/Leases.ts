import type { JobId } from "@earmark/core/jobs"
import { Clock, Deferred, Duration, Effect, Option, Stream } from "effect"
import { JobQueue, type Lease, LeaseLost } from "../ports/JobQueue.js"
import * as TimeLimit from "../TimeLimit.js"
import { Cancellations } from "../useCases/Cancellations.js"
import { WorkerConfig } from "./WorkerConfig.js"

interface Held {
  readonly lease: Lease
  readonly lost: Deferred.Deferred<never, LeaseLost>
  /** Milliseconds by our own clock: counted from before the store was asked, so never too long. */
  goodUntil: number
}

const BEATS_IN_LEASE = 3
const LONGEST_MARGIN = 10_000

/**
 * Keeps the leases of this process alive, all with one statement. A job whose lease is lost is interrupted at once; and when
 * the store does not answer, before the lease runs out elsewhere.
 */
export const makeLeases = Effect.gen(function* () {
  const queue = yield* JobQueue
  const cancellations = yield* Cancellations
  const config = yield* WorkerConfig
  const held = new Map<string, Held>()

  const length = Duration.toMillis(config.lease)
  const margin = Math.min(LONGEST_MARGIN, length / 4)
  const pause = Duration.millis(length / BEATS_IN_LEASE)

  const lose = ({ lost, lease }: Held) => Deferred.fail(lost, new LeaseLost({ job: lease.job }))

  const loseLate = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const each of held.values()) if (each.goodUntil - margin <= now) yield* lose(each)
  })

  const beat = Effect.gen(function* () {
    const beating = [...held.values()]
    if (beating.length === 0) return
    const before = yield* Clock.currentTimeMillis
    const leases = beating.map(({ lease }) => lease)
    const answer = yield* queue.extend(leases, Duration.toSeconds(config.lease)).pipe(
      TimeLimit.timeout(pause),
      Effect.tapErrorCause((cause) => Effect.logWarning("Leases could not be prolonged", cause)),
      Effect.option,
    )
    if (Option.isNone(answer)) return yield* loseLate
    const gone = new Set(answer.value.map(({ token }) => token))
    for (const each of beating) {
      if (gone.has(each.lease.token)) yield* lose(each)
      else each.goodUntil = before + length
    }
  })

  const hear = (job: JobId) =>
    Effect.forEach(
      [...held.values()].filter(({ lease }) => lease.job === job),
      lose,
      { discard: true },
    )

  // Nothing held, nothing to do: an idle worker has no clock running.
  const busy = yield* Effect.makeLatch()
  yield* Effect.zipRight(busy.await, Effect.zipRight(Effect.sleep(pause), beat)).pipe(
    Effect.forever,
    Effect.forkScoped,
  )
  yield* cancellations.heard.pipe(Stream.runForEach(hear), Effect.forkScoped)

  /** Works under a lease for as long as it is good. */
  const hold = <A, E, R>(lease: Lease, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | LeaseLost, R> =>
    Effect.gen(function* () {
      const lost = yield* Deferred.make<never, LeaseLost>()
      const now = yield* Clock.currentTimeMillis
      held.set(lease.token, { lease, lost, goodUntil: now + length })
      yield* busy.open
      return yield* Effect.raceFirst(work, Deferred.await(lost)).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            held.delete(lease.token)
            return held.size === 0 ? busy.close : Effect.void
          }),
        ),
      )
    })

  return { hold }
})
