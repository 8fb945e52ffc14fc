import { RateLimiter, TimeLimit } from "@earmark/service"
import { assert, describe } from "@effect/vitest"
import {
  Context,
  Effect,
  Fiber,
  Layer,
  Logger,
  LogLevel,
  Metric,
  MetricState,
  Option,
  Redacted,
} from "effect"
import { because } from "../../../test/servers/because.js"
import { QueueRedis, RateLimiterRedis, RedisUrlInvalid } from "../src/index.js"
import { newPrefix, redisMissing, redisServer, untilInTurn } from "./backends.js"
import { eventually, newProcess, newStore, ownServer, test } from "./processes.js"

/** What was logged from a level that an operator reads. */
const newLog = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel.ordinal >= LogLevel.Info.ordinal) lines.push(`${logLevel.label} ${String(message)}`)
  })
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

const says = (lines: ReadonlyArray<string>, part: string) =>
  lines.filter((line) => line.includes(part)).length

describe.skipIf(redisMissing !== null)(`the queue on Redis${because(redisMissing)}`, () => {
  test(
    "an address that cannot be one stops the start, and is not repeated in the message",
    Effect.gen(function* () {
      const store = yield* newStore
      for (const url of [
        "",
        "localhost:6379",
        "http://u:secret@host/0",
        "redis:///0",
        "redis://u:secret@host/one",
      ]) {
        const options = { url: Redacted.make(url) }
        const queue = Layer.provide(QueueRedis.layer(options), store.layer)
        const limiter = RateLimiterRedis.layer(options)
        for (const layer of [Layer.discard(queue), Layer.discard(limiter)]) {
          const error = yield* Effect.flip(Layer.build(layer))
          assert.instanceOf(error, RedisUrlInvalid)
          assert.match(error.message, /^The address of Redis is not valid: .+ Write it like redis:/)
          assert.notInclude(error.message, "secret")
        }
      }
    }),
  )

  test(
    "without a server jobs are claimed from the store, and in turn as soon as it is there",
    Effect.gen(function* () {
      const server = yield* ownServer({ running: false })
      const store = yield* newStore
      const prefix = newPrefix()
      const { claim, queue } = yield* newProcess(server, store, prefix)
      yield* store.make(2)
      assert.lengthOf(yield* claim(2), 2)
      assert.strictEqual(store.asked(), 1)
      yield* Effect.promise(server.start)
      yield* untilInTurn(server, prefix, queue)
      yield* store.make(1)
      assert.lengthOf(yield* claim(2), 1)
    }),
  )

  test(
    "a server that goes and comes is told once each, and costs no job and no claim",
    Effect.gen(function* () {
      const server = yield* ownServer()
      const store = yield* newStore
      const prefix = newPrefix()
      const { lines, layer } = newLog()
      const { claim, queue } = yield* newProcess(server, store, prefix).pipe(Effect.provide(layer))
      yield* untilInTurn(server, prefix, queue)
      yield* store.make(2)
      assert.lengthOf(yield* claim(2), 2)
      for (const round of [1, 2]) {
        yield* Effect.promise(server.crash)
        yield* store.make(1)
        assert.lengthOf(yield* claim(1), 1)
        yield* eventually(
          "it is said",
          Effect.sync(() => says(lines, "cannot be reached") === round),
        )
        yield* Effect.promise(server.start)
        yield* untilInTurn(server, prefix, queue)
        yield* eventually(
          "it is said",
          Effect.sync(() => says(lines, "INFO Redis at") === round),
        )
        yield* store.make(1)
        assert.lengthOf(yield* claim(1), 1)
      }
      assert.lengthOf(yield* claim(9), 0)
      assert.match(
        lines.find((line) => line.includes("cannot be reached")) ?? "",
        /^WARN Redis at 127\.0\.0\.1:\d+ cannot be reached \(.+\)\. Each worker asks the database itself until it is back\.$/,
      )
    }),
  )

  test(
    "a server that hangs does not hang a claim",
    Effect.gen(function* () {
      const server = yield* ownServer()
      const store = yield* newStore
      const prefix = newPrefix()
      const { claim, queue } = yield* newProcess(server, store, prefix)
      yield* untilInTurn(server, prefix, queue)
      yield* store.make(2)
      server.freeze()
      const claimed = yield* TimeLimit.timeout(claim(1), "15 seconds")
      assert.lengthOf(claimed, 1)
      server.thaw()
      yield* eventually(
        "the rest comes",
        Effect.map(claim(1), ({ length }) => length === 1),
      )
    }),
  )

  test(
    "a process that dies with its question does not hold up a claim that nothing may interrupt",
    Effect.gen(function* () {
      const server = yield* redisServer
      const store = yield* newStore
      const prefix = newPrefix()
      const { claim, queue } = yield* newProcess(server, store, prefix, { patience: "200 millis" })
      yield* untilInTurn(server, prefix, queue)
      server.command("set", `${prefix}:claims:100:asking`, "dead")
      yield* store.make(2)
      const claiming = yield* Effect.forkDaemon(Effect.uninterruptible(claim(1)))
      yield* eventually("the claim comes back", Effect.map(Fiber.poll(claiming), Option.isSome))
      assert.lengthOf(yield* Fiber.join(claiming), 1)
    }),
  )
})

