import { fork } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { JobQueue, JobStore, WebhookStore } from "@earmark/service"
import {
  addEndpoint,
  createDone,
  createJob,
  newAccount,
  StoreClock,
  type Stores,
} from "@earmark/testkit/contracts"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { Database } from "../src/database/Database.js"
import { lockDirectory, StoreInUse } from "../src/pglite/directoryLock.js"
import * as Pglite from "../src/pglite/Pglite.js"
import { layerPglite } from "../src/SqlStore.js"
import { temporaryFolder } from "./backends.js"

const lockOnce = (directory: string) => Effect.scoped(lockDirectory(directory))

const holder = (given: { readonly pid: number; readonly started: string | null; readonly host?: string }) =>
  JSON.stringify({ host: hostname(), token: "t", ...given })

describe("the lock of a directory", () => {
  it.scoped("is refused to a second one, and names the holder", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, "database")
      yield* lockDirectory(directory)
      const error = yield* Effect.flip(lockOnce(directory))
      assert.instanceOf(error, StoreInUse)
      assert.include(error.message, `process ${process.pid} on ${hostname()}`)
    }),
  )

  it.scoped("goes with its scope", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, "database")
      yield* lockOnce(directory)
      assert.isFalse(existsSync(`${directory}.lock`))
      yield* lockOnce(directory)
    }),
  )

  it.scoped("is taken over from a process that is gone, and from one whose number another has now", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, "database")
      const child = fork("-e", [], { execArgv: [], stdio: "ignore" })
      yield* Effect.promise(() => new Promise((resolve) => child.once("exit", resolve)))
      for (const dead of [
        { pid: child.pid ?? 0, started: "1" },
        { pid: process.pid, started: "1" },
      ]) {
        writeFileSync(`${directory}.lock`, holder(dead))
        yield* lockOnce(directory)
      }
    }),
  )

  it.scoped("of another host is respected as long as it shows life", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, "database")
      writeFileSync(`${directory}.lock`, holder({ pid: 1, started: "1", host: "elsewhere" }))
      // The clock of this test stands at 1970: the file is as young as can be.
      assert.instanceOf(yield* Effect.flip(lockOnce(directory)), StoreInUse)
    }),
  )

  it.scoped("of racing ones one has it", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, "database")
      writeFileSync(`${directory}.lock`, holder({ pid: process.pid, started: "1" }))
      const tries = yield* Effect.all(
        Array.from({ length: 10 }, () => Effect.either(lockDirectory(directory))),
        { concurrency: "unbounded" },
      )
      assert.lengthOf(
        tries.filter(({ _tag }) => _tag === "Right"),
        1,
      )
      assert.include(readFileSync(`${directory}.lock`, "utf8"), String(process.pid))
    }),
  )
})

const clock = Layer.succeed(StoreClock, {
  now: Effect.sync(() => Date.now()),
  advance: () => Effect.void,
})

describe("the database of WebAssembly", () => {
  it.live(
    "keeps what was written, frees its directory, and is opened by one at a time",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporaryFolder, "database")
        const use = <A, E>(body: (database: Database["Type"]) => Effect.Effect<A, E>) =>
          Effect.scoped(
            Effect.flatMap(Layer.build(Pglite.layer({ directory })), (context) =>
              Effect.provide(Effect.flatMap(Database, body), context),
            ),
          )
        yield* use((database) =>
          Effect.gen(function* () {
            yield* database.query("test", "CREATE TABLE kept (id int)", [])
            yield* database.query("test", "INSERT INTO kept VALUES (1)", [])
            const second = yield* Effect.exit(Effect.scoped(Layer.build(Pglite.layer({ directory }))))
            assert.isTrue(Exit.isFailure(second) && Cause.squash(second.cause) instanceof StoreInUse)
          }),
        )
        assert.isFalse(existsSync(`${directory}.lock`))
        yield* use((database) =>
          Effect.gen(function* () {
            assert.lengthOf(yield* database.query("test", "SELECT * FROM kept", []), 1)
          }),
        )
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    "takes back what a former process had under way, as soon as it is opened",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporaryFolder, "database")
        const within = <A, E>(body: Effect.Effect<A, E, Stores | StoreClock>) =>
          Effect.scoped(
            Effect.flatMap(Layer.build(Layer.merge(layerPglite({ directory }), clock)), (context) =>
              Effect.provide(body, context),
            ),
          )
        const claim = Effect.flatMap(JobQueue, (queue) =>
          queue.claim({ worker: "w", want: 9, cap: 9, leaseSeconds: 3600 }),
        )
        const left = yield* within(
          Effect.gen(function* () {
            const account = yield* newAccount()
            yield* addEndpoint(account)
            yield* createDone(account)
            const { id } = yield* createJob(account)
            assert.deepStrictEqual(
              (yield* claim).map(({ lease }) => [lease.job, lease.attempt]),
              [[id, 1]],
            )
            const webhooks = yield* WebhookStore
            const sent = yield* webhooks.claim({
              want: 9,
              perEndpoint: 9,
              leaseSeconds: 3600,
              unitSeconds: 5,
            })
            assert.lengthOf(sent, 1)
            return id
          }),
        )
        yield* within(
          Effect.gen(function* () {
            const queue = yield* JobQueue
            const webhooks = yield* WebhookStore
            assert.strictEqual(yield* queue.reapExpired(9), 1)
            assert.strictEqual(yield* webhooks.reapExpired(9, { backoff: [5], random: 0.5 }), 1)
            assert.deepStrictEqual(
              (yield* claim).map(({ lease }) => [lease.job, lease.attempt]),
              [[left, 2]],
            )
          }),
        )
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    "lists do not read the names of speakers, however many a job has",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporaryFolder, "database")
        yield* Effect.scoped(
          Effect.flatMap(Layer.build(Layer.merge(layerPglite({ directory }), clock)), (context) =>
            Effect.provide(
              Effect.gen(function* () {
                const store = yield* JobStore
                const account = yield* newAccount()
                const { id } = yield* createDone(account, { title: "A talk" })
                const job = yield* store.patch(account, id, { speakers: { "Speaker 1": "Ann" } })
                for (const filter of [{}, { q: "talk" }]) {
                  const page = { order: "desc", limit: 10, after: null, ...filter } as const
                  const { items } = yield* store.list(account, page)
                  assert.deepStrictEqual(items, [{ ...job, speakerNames: {} }])
                }
                assert.deepStrictEqual((yield* store.get(account, id)).speakerNames, { "Speaker 1": "Ann" })
              }),
              context,
            ),
          ),
        )
      }).pipe(Effect.scoped),
    60_000,
  )

  it.live(
    "a transaction that dies leaves nothing to the next one on the same session",
    () =>
      Effect.gen(function* () {
        const context = yield* Layer.build(Pglite.layer({}))
        const database = yield* Effect.provide(Database, context)
        yield* database.query("test", "CREATE TABLE t (id int)", [])
        yield* Effect.exit(
          database.transaction("test", (run) =>
            Effect.zipRight(run("INSERT INTO t VALUES (1)"), Effect.dieMessage("a bug")),
          ),
        )
        assert.deepStrictEqual(yield* database.query("test", "SELECT * FROM t", []), [])
        yield* database.transaction("test", (run) => run("INSERT INTO t VALUES (2)"))
        assert.lengthOf(yield* database.query("test", "SELECT * FROM t", []), 1)
      }).pipe(Effect.scoped),
    60_000,
  )
})
