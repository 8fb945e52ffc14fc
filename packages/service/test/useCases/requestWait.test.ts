import { type ServiceConfig, SourceRefused } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Option, TestClock } from "effect"
import { captionsInTime, inTime, sourceInTime } from "../../src/useCases/requestWait.js"

const wait: Pick<ServiceConfig["Type"], "requestWait"> = { requestWait: Duration.seconds(8) }

/** How it ends, and after how long: of work that never does, and whose release takes for ever. */
const endOf = <A, E>(limited: (work: Effect.Effect<never>) => Effect.Effect<A, E>, seconds: number) =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<void>()
    const work = Effect.never.pipe(
      Effect.onInterrupt(() => Deferred.succeed(ended, undefined)),
      Effect.ensuring(Effect.never),
    )
    // Requests of agents are carried through, whoever goes away.
    const fiber = yield* Effect.fork(Effect.uninterruptible(Effect.exit(limited(work))))
    yield* TestClock.adjust(Duration.millis(seconds * 1000 - 1))
    assert.isTrue(Option.isNone(yield* Fiber.poll(fiber)))
    yield* TestClock.adjust("1 millis")
    const exit = yield* Fiber.join(fiber)
    yield* Deferred.await(ended)
    return yield* exit
  })

describe("what a request waits for", () => {
  it.effect("a feed is refused after the time, in one sentence that names its host", () =>
    Effect.gen(function* () {
      const slow = inTime("https://ann:hush@slow.example/feed?key=1", wait)
      const refused = yield* Effect.flip(endOf(slow, 8))
      if (!(refused instanceof SourceRefused)) return assert.fail(String(refused))
      assert.deepInclude(refused, { code: "unresolvable_link", failure: "download_timeout", later: true })
      assert.strictEqual(
        refused.detail,
        "slow.example did not answer in full within 8 seconds. Try again later, or download the feed and upload it.",
      )
    }),
  )

  it.effect("source and captions share it, and end without an answer", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone(yield* endOf(sourceInTime(wait), 4)))
      assert.isNull((yield* endOf(captionsInTime(wait), 4)).transcript)
    }),
  )
})
