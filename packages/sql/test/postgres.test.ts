import { randomBytes } from "node:crypto"
import { type AccountId, AccountId as AccountIdSchema, ID_RANDOM_BYTES, makeId } from "@earmark/core/jobs"
import type { StorageError } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Redacted, Schedule, Stream } from "effect"
import { Database } from "../src/database/Database.js"
import { DatabaseFailure } from "../src/database/DatabaseFailure.js"
import { Wakes } from "../src/database/Wakes.js"
import * as Postgres from "../src/postgres/Postgres.js"
import { newUrl, outside, postgresMissing } from "./backends.js"

const connect = (url: string, options: Postgres.PostgresSettings = {}) =>
  Layer.build(Postgres.layer({ url: Redacted.make(url), migrate: "run", maxConnections: 3, ...options }))

const withDatabase = <A, E>(
  body: (database: Database["Type"], url: string) => Effect.Effect<A, E>,
  options: Postgres.PostgresSettings = {},
) =>
  Effect.gen(function* () {
    const url = yield* newUrl
    const context = yield* connect(url, options)
    return yield* Effect.flatMap(Database, (database) => body(database, url)).pipe(Effect.provide(context))
  }).pipe(Effect.scoped)

const kindOf = (error: StorageError) => (error.cause instanceof DatabaseFailure ? error.cause.kind : null)

const newAccount = (): AccountId => AccountIdSchema.make(makeId("account", 0, randomBytes(ID_RANDOM_BYTES)))