describe.skipIf(redisMissing !== null)(`the rate limiter on Redis${because(redisMissing)}`, () => {
  const policy = { limit: 1, windowSeconds: 60, burst: 2 }

  test(
    "lets everything through while its server is away, counts that, and limits again when it is back",
    Effect.gen(function* () {
      const server = yield* ownServer()
      const { lines, layer } = newLog()
      const context = yield* Layer.build(RateLimiterRedis.layer({ url: Redacted.make(server.url) })).pipe(
        Effect.provide(layer),
      )
      const limiter = Context.get(context, RateLimiter)
      const allowed = Effect.map(limiter.take("one", policy), (taken) => taken.allowed)
      const letThrough = Effect.map(Metric.snapshot, (pairs) => {
        const found = pairs.find(
          ({ metricKey }) => metricKey.name === "earmark_rate_limiter_let_through_total",
        )
        return found !== undefined && MetricState.isCounterState(found.metricState)
          ? Number(found.metricState.count)
          : 0
      })
      yield* eventually(
        "it limits",
        Effect.map(allowed, (passes) => !passes),
      )
      const before = yield* letThrough
      yield* Effect.promise(server.crash)
      for (let call = 0; call < 5; call++) assert.isTrue(yield* allowed)
      assert.strictEqual((yield* letThrough) - before, 5)
      yield* eventually(
        "it is said",
        Effect.sync(() => says(lines, "Requests are not limited until it is back.") === 1),
      )
      yield* Effect.promise(server.start)
      yield* eventually(
        "it limits",
        Effect.map(allowed, (passes) => !passes),
      )
      assert.strictEqual(says(lines, "cannot be reached"), 1)
    }),
  )

  test(
    "a bucket that is full again is gone from the server",
    Effect.gen(function* () {
      const server = yield* redisServer
      const prefix = newPrefix()
      const url = Redacted.make(server.url)
      const limiter = Context.get(yield* Layer.build(RateLimiterRedis.layer({ url, prefix })), RateLimiter)
      yield* eventually(
        "it is asked",
        Effect.zipRight(
          limiter.take("one", { limit: 10, windowSeconds: 1, burst: 3 }),
          Effect.sync(() => server.command("exists", `${prefix}:rate:one`) === "1"),
        ),
      )
      assert.isAtMost(Number(server.command("pttl", `${prefix}:rate:one`)), 300)
      yield* eventually(
        "it goes",
        Effect.sync(() => server.command("exists", `${prefix}:rate:one`) === "0"),
      )
    }),
  )
})
