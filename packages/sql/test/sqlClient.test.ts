import { AccountId } from "@earmark/core/jobs"
import { Accounts, JobStore, StorageError } from "@earmark/service"
import { makePool, SqlStore } from "@earmark/sql"
import { SqlClient, type SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Redacted, Schedule, Stream } from "effect"
import { Database } from "../src/database/Database.js"
import { Wakes } from "../src/database/Wakes.js"
import * as Postgres from "../src/postgres/Postgres.js"
import { newUrl, outside, postgresMissing } from "./backends.js"
import { newId, newJob } from "./newJob.js"

const plain = (url: string) => PgClient.layer({ url: Redacted.make(url) })

const overOurPool = (url: string) =>
  PgClient.layerFromPool({ acquire: makePool({ url: Redacted.make(url), maxConnections: 3 }) })

const ownLayer = (url: string) =>
  Postgres.layer({ url: Redacted.make(url), migrate: "run", maxConnections: 3 })

const storesOver = <E>(client: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, E>) =>
  Layer.provideMerge(SqlStore.layerClient({ migrate: "run" }), client)

const databaseOver = <E>(client: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, E>) =>
  Layer.provideMerge(Postgres.layerClient({ migrate: "run" }), client)

const ourClient = (url: string) =>
  SqlStore.layerPostgresWithClient({ url: Redacted.make(url), migrate: "run" })

type Sql = SqlClient.SqlClient

/** Works with the `sql` of a layer, over a database of its own. */
const withSql = <E, A, E2, R>(
  layer: (url: string) => Layer.Layer<SqlClient.SqlClient | R, E>,
  body: (sql: Sql, url: string) => Effect.Effect<A, E2, R>,
) =>
  Effect.gen(function* () {
    const url = yield* newUrl
    const context = yield* Layer.build(layer(url))
    return yield* Effect.flatMap(SqlClient.SqlClient, (sql) => body(sql, url)).pipe(Effect.provide(context))
  }).pipe(Effect.scoped)

const newAccount = () => AccountId.make(newId("account"))

const create = (account: AccountId) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const jobs = yield* JobStore
    yield* accounts.create({ id: account, name: "Ann", email: null, freeCredits: 5, createdAt: 0 })
    // The account is not committed yet: only this connection sees it.
    yield* accounts.get(account)
    const job = newJob(account)
    yield* jobs.create(job, { guard: null, maxWaiting: null })
    yield* jobs.get(account, job.id)
    return job.id
  })

/** Sleepers fill the pool, all are interrupted, and the next statement has its turn before they would have ended. */
const nextAfterInterrupts = (sql: Sql, get: (text: string) => Effect.Effect<unknown, SqlError.SqlError>) =>
  Effect.gen(function* () {
    const sleepers = yield* Effect.forEach(Array.from({ length: 9 }), () =>
      Effect.fork(get("SELECT pg_sleep(9)")),
    )
    yield* Effect.sleep("300 millis")
    yield* Effect.forkDaemon(Fiber.interruptAll(sleepers))
    yield* sql`SELECT 1`.pipe(Effect.timeout("4 seconds"))
  })

