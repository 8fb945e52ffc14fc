import { StorageError } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Console, Data, Effect, FiberId } from "effect"
import { logging } from "../src/parts/logging.js"
import { readSettings } from "../src/settings/Settings.js"

class Refused extends Data.TaggedError("Refused")<{ readonly code: string; readonly detail: string }> {}

const refused = new Refused({ code: "unavailable", detail: "The service is not ready." })
const away = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" })
const storage = new StorageError({ operation: "Jobs.get", reason: "unavailable", cause: away })

/** The lines that are written to standard error. */
const written = (format: "json" | "pretty", work: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const settings = yield* readSettings.pipe(
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["EARMARK_LOG_FORMAT", format]]))),
    )
    const bare = yield* Console.consoleWith(Effect.succeed)
    const error = (...parts: ReadonlyArray<unknown>) => void lines.push(parts.join(" "))
    const unsafe = { ...bare.unsafe, error }
    yield* work.pipe(Effect.provide(logging(settings, false)), Effect.withConsole({ ...bare, unsafe }))
    return lines
  })

const objectOf = (work: Effect.Effect<void>) =>
  Effect.map(written("json", work), ([line = ""]): Record<string, unknown> => JSON.parse(line))

describe("the log for machines", () => {
  it.effect("has a text as its message, whatever was logged beside it", () =>
    Effect.gen(function* () {
      const plain = yield* objectOf(Effect.logInfo("request"))
      assert.deepEqual([plain.message, "details" in plain, "cause" in plain], ["request", false, false])
      const detailed = yield* objectOf(Effect.logInfo("Something", { bytes: 3 }, "more"))
      assert.deepEqual([detailed.message, detailed.details], ["Something", [{ bytes: 3 }, "more"]])
      const object = yield* objectOf(Effect.logInfo({ bytes: 3 }))
      assert.strictEqual(object.message, '{"bytes":3}')
    }),
  )

  it.effect("says of an error what it says, whether given as a detail or as a cause", () =>
    Effect.gen(function* () {
      const said = "because of Error: connect ECONNREFUSED 127.0.0.1:5432"
      for (const given of [storage, Cause.fail(storage)]) {
        const line = yield* objectOf(Effect.logWarning("The worker cannot claim", given))
        assert.strictEqual(line.message, "The worker cannot claim")
        assert.strictEqual(line.cause, `StorageError: Jobs.get failed (unavailable)\n${said}`)
        assert.notProperty(line, "details")
      }
      const failed = yield* objectOf(Effect.logWarning("A request could not be served", Cause.fail(refused)))
      assert.strictEqual(failed.cause, "Refused (code=unavailable, detail=The service is not ready.)")
    }),
  )

  it.effect("says where of what nobody foresaw, and of nothing else", () =>
    Effect.gen(function* () {
      const defect = yield* objectOf(Effect.logError("A request failed", Cause.die(new TypeError("no!"))))
      assert.match(String(defect.cause), /^TypeError: no!\n {4}at .*logging\.test/)
      const died = yield* objectOf(Effect.logError("A request failed", Cause.die(storage)))
      assert.match(String(died.cause), /^StorageError: Jobs\.get[^\n]+\nbecause of Error[^\n]+\n {4}at /)
      const broken = new StorageError({ operation: "Jobs.get", reason: "broken", cause: new Error("what?") })
      const failed = yield* objectOf(Effect.logError("A request failed", Cause.fail(broken)))
      assert.match(String(failed.cause), /\(broken\)\nbecause of Error: what\?\n {4}at /)
      const interrupted = yield* objectOf(Effect.logError("A request failed", Cause.interrupt(FiberId.none)))
      assert.match(String(interrupted.cause), /interrupted/)
    }),
  )

  it.effect("says what kind of thing a cause is that is no error, and nothing of what it holds", () =>
    Effect.gen(function* () {
      const ring: Record<string, unknown> = { text: "what somebody said" }
      ring.self = ring
      const told = (cause: unknown) =>
        Effect.map(objectOf(Effect.logError("A request failed", Cause.fail(cause))), (line) => line.cause)
      assert.strictEqual(yield* told(ring), "an object")
      assert.strictEqual(yield* told([1n, "said"]), "a list")
      assert.strictEqual(yield* told(new Map([["a", 1n]])), "an object (Map)")
      assert.match(String(yield* told(new Error("no!", { cause: { count: 1n } }))), /because of an object$/)
      const detailed = yield* objectOf(Effect.logInfo("Something", { count: 1n }, 1n))
      assert.deepEqual([detailed.message, detailed.details], ["Something", ["an object", "1"]])
    }),
  )

  it.effect("ends where errors are the cause of each other, and hides secrets in all parts", () =>
    Effect.gen(function* () {
      const ring = new Error("ring em_live_0123456789")
      ring.cause = ring
      const line = yield* objectOf(Effect.logError("whsec_abcdef", { key: "em_live_0123456789" }, ring))
      assert.strictEqual(line.message, "whsec_***")
      assert.notInclude(JSON.stringify(line), "0123456789")
    }),
  )
})

describe("the log for people", () => {
  it.effect("is one line, and below it why", () =>
    Effect.gen(function* () {
      const lines = yield* written("pretty", Effect.logWarning("Something", { bytes: 3 }, storage))
      assert.match(
        lines.join(),
        /^\d\d:\d\d:\d\d WARN {2}Something \{"bytes":3\}\nStorageError: Jobs\.get failed \(unavailable\)\nbecause of /,
      )
    }),
  )
})
