import { AccountId } from "@earmark/core/jobs"
import { IdempotencyKey } from "@earmark/core/requests"
import { Accounts, type Guard, JobStore, Ledger, type NewJob } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { type Context, Deferred, Effect, Either, Exit, Fiber, Layer, Redacted } from "effect"
import { Database } from "../src/database/Database.js"
import * as Postgres from "../src/postgres/Postgres.js"
import { layerStores } from "../src/SqlStore.js"
import { newUrl, postgresMissing } from "./backends.js"
import { newId, newJob } from "./newJob.js"

/** The stores of one process on a database; a second call is another process on the same. */
const processOn = (url: string) =>
  Layer.build(
    layerStores.pipe(Layer.provideMerge(Postgres.layer({ url: Redacted.make(url), migrate: "run" }))),
  )

const newAccount = (freeCredits: number) =>
  Effect.gen(function* () {
    const id = AccountId.make(newId("account"))
    const accounts = yield* Accounts
    yield* accounts.create({ id, name: "Ann", email: null, freeCredits, createdAt: 0 })
    return id
  })

const create = (job: NewJob, guard: Guard | null = null) =>
  Effect.flatMap(JobStore, (jobs) => jobs.create(job, { guard, maxWaiting: null }))

const createAll = (jobs: ReadonlyArray<NewJob>) =>
  Effect.all(
    jobs.map((job) => Effect.either(create(job))),
    { concurrency: "unbounded" },
  )

const storedIds = Effect.gen(function* () {
  const { query } = yield* Database
  const rows = yield* query<{ readonly id: string; readonly transaction: string }>(
    "test",
    `SELECT j.id, j.xmin::text AS transaction FROM job j
    JOIN queue q ON q.id = j.id AND q.account_id = j.account_id
    JOIN credit_hold h ON h.job_id = j.id AND h.account_id = j.account_id AND h.state = 'open'`,
    [],
  )
  return {
    ids: rows.map(({ id }) => id).sort(),
    transactions: new Set(rows.map((row) => row.transaction)).size,
  }
})

type Stored = Layer.Layer.Success<typeof layerStores> | Layer.Layer.Success<ReturnType<typeof Postgres.layer>>

type Stores = Context.Context<Stored>

const withStores = <A, E>(body: Effect.Effect<A, E, Stored>) =>
  Effect.gen(function* () {
    const stores: Stores = yield* processOn(yield* newUrl)
    return yield* Effect.provide(body, stores)
  }).pipe(Effect.scoped)

/** Locks the balance of an account until the effect inside ends. */
const whileLocked = <A, E, R>(account: AccountId, body: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { transaction } = yield* Database
    const [locked, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const holder = transaction("test", (run) =>
      Effect.gen(function* () {
        yield* run("SELECT 1 FROM credit_balance WHERE account_id = $1 FOR UPDATE", [account])
        yield* Deferred.succeed(locked, undefined)
        yield* Deferred.await(over)
      }),
    )
    const holding = yield* Effect.fork(holder)
    yield* Deferred.await(locked)
    const result = yield* Effect.ensuring(body, Deferred.succeed(over, undefined))
    yield* Fiber.join(holding)
    return result
  })