describe.skipIf(postgresMissing !== null)(`the client of a program ${postgresMissing ?? ""}`, () => {
  for (const [name, layer] of [
    ["a client of its own", (url: string) => Layer.orDie(storesOver(plain(url)))],
    ["a client over a pool of ours", (url: string) => Layer.orDie(storesOver(overOurPool(url)))],
    ["our client", (url: string) => Layer.orDie(ourClient(url))],
  ] as const) {
    it.live(`${name}: rows of the program and a job are there together, or neither`, () =>
      withSql(layer, (sql) =>
        Effect.gen(function* () {
          yield* sql`CREATE TABLE own (id text)`
          const both = (id: string, end: Effect.Effect<void, string>) =>
            sql.withTransaction(
              Effect.gen(function* () {
                yield* sql`INSERT INTO own VALUES (${id})`
                const job = yield* create(newAccount())
                yield* end
                return job
              }),
            )
          const job = yield* both("kept", Effect.void)
          assert.strictEqual(
            yield* Effect.flip(both("undone", Effect.fail("changed my mind"))),
            "changed my mind",
          )
          assert.deepStrictEqual(yield* sql`SELECT id FROM own`, [{ id: "kept" }])
          assert.deepStrictEqual(yield* sql`SELECT id FROM job`, [{ id: job }])
          assert.lengthOf(yield* sql`SELECT 1 FROM account`, 1)
        }),
      ),
    )
  }

  it.live("a statement of a store that fails leaves the transaction of the program as it was", () =>
    withSql(ownLayer, (sql) =>
      Effect.gen(function* () {
        const database = yield* Database
        yield* sql`CREATE TABLE own (id text)`
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO own VALUES ('kept')`
            yield* Effect.flip(database.query("test", "INSERT INTO missing VALUES (1)", []))
            const refused = database.transaction("test", (run) =>
              Effect.zipRight(run("INSERT INTO own VALUES ('undone')"), run("SELECT 1 / 0")),
            )
            yield* Effect.flip(refused)
          }),
        )
        assert.deepStrictEqual(yield* sql`SELECT id FROM own`, [{ id: "kept" }])
      }),
    ),
  )

  it.live("a connection that was left in a transaction goes to no one else", () =>
    withSql(
      (url) => Postgres.layer({ url: Redacted.make(url), migrate: "run", maxConnections: 1 }),
      (sql, url) =>
        Effect.gen(function* () {
          yield* sql`CREATE TABLE t (id int)`
          yield* Effect.scoped(
            Effect.flatMap(sql.reserve, (connection) => connection.executeRaw("BEGIN", [])),
          )
          yield* sql`INSERT INTO t VALUES (1)`
          assert.deepStrictEqual(yield* outside(url, "SELECT id FROM t"), [{ id: 1 }])
        }),
    ),
  )

  it.live("word of a job goes out when the transaction of the program is committed, not before", () =>
    withSql(ownLayer, (sql) =>
      Effect.gen(function* () {
        const { wake } = yield* Wakes
        const client = yield* PgClient.PgClient
        const heard = yield* Deferred.make<string>()
        yield* client.listen("earmark").pipe(
          Stream.runForEach((word) => Deferred.succeed(heard, word)),
          Effect.forkScoped,
        )
        yield* Effect.sleep("300 millis")
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* wake("jobs")
            yield* Effect.sleep("300 millis")
            assert.isFalse(yield* Deferred.isDone(heard))
          }),
        )
        assert.strictEqual(yield* Deferred.await(heard).pipe(Effect.timeout("2 seconds")), "jobs")
      }).pipe(Effect.scoped),
    ),
  )

  it.live("beside the client of a program, a connection of its own listens", () =>
    withSql(
      (url) => storesOver(plain(url)),
      (sql) =>
        sql`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN earmark%'`.pipe(
          Effect.filterOrFail((rows) => rows.length === 1),
          Effect.retry(Schedule.spaced("50 millis")),
          Effect.timeout("5 seconds"),
        ),
    ),
  )

  it.live("a transaction on another database is not joined", () =>
    withSql(ownLayer, (_, url) =>
      Effect.gen(function* () {
        const database = yield* Database
        const other = yield* newUrl
        const context = yield* Layer.build(plain(other))
        const theirs = yield* Effect.provide(PgClient.PgClient, context)
        yield* database.query("test", "CREATE TABLE here (id int)", [])
        yield* theirs.withTransaction(database.query("test", "INSERT INTO here VALUES (1)", []))
        assert.deepStrictEqual(yield* outside(url, "SELECT id FROM here"), [{ id: 1 }])
      }).pipe(Effect.scoped),
    ),
  )

  it.live("the account of a store in a transaction of the program is taken back at its end", () =>
    withSql(ownLayer, (sql) =>
      Effect.gen(function* () {
        const database = yield* Database
        const whose = "SELECT current_setting('earmark.account', true) AS whose"
        const seen = yield* sql.withTransaction(
          Effect.gen(function* () {
            const inside = yield* database.transaction("test", (run) => run(whose), { account: "acct_1" })
            return [...inside, ...(yield* sql.unsafe(whose))]
          }),
        )
        assert.deepStrictEqual(seen, [{ whose: "acct_1" }, { whose: "" }])
      }),
    ),
  )

  it.live("a fiber that outlives its transaction is refused, and does not write into the next one", () =>
    withSql(
      (url) => Postgres.layer({ url: Redacted.make(url), migrate: "run", maxConnections: 1 }),
      (sql) =>
        Effect.gen(function* () {
          const database = yield* Database
          yield* sql`CREATE TABLE t (id int)`
          const gate = yield* Deferred.make<void>()
          const [late, store] = yield* sql.withTransaction(
            Effect.all([
              Effect.forkDaemon(Effect.zipRight(Deferred.await(gate), sql`INSERT INTO t VALUES (1)`)),
              Effect.forkDaemon(
                Effect.zipRight(Deferred.await(gate), database.query("test", "INSERT INTO t VALUES (2)", [])),
              ),
            ]),
          )
          yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`INSERT INTO t VALUES (3)`
              yield* Deferred.succeed(gate, undefined)
              const refused = yield* Effect.flip(Fiber.join(late))
              assert.deepInclude(refused.cause, { code: "25P01" })
              assert.deepInclude(yield* Effect.flip(Fiber.join(store)), { reason: "broken" })
            }),
          )
          assert.deepStrictEqual(yield* sql`SELECT id FROM t`, [{ id: 3 }])
        }),
    ),
  )

  it.live(
    "a commit whose answer is lost is a failure with the reason unknown; so is one that was none, but broken",
    () =>
      withSql(ownLayer, (sql, url) =>
        Effect.gen(function* () {
          const reasonOf = ({ cause }: SqlError.SqlError) =>
            cause instanceof StorageError ? cause.reason : cause
          yield* sql`CREATE TABLE slow (id int)`
          const swallowed = sql.withTransaction(
            Effect.zipRight(sql`INSERT INTO slow VALUES (1)`, Effect.ignore(sql`SELECT 1 / 0`)),
          )
          assert.strictEqual(reasonOf(yield* Effect.flip(swallowed)), "broken")
          yield* sql.unsafe(
            "CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$",
          )
          yield* sql.unsafe(
            "CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_long()",
          )
          const writing = yield* Effect.fork(
            Effect.flip(sql.withTransaction(sql`INSERT INTO slow VALUES (2)`)),
          )
          yield* Effect.sleep("500 millis")
          yield* outside(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'COMMIT'")
          assert.strictEqual(reasonOf(yield* Fiber.join(writing)), "unknown")
        }),
      ),
  )

  for (const [name, layer] of [
    ["a client of its own", (url: string) => Layer.orDie(databaseOver(plain(url)))],
    ["our client", (url: string) => Layer.orDie(ownLayer(url))],
  ] as const) {
    it.live(`${name}: a part that failed and cannot be undone takes the whole transaction with it`, () =>
      withSql(layer, (sql) =>
        Effect.gen(function* () {
          const { transaction } = yield* Database
          yield* sql`CREATE TABLE own (id text)`
          const part = transaction("test", (run) => Effect.zipRight(run("COMMIT"), Effect.fail("no")))
          const exit = yield* Effect.ignore(part).pipe(
            Effect.zipRight(sql`INSERT INTO own VALUES ('after')`),
            sql.withTransaction,
            Effect.exit,
          )
          assert.isTrue(Exit.isFailure(exit))
          assert.deepStrictEqual(yield* sql`SELECT id FROM own`, [])
        }),
      ),
    )
  }

  it.live("over our pool, a plain client fails too when the server answers COMMIT with ROLLBACK", () =>
    withSql(overOurPool, (sql) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE t (id int)`
        const exit = yield* sql
          .withTransaction(Effect.zipRight(sql`INSERT INTO t VALUES (1)`, Effect.ignore(sql`SELECT 1 / 0`)))
          .pipe(Effect.exit)
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* sql`SELECT id FROM t`, [])
      }),
    ),
  )

  for (const [name, layer] of [
    ["the layer", (url: string) => Layer.orDie(ownLayer(url))],
    ["a plain client over a pool of ours", (url: string) => Layer.orDie(overOurPool(url))],
  ] as const) {
    it.live(`${name}: interrupting everything that a full pool does frees it at once`, () =>
      withSql(layer, (sql) =>
        Effect.gen(function* () {
          yield* nextAfterInterrupts(sql, (text) => sql.unsafe(text))
          yield* nextAfterInterrupts(sql, (text) => sql.withTransaction(sql.unsafe(text)))
        }),
      ),
    )

    it.live(`${name}: statements that come often are kept prepared`, () =>
      withSql(layer, (sql) =>
        Effect.gen(function* () {
          const named = yield* sql.withTransaction(
            Effect.gen(function* () {
              for (let time = 0; time < 4; time++) yield* sql`SELECT ${time}::int AS often`
              yield* sql`SELECT ${1}::int AS once`
              return yield* sql`SELECT statement FROM pg_prepared_statements`
            }),
          )
          assert.deepStrictEqual(named, [{ statement: "SELECT $1::int AS often" }])
        }),
      ),
    )
  }
})