describe.skipIf(postgresMissing !== null)(`Postgres ${postgresMissing ?? ""}`, () => {
  it.live("interrupting everything that a full pool does frees it at once", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        const sleepers = yield* Effect.forEach(Array.from({ length: 9 }), () =>
          Effect.fork(database.query("test", "SELECT pg_sleep(9)", [], { reads: true })),
        )
        yield* Effect.sleep("200 millis")
        yield* Effect.forkDaemon(Fiber.interruptAll(sleepers))
        const [row] = yield* database
          .query<{ readonly one: number }>("test", "SELECT 1 AS one", [], { reads: true })
          .pipe(Effect.timeout("4 seconds"))
        assert.strictEqual(row?.one, 1)
      }),
    ),
  )

  it.live("a full pool is an error that callers can answer, not a wait for ever", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        yield* Effect.forEach(Array.from({ length: 3 }), () =>
          Effect.forkDaemon(Effect.either(database.query("test", "SELECT pg_sleep(8)", [], { reads: true }))),
        )
        yield* Effect.sleep("100 millis")
        const error = yield* Effect.flip(database.query("test", "SELECT 1", [], { reads: true }))
        assert.deepInclude(error, { reason: "unavailable" })
      }),
    ),
  )

  it.live("a commit that the database refuses is a typed failure, and nothing is written", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        yield* database.query(
          "test",
          "CREATE TABLE pair (id int PRIMARY KEY, other int REFERENCES pair DEFERRABLE INITIALLY DEFERRED)",
          [],
        )
        const error = yield* Effect.flip(
          database.transaction("test", (run) => run("INSERT INTO pair VALUES (1, 2)")),
        )
        assert.deepInclude(error, { _tag: "StorageError", reason: "broken" })
        assert.deepStrictEqual(yield* database.query("test", "SELECT * FROM pair", []), [])
      }),
    ),
  )

  it.live("a transaction fails whose body ignored a failed statement", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        yield* database.query("test", "CREATE TABLE t (id int)", [])
        const error = yield* Effect.flip(
          database.transaction("test", (run) =>
            Effect.zipRight(run("INSERT INTO t VALUES (1)"), Effect.ignore(run("SELECT 1 / 0"))),
          ),
        )
        assert.deepInclude(error.cause, { kind: "broken", code: "25P02" })
        assert.deepStrictEqual(yield* database.query("test", "SELECT * FROM t", []), [])
      }),
    ),
  )

  it.live("a lost answer to a commit is unknown, never taken for a refusal", () =>
    withDatabase((database, url) =>
      Effect.gen(function* () {
        yield* database.query("test", "CREATE TABLE slow (id int)", [])
        yield* database.query(
          "test",
          `CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$`,
          [],
        )
        // Deferred to the commit, so that it is the commit that is under way when the connection goes.
        yield* database.query(
          "test",
          `CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION wait_long()`,
          [],
        )
        const writing = yield* Effect.fork(
          Effect.flip(database.transaction("test", (run) => run("INSERT INTO slow VALUES (1)"))),
        )
        yield* Effect.sleep("500 millis")
        yield* outside(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'COMMIT'")
        assert.deepInclude(yield* Fiber.join(writing), { _tag: "StorageError", reason: "unknown" })
      }),
    ),
  )

  it.live("a transaction whose connection breaks before the commit is done again, once", () =>
    withDatabase((database, url) =>
      Effect.gen(function* () {
        yield* database.query("test", "CREATE TABLE once (id int)", [])
        let tries = 0
        yield* database.transaction("test", (run) =>
          Effect.gen(function* () {
            tries += 1
            yield* run("INSERT INTO once VALUES (1)")
            if (tries > 1) return
            const [row] = yield* run<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid")
            yield* outside(url, "SELECT pg_terminate_backend($1)", [row?.pid])
            yield* Effect.sleep("50 millis")
          }),
        )
        assert.strictEqual(tries, 2)
        assert.lengthOf(yield* database.query("test", "SELECT * FROM once", []), 1)
      }),
    ),
  )

  it.live("transactions that the database cannot put in an order are repeated until they can", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        yield* database.query("test", "CREATE TABLE tally (id int PRIMARY KEY, count int)", [])
        yield* database.query("test", "INSERT INTO tally VALUES (1, 0), (2, 0)", [])
        const both = (first: number, second: number) =>
          database.transaction("test", (run) =>
            Effect.gen(function* () {
              yield* run("UPDATE tally SET count = count + 1 WHERE id = $1", [first])
              yield* Effect.sleep("100 millis")
              yield* run("UPDATE tally SET count = count + 1 WHERE id = $1", [second])
            }),
          )
        yield* Effect.all([both(1, 2), both(2, 1)], { concurrency: 2 })
        const rows = yield* database.query<{ readonly count: number }>("test", "SELECT count FROM tally", [])
        assert.deepStrictEqual(
          rows.map(({ count }) => count),
          [2, 2],
        )
      }),
    ),
  )

  it.live("a defect in a transaction takes everything back and leaves the pool whole", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        yield* database.query("test", "CREATE TABLE t (id int)", [])
        for (let round = 0; round < 5; round++) {
          const exit = yield* Effect.exit(
            database.transaction("test", (run) =>
              Effect.zipRight(run("INSERT INTO t VALUES (1)"), Effect.dieMessage("a bug")),
            ),
          )
          assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
        }
        assert.deepStrictEqual(yield* database.query("test", "SELECT * FROM t", []), [])
      }),
    ),
  )

  it.live("no failure repeats a message of the database, which could quote data", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(database.query("test", "SELECT 'secret value'::int", []))
        assert.strictEqual(kindOf(error), "broken")
        assert.notInclude(JSON.stringify(error) + String(error) + String(error.cause), "secret")
      }),
    ),
  )

  it.live(
    "a wake-up reaches another process within milliseconds, also after its listener was cut off",
    () =>
      Effect.gen(function* () {
        const url = yield* newUrl
        const ours = yield* connect(url)
        const theirs = yield* connect(url)
        const heardWithin = (limit: number) =>
          Effect.gen(function* () {
            const started = yield* Effect.sync(() => performance.now())
            const wakes = yield* Effect.provide(Wakes, theirs)
            const waiting = yield* wakes.wakeUps("deliveries").pipe(
              // The poll beside the hints begins at once; its first word is not the one waited for.
              Stream.drop(1),
              Stream.runHead,
              Effect.fork,
            )
            yield* Effect.sleep("50 millis")
            const own = yield* Effect.provide(Wakes, ours)
            yield* own.wake("deliveries")
            yield* Fiber.join(waiting)
            return performance.now() - started < limit
          })
        const soon = Effect.filterOrFail(heardWithin(600), (isSoon) => isSoon)
        yield* Effect.sleep("300 millis")
        yield* Effect.retry(soon, Schedule.recurs(3))
        yield* outside(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'",
        )
        yield* Effect.sleep("1 second")
        yield* Effect.retry(soon, Schedule.recurs(3))
      }).pipe(Effect.scoped),
    30_000,
  )

  it.live("row security: a transaction of one account neither sees nor writes a row of another", () =>
    withDatabase(
      (database) =>
        Effect.gen(function* () {
          const [ann, bob] = [newAccount(), newAccount()]
          const insert = "INSERT INTO credit_balance (account_id, posted) VALUES ($1, 5)"
          for (const account of [ann, bob]) yield* database.query("test", insert, [account])
          // The statements forget to ask whose rows they are.
          const seen = yield* database.transaction(
            "test",
            (run) => run<{ readonly account_id: string }>("SELECT account_id FROM credit_balance"),
            { account: ann },
          )
          assert.deepStrictEqual(seen, [{ account_id: ann }])
          yield* database.transaction("test", (run) => run("UPDATE credit_balance SET posted = 0"), {
            account: ann,
          })
          const forged = yield* Effect.flip(
            database.transaction("test", (run) => run(insert, [newAccount()]), { account: ann }),
          )
          assert.deepInclude(forged, { reason: "broken" })
          const all = yield* database.query<{ readonly posted: number }>(
            "test",
            "SELECT posted FROM credit_balance ORDER BY account_id = $1",
            [ann],
          )
          assert.deepStrictEqual(
            all.map(({ posted }) => posted),
            [5, 0],
          )
          const single = yield* database.query("test", "SELECT account_id FROM credit_balance", [], {
            account: bob,
          })
          assert.deepStrictEqual(single, [{ account_id: bob }])
        }),
      { rowSecurity: true },
    ),
  )

  it.live("row security covers every table that has an account, but for the index of words", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        const rows = yield* database.query<{ readonly relname: string }>(
          "test",
          `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
          WHERE c.relkind = 'r' AND a.attname = 'account_id' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
            AND c.relnamespace = 'public'::regnamespace`,
          [],
        )
        assert.deepStrictEqual(rows, [{ relname: "transcript_search" }])
      }),
    ),
  )
})
