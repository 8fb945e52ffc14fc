import { makePool } from "@earmark/sql"
import { historyContract, idempotencyContract, jobQueueContract } from "@earmark/testkit/contracts"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { Database } from "../src/database/Database.js"
import { isLockTimeout } from "../src/database/DatabaseFailure.js"
import * as Postgres from "../src/postgres/Postgres.js"
import { behindPooler, pooledUrl, poolerMissing } from "./backends.js"

const connect = (url: string, options: Postgres.PostgresSettings) =>
  Effect.map(
    Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 12, ...options })),
    (context) =>
      <A, E>(body: (database: Database["Type"]) => Effect.Effect<A, E>) =>
        Effect.provide(Effect.flatMap(Database, body), context),
  )

/** More callers than the pooler has connections, each with the same statement many times. */
const crowd = (database: Database["Type"]) =>
  Effect.forEach(
    Array.from({ length: 200 }, (_, index) => index),
    (index) =>
      Effect.map(
        database.query<{ readonly sum: number }>("test", "SELECT $1::int + 1 AS sum", [index], {
          reads: true,
        }),
        ([row]) => row?.sum,
      ),
    { concurrency: 12 },
  )

describe.skipIf(poolerMissing !== null)(`PgBouncer in transaction mode ${poolerMissing ?? ""}`, () => {
  jobQueueContract("pgbouncer", behindPooler)
  idempotencyContract("pgbouncer", behindPooler)
  historyContract("pgbouncer", behindPooler)

  it.live("statements that are not kept prepared find their way whatever connection they get", () =>
    Effect.gen(function* () {
      const use = yield* connect(yield* pooledUrl, { prepare: false })
      const sums = yield* use(crowd)
      assert.deepStrictEqual(
        sums,
        sums.map((_, index) => index + 1),
      )
    }).pipe(Effect.scoped),
  )

  it.live("the limits of time hold, and stay with the transaction that they are for", () =>
    Effect.gen(function* () {
      const use = yield* connect(yield* pooledUrl, { prepare: false })
      const [elapsed, error] = yield* use((database) =>
        Effect.gen(function* () {
          yield* database.query("test", "CREATE TABLE t (id int)", [])
          const write = database.query("test", "INSERT INTO t SELECT 1 FROM pg_sleep(0.05)", [])
          yield* Effect.all(
            Array.from({ length: 6 }, () => write),
            { concurrency: "unbounded" },
          )
          const holding = database.transaction("test", (run) =>
            Effect.zipRight(run("LOCK TABLE t"), Effect.sleep("6 seconds")),
          )
          yield* Effect.forkDaemon(holding)
          yield* Effect.sleep("300 millis")
          return yield* Effect.timed(Effect.flip(database.query("test", "INSERT INTO t VALUES (1)", [])))
        }),
      )
      assert.isTrue(isLockTimeout(error))
      assert.isTrue(Duration.between(elapsed, { minimum: "4 seconds", maximum: "8 seconds" }))
      // What another client of the pooler gets is as the server has it, whichever connection that is.
      const settings = yield* use((database) =>
        Effect.all(
          Array.from({ length: 12 }, () =>
            database.query("test", "SELECT current_setting('lock_timeout') AS its FROM pg_sleep(0.05)", [], {
              reads: true,
            }),
          ),
          { concurrency: "unbounded" },
        ),
      )
      for (const rows of settings) assert.deepStrictEqual(rows, [{ its: "0" }])
    }).pipe(Effect.scoped),
  )

  for (const [name, client] of [
    ["our client", (url: string) => Layer.orDie(Postgres.layer({ url: Redacted.make(url), prepare: false }))],
    [
      "a plain client over a pool of ours",
      (url: string) =>
        Layer.orDie(
          PgClient.layerFromPool({ acquire: makePool({ url: Redacted.make(url), prepare: false }) }),
        ),
    ],
  ] as const) {
    it.live(`${name}: each transaction has the limits, no statement is named, and nothing stays behind`, () =>
      Effect.gen(function* () {
        const context = yield* Layer.build(client(yield* pooledUrl))
        const sql = yield* Effect.provide(SqlClient.SqlClient, context)
        const limit = sql`SELECT current_setting('lock_timeout') AS its, ${1}::int AS one`
        const many = Array.from({ length: 40 }, () => sql.withTransaction(limit))
        const inside = yield* Effect.all(many, { concurrency: 12 })
        assert.deepStrictEqual(
          inside,
          many.map(() => [{ its: "5s", one: 1 }]),
        )
        const outside = yield* Effect.all(
          Array.from({ length: 12 }, () => limit),
          { concurrency: 12 },
        )
        assert.deepStrictEqual(
          outside,
          outside.map(() => [{ its: "0", one: 1 }]),
        )
      }).pipe(Effect.scoped),
    )
  }
})
