import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import * as TimeLimit from "../src/TimeLimit.js"

const packages = fileURLToPath(new URL("../..", import.meta.url))

const never = Effect.promise(() => new Promise<never>(() => {}))

const limited: Record<string, Effect.Effect<unknown>> = {
  timeout: Effect.flip(TimeLimit.timeout(never, "10 millis")),
  option: TimeLimit.option(never, "10 millis"),
  fail: Effect.flip(TimeLimit.fail(never, { duration: "10 millis", onTimeout: () => "late" })),
  to: TimeLimit.to(never, { duration: "10 millis", onSuccess: () => "", onTimeout: () => "late" }),
}

/** Ends with the test, whatever becomes of it. */
const within = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDaemon(effect)
    for (let tries = 0; tries < 200; tries++) {
      if (Option.isSome(yield* Fiber.poll(fiber))) return yield* Fiber.join(fiber)
      yield* Effect.sleep("10 millis")
    }
    return yield* Effect.dieMessage("the limit of time never came")
  })

describe("limits of time", () => {
  for (const [name, effect] of Object.entries(limited)) {
    it.live(`${name} comes where nothing may be interrupted`, () => within(Effect.uninterruptible(effect)))

    it.live(`${name} comes while a scope ends`, () =>
      within(Effect.scoped(Effect.addFinalizer(() => Effect.ignore(effect)))),
    )
  }

  it.live("what ends in time is not disturbed, and whoever waits for it is not let go before", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const done = yield* Deferred.make<void>()
      const work = Deferred.succeed(begun, undefined).pipe(
        Effect.zipRight(Effect.sleep("30 millis")),
        Effect.zipRight(Deferred.succeed(done, undefined)),
      )
      const fiber = yield* Effect.fork(Effect.uninterruptible(TimeLimit.timeout(work, "5 seconds")))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(yield* Deferred.isDone(done))
    }),
  )

  it("are those of this module everywhere", () => {
    const own = "service/src/TimeLimit.ts"
    const sources = readdirSync(packages, { recursive: true, encoding: "utf8" }).filter((file) =>
      /^\w+\/src\/.+\.ts$/.test(file),
    )
    assert.isAbove(sources.length, 500)
    const others = sources.filter(
      (file) => file !== own && /\b(Effect|Stream)\.timeout/.test(readFileSync(`${packages}${file}`, "utf8")),
    )
    assert.deepStrictEqual(others, [])
  })
})
