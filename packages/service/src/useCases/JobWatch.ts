import type { JobId } from "@earmark/core/jobs"
import { Context, Duration, Effect, Layer, Queue, Stream } from "effect"
import { JobQueue } from "../ports/JobQueue.js"
import { JobStore, type Standing } from "../ports/JobStore.js"
import * as TimeLimit from "../TimeLimit.js"

/** Looks follow each other no closer than the first, and no later than both together. */
const LEAST_PAUSE = Duration.millis(50)
const MORE_PAUSE = Duration.millis(200)

type Test = (standing: Standing | null) => boolean

interface Waiter {
  readonly test: Test
  readonly tell: (standing: Standing | null) => void
}

/** Everyone who waits for a job, in this process: the store is asked for all of them at once, however many there are. */
export class JobWatch extends Context.Tag("@earmark/service/JobWatch")<
  JobWatch,
  {
    /**
     * Waits until a job stands so; null is a job that is not there (any more). What is told was looked up after the asking. A store that
     * cannot be reached is waited for too.
     */
    readonly until: (job: JobId, test: Test) => Effect.Effect<Standing | null>
  }
>() {
  static readonly layer = Layer.scoped(
    JobWatch,
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const queue = yield* JobQueue
      const waiting = new Map<JobId, Set<Waiter>>()
      const busy = yield* Effect.makeLatch()
      const hints = yield* Queue.sliding<void>(1)

      const tell = (asked: ReadonlyMap<JobId, ReadonlyArray<Waiter>>, found: ReadonlyArray<Standing>) => {
        const standings = new Map(found.map((standing) => [standing.id, standing]))
        for (const [job, waiters] of asked) {
          const standing = standings.get(job) ?? null
          for (const waiter of waiters) if (waiter.test(standing)) waiter.tell(standing)
        }
      }

      const look = Effect.suspend(() => {
        const asked = new Map([...waiting].map(([job, waiters]) => [job, [...waiters]]))
        return Effect.map(jobs.standings([...asked.keys()]), (found) => tell(asked, found))
      }).pipe(Effect.catchAllCause((cause) => Effect.logDebug("Jobs cannot be watched at the moment", cause)))

      const pause = Effect.zipRight(
        Effect.sleep(LEAST_PAUSE),
        TimeLimit.option(Queue.take(hints), MORE_PAUSE),
      )

      // Nobody waits, nothing to do.
      yield* Effect.zipRight(busy.await, Effect.zipRight(look, pause)).pipe(
        Effect.forever,
        Effect.interruptible,
        Effect.forkScoped,
      )
      // What may be claimable may have ended as well: a hint, no more.
      yield* queue.wakeUps.pipe(
        Stream.runForEach(() => Queue.offer(hints, undefined)),
        Effect.forkScoped,
      )

      const leave = (job: JobId, waiter: Waiter) => {
        const waiters = waiting.get(job)
        waiters?.delete(waiter)
        if (waiters?.size === 0) waiting.delete(job)
        if (waiting.size === 0) busy.unsafeClose()
      }

      const until = (job: JobId, test: Test) =>
        Effect.async<Standing | null>((resume) => {
          const waiter: Waiter = {
            test,
            tell: (standing) => {
              leave(job, waiter)
              resume(Effect.succeed(standing))
            },
          }
          const waiters = waiting.get(job) ?? new Set()
          waiting.set(job, waiters.add(waiter))
          busy.unsafeOpen()
          return Effect.sync(() => leave(job, waiter))
        })

      return JobWatch.of({ until })
    }),
  )
}
