import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { because } from "../../../test/servers/because.js"
import { newPrefix, redisMissing, redisServer, untilInTurn } from "./backends.js"
import { eventually, newProcess, newStore, ownServer, test } from "./processes.js"

describe.skipIf(redisMissing !== null)(`the queue on Redis${because(redisMissing)}`, () => {
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
