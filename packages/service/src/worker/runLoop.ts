import { type Duration, Effect, Fiber, FiberSet, Queue, Stream } from "effect"
import type { StorageError } from "../ports/StorageError.js"
import * as TimeLimit from "../TimeLimit.js"

/** Work that is claimed from a store, a few items at a time. */
interface Loop<Item> {
  readonly name: string
  readonly slots: number
  readonly claim: (want: number) => Effect.Effect<ReadonlyArray<Item>, StorageError>
  /** Works on an item to its end. It never fails: whoever makes it decides what becomes of failures. */
  readonly run: (item: Item) => Effect.Effect<void>
  readonly wakeUps: Stream.Stream<void>
  readonly pollEvery: Duration.Duration
  readonly grace: Duration.Duration
  /** Said once, when the loop is to stop: items in work should come to an end. */
  readonly stopping: Effect.Effect<void>
}

/**
 * Claims and works until it is interrupted. Then nothing more is claimed, what is in work gets its grace, and the rest is
 * interrupted.
 */
export const runLoop = <Item>(loop: Loop<Item>): Effect.Effect<never> =>
  Effect.gen(function* () {
    const running = yield* FiberSet.make<void>()
    const signals = yield* Queue.sliding<void>(1)
    const signal = Queue.offer(signals, undefined)
    let busy = 0

    const work = (item: Item) =>
      loop.run(item).pipe(
        Effect.interruptible,
        Effect.ensuring(
          Effect.suspend(() => {
            busy -= 1
            return signal
          }),
        ),
      )

    // Whatever was claimed is worked on: nothing may come between.
    const claim = Effect.gen(function* () {
      const want = loop.slots - busy
      const items = want > 0 ? yield* loop.claim(want) : []
      for (const item of items) {
        busy += 1
        yield* FiberSet.run(running, work(item))
      }
      return items.length
    }).pipe(
      Effect.catchAllCause((cause) => Effect.as(Effect.logError(`${loop.name} cannot claim`, cause), 0)),
      Effect.uninterruptible,
    )

    const wait = TimeLimit.option(Queue.take(signals), loop.pollEvery)

    const turns = Effect.gen(function* () {
      for (;;) {
        const claimed = yield* claim
        if (claimed === 0 || busy >= loop.slots) yield* wait
      }
    })

    const turning = yield* Effect.forkScoped(turns)

    // In a fiber of its own: this one is interrupted already, and could end no wait.
    const grace = Fiber.interrupt(turning).pipe(
      Effect.zipRight(FiberSet.awaitEmpty(running)),
      TimeLimit.option(loop.grace),
      Effect.interruptible,
      Effect.forkDaemon,
      Effect.flatMap(Fiber.await),
    )
    // Said before anything is waited for, a claim that is under way included: what it brings comes to its end at once.
    const drain = Effect.zipRight(loop.stopping, grace)

    yield* loop.wakeUps.pipe(
      Stream.runForEach(() => signal),
      Effect.forkScoped,
    )
    return yield* Effect.onExit(Fiber.join(turning), () => drain)
  }).pipe(Effect.scoped)