describe.skipIf(postgresMissing !== null)("jobs that are created at once", () => {
  it.live("are written together, each with its hold and entry", () =>
    withStores(
      Effect.gen(function* () {
        const accounts = yield* Effect.all(Array.from({ length: 5 }, () => newAccount(1000)))
        const jobs = Array.from({ length: 20 }, () => accounts.map((account) => newJob(account, 10))).flat()
        const results = yield* createAll(jobs)
        assert.isTrue(results.every(Either.isRight))
        const { ids, transactions } = yield* storedIds
        assert.deepStrictEqual(ids, jobs.map(({ id }) => id).sort())
        assert.isBelow(transactions, 20)
        const ledger = yield* Ledger
        for (const account of accounts) assert.strictEqual((yield* ledger.balance(account)).held, 200)
        assert.deepStrictEqual(yield* ledger.verify, [])
      }),
    ),
  )

  it.live(
    "each have their own answer: one that the database refuses and one without credits fail alone",
    () =>
      withStores(
        Effect.gen(function* () {
          const [rich, poor] = [yield* newAccount(1000), yield* newAccount(5)]
          const fine = Array.from({ length: 30 }, () => newJob(rich, 1))
          // No database takes half a credit: the statement breaks.
          const broken = newJob(rich, 0.5)
          const refused = newJob(poor, 10)
          const results = yield* createAll([...fine.slice(0, 15), broken, refused, ...fine.slice(15)])
          const failures = results.flatMap((result) => (Either.isLeft(result) ? [result.left] : []))
          assert.deepStrictEqual(failures.map(({ _tag }) => _tag).sort(), ["OutOfCredits", "StorageError"])
          assert.deepStrictEqual((yield* storedIds).ids, fine.map(({ id }) => id).sort())
          const ledger = yield* Ledger
          assert.strictEqual((yield* ledger.balance(rich)).held, 30)
        }),
      ),
  )

  it.live("outlive one that is a bug of the caller", () =>
    withStores(
      Effect.gen(function* () {
        const account = yield* newAccount(1000)
        const bug = { ...newJob(account, 1), createdAt: Number.NaN }
        const fine = Array.from({ length: 20 }, () => newJob(account, 1))
        const exits = yield* Effect.all(
          [...fine.slice(0, 10), bug, ...fine.slice(10)].map((job) => Effect.exit(create(job))),
          { concurrency: "unbounded" },
        )
        assert.lengthOf(exits.filter(Exit.isFailure), 1)
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(create(newJob(account, 1)))))
        assert.lengthOf((yield* storedIds).ids, 21)
      }),
    ),
  )

  it.live("do not wait for an account that somebody has locked, and its jobs are made once it is free", () =>
    withStores(
      Effect.gen(function* () {
        const [free, stuck] = [yield* newAccount(1000), yield* newAccount(1000)]
        const late = yield* whileLocked(
          stuck,
          Effect.gen(function* () {
            const waiting = yield* Effect.fork(createAll(Array.from({ length: 4 }, () => newJob(stuck, 1))))
            const others = createAll(Array.from({ length: 20 }, () => newJob(free, 1)))
            const results = yield* Effect.timeout(others, "3 seconds")
            assert.isTrue(results.every(Either.isRight))
            assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.timeout(Fiber.join(waiting), "1 millis"))))
            return waiting
          }),
        )
        assert.isTrue((yield* Fiber.join(late)).every(Either.isRight))
        assert.lengthOf((yield* storedIds).ids, 24)
      }),
    ),
  )

  it.live("leave no trace of one that was given up before its turn came", () =>
    withStores(
      Effect.gen(function* () {
        const [free, stuck] = [yield* newAccount(1000), yield* newAccount(1000)]
        const job = newJob(free, 1)
        yield* whileLocked(
          stuck,
          Effect.gen(function* () {
            // Whoever writes is busy with these for a moment.
            for (let busy = 0; busy < 8; busy++) yield* Effect.forkDaemon(create(newJob(stuck, 1)))
            yield* Effect.yieldNow()
            const given = yield* Effect.fork(create(job))
            yield* Effect.yieldNow()
            yield* Fiber.interrupt(given)
          }),
        )
        yield* create(newJob(free, 1))
        assert.notInclude((yield* storedIds).ids, job.id)
      }),
    ),
  )

  it.live(
    "in two processes with the same keys: each key makes one job, and every caller has its answer",
    () =>
      Effect.gen(function* () {
        const url = yield* newUrl
        const [here, there]: readonly [Stores, Stores] = [yield* processOn(url), yield* processOn(url)]
        const account = yield* Effect.provide(newAccount(1000), here)
        const keys = Array.from({ length: 40 }, (_, index) => IdempotencyKey.make(`key-${index}`))
        const storm = (stores: Stores) =>
          Effect.forEach(
            keys,
            (key) => {
              const job = newJob(account, 1)
              const guard = { key, fingerprint: "same", answer: job.id, expiresAt: Date.UTC(2100, 0, 1) }
              const answer = Effect.map(create(job, guard), (made) =>
                made.type === "done" ? job.id : made.answer,
              )
              return Effect.provide(answer, stores)
            },
            { concurrency: "unbounded" },
          )
        const [ours, theirs] = yield* Effect.all([storm(here), storm(there)], { concurrency: 2 })
        assert.deepStrictEqual<ReadonlyArray<string>>(ours, theirs)
        const { ids } = yield* Effect.provide(storedIds, here)
        assert.deepStrictEqual(ids, [...ours].sort())
      }).pipe(Effect.scoped),
  )
})

/** The stores of one process, with the rows of every answer that they have had so far. */
const overheard = Effect.gen(function* () {
  const answers: Array<ReadonlyArray<object>> = []
  const database = yield* Database
  const query: Database["Type"]["query"] = <Row extends object>(
    ...asked: Parameters<Database["Type"]["query"]>
  ) => Effect.tap(database.query<Row>(...asked), (rows) => answers.push(rows))
  const heard = Database.of({ ...database, query })
  const stores = yield* Layer.build(Layer.provide(layerStores, Layer.succeed(Database, heard)))
  return { answers, stores }
})

describe.skipIf(postgresMissing !== null)("results that are looked for at once", () => {
  it.live("are found, and no answer of the database carries more than one of them", () =>
    withStores(
      Effect.gen(function* () {
        const account = yield* newAccount(1000)
        const job = newJob(account, 1)
        yield* create(job)
        const { query } = yield* Database
        const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`)
        yield* query(
          "test",
          "INSERT INTO transcript (job_id, account_id, text, segments) VALUES ($1, $2, 'Long talk', '[]')",
          [job.id, account],
        )
        yield* query(
          "test",
          "INSERT INTO result_cache (scope, key, job_id) SELECT $1, key, $2 FROM unnest($3::text[]) AS key",
          [account, job.id, keys],
        )
        const { answers, stores } = yield* overheard
        const jobs = yield* Effect.provide(JobStore, stores)
        const found = yield* Effect.all(
          [...keys, "nothing"].map((key) => jobs.cached(account, key)),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(
          found.map((result) => result?.content.text),
          [...keys.map(() => "Long talk"), undefined],
        )
        const carried = answers.map((rows) => rows.filter((row) => "content_text" in row).length)
        assert.strictEqual(Math.max(...carried), 1)
        // Nor is there a statement for each that looks whether there is one.
        assert.isBelow(carried.filter((results) => results === 0).length, 5)
      }).pipe(Effect.scoped),
    ),
  )
})
