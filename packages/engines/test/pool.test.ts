import { SpeechEngine } from "@earmark/service"
import { speechEngineContract } from "@earmark/testkit/contracts"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Fiber } from "effect"
import { processCount } from "../src/pool/processCount.js"
import { layer, type ScriptedOptions } from "../src/scripted/index.js"
import { crashEngines, enginesOf, leftOf, until } from "./processes.js"
import { toneOf, windowOf } from "./windows.js"

// Engines are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const GIGABYTE = 1024 ** 3
const window = windowOf(toneOf(3_000))
const asked = { language: "en", quality: "fast", vocabulary: [] } as const

const hear = (given = window) => Effect.flatMap(SpeechEngine, (engine) => engine.recognize(given, asked))

const failureOf = <A, R>(
  effect: Effect.Effect<A, { readonly code: string; readonly isTransient: boolean }, R>,
) => Effect.map(Effect.flip(effect), ({ code, isTransient }) => `${code}${isTransient ? ", transient" : ""}`)

const using = <A, E>(options: ScriptedOptions, test: Effect.Effect<A, E, SpeechEngine>) =>
  Effect.provide(test, layer(options))

speechEngineContract("scripted, in child processes", {
  layer: layer({ delay: 120, pool: { size: 2 } }),
  spoken: window,
  language: "en",
  unknownLanguage: "tlh",
  crash: crashEngines(),
})

describe("a pool of engine processes", () => {
  afterAll(() => assert.deepStrictEqual(enginesOf(), []))

  it.live("a crash, a refusal and an answer that is none cost their window only", () =>
    using(
      { crash: 1, nonsense: 1, refuse: 1, garbage: 1 },
      Effect.gen(function* () {
        const ends = []
        for (let turn = 0; turn < 4; turn++) ends.push(yield* failureOf(hear()))
        const transient = "engine_error, transient"
        assert.deepStrictEqual(ends, [transient, transient, "engine_error", transient])
        assert.strictEqual((yield* hear()).words.length, 6)
      }),
    ),
  )

  it.live("a process that hangs is killed when its time is up, and the window can be heard again", () =>
    using(
      { hang: 1, pool: { windowLimit: () => Duration.millis(700) } },
      Effect.gen(function* () {
        assert.strictEqual(yield* failureOf(hear()), "engine_timeout, transient")
        assert.deepStrictEqual(enginesOf(), [])
        assert.strictEqual((yield* hear()).words.length, 6)
      }),
    ),
  )

  it.live("a process that hangs is gone within a second of an interruption", () =>
    using(
      { hang: 1, delay: 100 },
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(hear())
        yield* until(() => enginesOf().length > 0)
        yield* Effect.sleep("300 millis")
        const groups = enginesOf()
        const [took] = yield* Effect.timed(Fiber.interrupt(fiber))
        assert.isBelow(Duration.toMillis(took), 1_000)
        assert.deepStrictEqual(leftOf(groups), [])
      }),
    ),
  )

  it.live("a process is used again until it has heard its share of windows", () =>
    using(
      { pool: { windowsPerProcess: 3 } },
      Effect.gen(function* () {
        const seen: Array<number | undefined> = []
        for (let turn = 0; turn < 4; turn++) {
          yield* hear()
          seen.push(enginesOf()[0])
        }
        const [first, second, third, fourth] = seen
        assert.strictEqual(first, second)
        assert.isUndefined(third)
        assert.isDefined(fourth)
        assert.notStrictEqual(fourth, first)
      }),
    ),
  )

  it.live("a process that holds too much memory is replaced", () =>
    using(
      { leak: 300_000_000, pool: { residentLimit: 250_000_000 } },
      Effect.gen(function* () {
        yield* hear()
        assert.deepStrictEqual(enginesOf(), [])
        yield* hear()
      }),
    ),
  )

  it.live("no more processes than asked for, and all of them at work", () =>
    using(
      { delay: 300, pool: { size: 2 } },
      Effect.gen(function* () {
        const all = yield* Effect.fork(
          Effect.all([hear(), hear(), hear(), hear()], { concurrency: "unbounded" }),
        )
        let most = 0
        yield* until(() => {
          most = Math.max(most, enginesOf().length)
          return all.unsafePoll() !== null
        })
        yield* Fiber.join(all)
        assert.strictEqual(most, 2)
      }),
    ),
  )

  it.live("an engine that dies while it loads is unavailable; three times, and it is not started again", () =>
    using(
      { abort: 3 },
      Effect.gen(function* () {
        for (let turn = 0; turn < 3; turn++) {
          assert.strictEqual(yield* failureOf(hear()), "engine_unavailable, transient")
        }
        const failure = yield* Effect.flip(hear())
        assert.deepInclude(failure, { code: "engine_unavailable", isTransient: false })
        assert.match(String(failure.cause), /failed to start 3 times/)
      }),
    ),
  )

  it.live("an abort while loading leaves the pool usable", () =>
    using(
      { abort: 1 },
      Effect.gen(function* () {
        assert.strictEqual(yield* failureOf(hear()), "engine_unavailable, transient")
        assert.strictEqual((yield* hear()).words.length, 6)
      }),
    ),
  )

  it.live("closing the layer in the middle of windows leaves nobody", () =>
    Effect.gen(function* () {
      let groups: ReadonlyArray<number> = []
      const exit = yield* Effect.exit(
        using(
          { delay: 5_000, pool: { size: 2 } },
          Effect.gen(function* () {
            yield* Effect.forkScoped(hear())
            yield* Effect.forkScoped(hear())
            yield* until(() => enginesOf().length === 2)
            groups = enginesOf()
          }).pipe(Effect.scoped),
        ),
      )
      assert.isTrue(Exit.isSuccess(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
      assert.deepStrictEqual(leftOf(groups), [])
    }),
  )

  it("counts processes by cores, memory and what was asked for", () => {
    const count = (cores: number, gigabytes: number, asked?: number) =>
      processCount({ cores, memory: gigabytes * GIGABYTE, needBytes: GIGABYTE, asked })
    assert.strictEqual(count(8, 32), 8)
    assert.strictEqual(count(8, 4), 3)
    assert.strictEqual(count(8, 32, 2), 2)
    assert.strictEqual(count(8, 1), 1)
  })
})
