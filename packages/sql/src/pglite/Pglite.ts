import { JobNews } from "@earmark/service"
import { Reactivity } from "@effect/experimental"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schedule } from "effect"
import { Pool, type PoolClient } from "pg"
import { Database, makeDatabase } from "../database/Database.js"
import { databaseFailure, storageError } from "../database/DatabaseFailure.js"
import { makeWakes } from "../database/makeWakes.js"
import { Wakes } from "../database/Wakes.js"
import { migrateClient } from "../migrations/migrate.js"
import { lockDirectory } from "./directoryLock.js"
import { EngineStream } from "./EngineStream.js"
import { openEngine } from "./engine.js"

export interface PgliteOptions {
  /** Where the data is kept; in memory when left out. */
  readonly directory?: string | undefined
}

// Nothing in this database cleans up by itself: dead rows and its log would grow for ever.
const UPKEEP_EVERY = "5 minutes"
const HOT_TABLES =
  "queue, job, job_span, credit_balance, credit_hold, idempotency, webhook_delivery, webhook_endpoint, webhook_attempt, rate_bucket, upload"

// One process has a directory: whoever held these when it was opened is gone, and they come back as those of a worker that died.
const EXPIRE_LEASES = `UPDATE queue SET lease_until = earmark_now() WHERE state = 1 AND lease_until > earmark_now();
UPDATE webhook_delivery SET lease_until = earmark_now() WHERE state = 'delivering' AND lease_until > earmark_now()`

// A command has the directory for a moment.
const whileHeldForAMoment = Schedule.spaced("100 millis").pipe(Schedule.upTo("5 seconds"))

/** The database of a directory that no other process has, as it is. */
const open = ({ directory }: PgliteOptions) =>
  Effect.gen(function* () {
    if (directory !== undefined) yield* Effect.retry(lockDirectory(directory), whileHeldForAMoment)
    const engine = yield* Effect.acquireRelease(
      openEngine(directory).pipe(
        Effect.mapError((failure) => storageError("open", failure, { mayBeDone: false })),
      ),
      (open) => Effect.promise(() => open.close().catch(() => undefined)),
    )
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = new Pool({
          user: "postgres",
          database: "postgres",
          // One session: more connections would share its transactions.
          max: 1,
          idleTimeoutMillis: 0,
          stream: () => new EngineStream(engine),
        })
        made.on("error", () => undefined)
        return made
      }),
      (open) => Effect.promise(() => open.end()),
    )
    const withClient = <A, E>(use: (client: PoolClient) => Effect.Effect<A, E>) =>
      Effect.acquireUseRelease(
        Effect.tryPromise({ try: () => pool.connect(), catch: databaseFailure }).pipe(
          Effect.mapError((failure) => storageError("open", failure, { mayBeDone: false })),
        ),
        use,
        (client) => Effect.sync(() => client.release()),
      )
    return { pool, withClient }
  })

/** Works on the database of a directory as it is, and lets go of it. */
export const withClient = <A, E>(options: PgliteOptions, use: (client: PoolClient) => Effect.Effect<A, E>) =>
  Effect.scoped(Effect.flatMap(open(options), (opened) => opened.withClient(use)))

const make = ({ directory }: PgliteOptions) =>
  Effect.gen(function* () {
    const { pool, withClient: using } = yield* open({ directory })
    const run = (text: string) => Effect.tryPromise({ try: () => pool.query(text), catch: databaseFailure })
    const applied = yield* using((client) => migrateClient(client))
    if (directory !== undefined) {
      yield* Effect.mapError(run(EXPIRE_LEASES), (failure) =>
        storageError("open", failure, { mayBeDone: false }),
      )
      const upkeep = Effect.zipRight(run(`VACUUM (ANALYZE) ${HOT_TABLES}`), run("CHECKPOINT"))
      yield* upkeep.pipe(
        Effect.catchAll((failure) => Effect.logWarning("Upkeep of the database failed", failure)),
        Effect.schedule(Schedule.spaced(UPKEEP_EVERY)),
        Effect.forkScoped,
      )
      // Before the pool ends, so that the next start has nothing to repeat.
      yield* Effect.addFinalizer(() => Effect.ignore(run("CHECKPOINT")))
    }
    const { wakes } = yield* makeWakes()
    // Statements that are kept prepared gain nothing here, where there is no network.
    const { database } = makeDatabase({
      sql: yield* PgClient.fromPool({ acquire: Effect.succeed(pool) }).pipe(Effect.orDie),
      pool,
      // Its connections are its own.
      owns: () => false,
      cancel: null,
      prepare: false,
      limits: null,
      rowSecurity: false,
    })
    return { database, wakes, applied }
  })

/** Brings the database of a directory up to date and lets go of it; answers how many steps that took. */
export const migrate = (options: PgliteOptions) =>
  make(options).pipe(
    Effect.map(({ applied }) => applied),
    Effect.scoped,
    Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
  )

/** The database of WebAssembly, for systems that have no Postgres from npm: one process has a directory at a time. */
export const layer = (options: PgliteOptions) =>
  Layer.scopedContext(
    Effect.map(make(options), ({ database, wakes }) =>
      Context.make(Database, database).pipe(Context.add(Wakes, wakes)),
    ),
  ).pipe(Layer.provide(Reactivity.layer), Layer.merge(JobNews.layer))
