import { randomBytes } from "node:crypto"
import { AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { Accounts, JobQueue, JobStore, RateLimiter, StoreMemory, TimeLimit } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import {
  Context,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  LogLevel,
  Metric,
  MetricState,
  Option,
  Redacted,
  Scope,
} from "effect"
import { because } from "../../../test/servers/because.js"
import { type RedisServer, startRedis } from "../../../test/servers/redisServer.js"
import { QueueRedis, RateLimiterRedis, RedisUrlInvalid } from "../src/index.js"
import { newPrefix, redisMissing, redisServer, untilInTurn } from "./backends.js"

const newId = (kind: "account" | "job") => makeId(kind, 0, randomBytes(ID_RANDOM_BYTES))

/** A server that a test may do anything to. */
const ownServer = (options: { readonly running?: boolean } = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startRedis(options)),
    (server) => Effect.promise(() => server.stop()),
  )

/** Stores in memory, by the real clock, and jobs in them. */
const newStore = Effect.gen(function* () {
  const context = yield* Layer.build(StoreMemory.layer)
  const [accounts, jobs] = [Context.get(context, Accounts), Context.get(context, JobStore)]
  const account = AccountId.make(newId("account"))
  yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 1000, createdAt: 0 })
  const make = (count: number) =>
    Effect.forEach(Array.from({ length: count }), () => {
      const id = JobId.make(newId("job"))
      const source = { shown: { kind: "media" as const }, mediaUrl: null, link: null, identity: null }
      const rest = { title: null, metadata: null, key: null, durationSeconds: null, expiresAt: null }
      const job = { id, account, source, options: effectiveOptions({}), ...rest, createdAt: 0, hold: 1 }
      return Effect.as(jobs.create(job, { guard: null, maxWaiting: null }), id)
    })
  let asked = 0
  const store = Context.get(context, JobQueue)
  return {
    make,
    /** How often the store was asked. */
    asked: () => asked,
    layer: Layer.succeed(JobQueue, {
      ...store,
      claim: (options) =>
        Effect.zipRight(
          Effect.sync(() => asked++),
          store.claim(options),
        ),
    }),
  }
})

type Store = Effect.Effect.Success<typeof newStore>

/** What one process has of the queue. */
const newProcess = (server: RedisServer, store: Store, prefix: string, options: object = {}) =>
  Effect.map(
    Layer.build(
      QueueRedis.layer({ url: Redacted.make(server.url), prefix, ...options }).pipe(
        Layer.provide(store.layer),
      ),
    ),
    (context) => {
      const queue = Context.get(context, JobQueue)
      const claim = (want: number, cap = 100) =>
        Effect.map(queue.claim({ worker: "w", want, cap, leaseSeconds: 60 }), (claimed) =>
          claimed.map(({ lease }) => lease),
        )
      return { queue, claim }
    },
  )

const test = (name: string, run: Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(run), 60_000)

/** Waits until it is so. */
const eventually = <E, R>(what: string, isSo: Effect.Effect<boolean, E, R>) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 400; tries++) {
      if (yield* isSo) return
      yield* Effect.sleep("25 millis")
    }
    return yield* Effect.dieMessage(`waited in vain: ${what}`)
  })

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
    "what many want to know at once is a few questions to the store",
    Effect.gen(function* () {
      const server = yield* redisServer
      const store = yield* newStore
      const prefix = newPrefix()
      const processes = yield* Effect.forEach([1, 2, 3, 4], () => newProcess(server, store, prefix))
      yield* Effect.forEach(processes, ({ queue }) => untilInTurn(server, prefix, queue))
      const before = store.asked()
      const claims = Array.from({ length: 400 }, (_, index) => processes[index % 4]?.claim(1) ?? Effect.never)
      assert.lengthOf((yield* Effect.all(claims, { concurrency: "unbounded" })).flat(), 0)
      assert.isAtMost(store.asked() - before, 20)
    }),
  )

  test(
    "each of many takes another job, and all are taken",
    Effect.gen(function* () {
      const server = yield* redisServer
      const store = yield* newStore
      const prefix = newPrefix()
      const processes = yield* Effect.forEach([1, 2, 3, 4], () => newProcess(server, store, prefix))
      yield* Effect.forEach(processes, ({ queue }) => untilInTurn(server, prefix, queue))
      yield* store.make(30)
      const claims = Array.from({ length: 40 }, (_, index) => processes[index % 4]?.claim(1) ?? Effect.never)
      const claimed = (yield* Effect.all(claims, { concurrency: "unbounded" })).flat()
      assert.strictEqual(new Set(claimed.map(({ job }) => job)).size, 30)
      assert.lengthOf(claimed, 30)
    }),
  )

  test(
    "a job that is made while others hear that there is none is found by whoever asks after it",
    Effect.gen(function* () {
      const server = yield* redisServer
      const store = yield* newStore
      const prefix = newPrefix()
      const [one, two] = yield* Effect.forEach([1, 2], () => newProcess(server, store, prefix))
      if (one === undefined || two === undefined) return assert.fail("no processes")
      yield* untilInTurn(server, prefix, one.queue)
      yield* untilInTurn(server, prefix, two.queue)
      for (let round = 0; round < 100; round++) {
        const before = yield* Effect.fork(one.claim(1))
        yield* Effect.sleep(round % 10)
        yield* store.make(1)
        const found = yield* two.claim(1)
        assert.lengthOf([...(yield* Fiber.join(before)), ...found], 1, `round ${round}`)
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

  test(
    "what somebody else has written in its place changes nothing",
    Effect.gen(function* () {
      const server = yield* redisServer
      const store = yield* newStore
      const prefix = newPrefix()
      const { claim, queue } = yield* newProcess(server, store, prefix)
      yield* untilInTurn(server, prefix, queue)
      for (const text of ["", "null", "-1", "\u2028"]) {
        server.command("set", `${prefix}:claims:100:nothing`, text)
        yield* store.make(1)
        assert.lengthOf(yield* claim(1), 1)
      }
      server.command("del", `${prefix}:claims:100:nothing`)
      server.command("lpush", `${prefix}:claims:100:nothing`, "a list")
      yield* store.make(1)
      assert.lengthOf(yield* claim(1), 1)
    }),
  )

  test(
    "when its scope ends nothing of it is left: no connection, no turn",
    Effect.gen(function* () {
      const server = yield* ownServer()
      const store = yield* newStore
      const prefix = newPrefix()
      const clients = () => server.command("client", "list").split("\n").length
      const before = clients()
      const scope = yield* Scope.make()
      const { claim, queue } = yield* Scope.extend(newProcess(server, store, prefix), scope)
      yield* untilInTurn(server, prefix, queue)
      yield* store.make(2)
      assert.lengthOf(yield* claim(1), 1)
      assert.isAbove(clients(), before)
      yield* Scope.close(scope, Exit.void)
      yield* eventually(
        "all are closed",
        Effect.sync(() => clients() === before),
      )
      assert.strictEqual(server.command("exists", `${prefix}:claims:100:asking`), "0")
      const { claim: next } = yield* newProcess(server, store, prefix)
      assert.lengthOf(yield* next(5), 1)
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
