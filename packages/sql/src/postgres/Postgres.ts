import { randomUUID } from "node:crypto"
import { JobNews, makeJobNews, type StorageError } from "@earmark/service"
import { Reactivity } from "@effect/experimental"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Context, type Duration, Effect, Layer, Redacted } from "effect"
import { Client, type ClientBase, type ClientConfig } from "pg"
import { Database, makeDatabase } from "../database/Database.js"
import { databaseFailure, storageError } from "../database/DatabaseFailure.js"
import { makeWakes } from "../database/makeWakes.js"
import { clientOf } from "../database/transactions.js"
import { Wakes, WORKS } from "../database/Wakes.js"
import { migrateClient } from "../migrations/migrate.js"
import { type Ears, listen } from "./listen.js"
import { CHANNEL, makeNotifier, toldIn } from "./makeNotifier.js"
import {
  CONNECT_WITHIN,
  configOf,
  droppedByThePool,
  homeOf,
  limitsInTransaction,
  makeOwnPool,
  type OwnPool,
  type PoolOptions,
  type PoolSettings,
} from "./makePool.js"

export interface ClientOptions extends Pick<PoolSettings, "prepare"> {
  /**
   * `run` brings the database up to date at start, `check` refuses one that is not. Without it nothing is looked at.
   */
  readonly migrate?: "run" | "check"
  /** Puts single statements of a tenant under row security too, at the cost of two more round trips; transactions always are. */
  readonly rowSecurity?: boolean
}

export interface PostgresSettings extends PoolSettings, ClientOptions {}

export type PostgresOptions = PoolOptions & ClientOptions

/** One connection of its own, without the limits of the pool, for what may take long. */
export const withClient = <A, E>(
  options: PostgresOptions,
  use: (client: Client) => Effect.Effect<A, E>,
): Effect.Effect<A, E | StorageError> =>
  Effect.acquireUseRelease(
    Effect.tryPromise({
      try: async () => {
        const client = new Client({
          ...configOf(options),
          connectionTimeoutMillis: CONNECT_WITHIN,
        })
        client.on("error", droppedByThePool)
        await client.connect()
        return client
      },
      catch: (error) => storageError("connect", databaseFailure(error), { mayBeDone: false }),
    }),
    use,
    (client) => Effect.promise(() => client.end().catch(droppedByThePool)),
  )

export const migrate = (options: PostgresOptions, only?: "check") =>
  withClient(options, (client) => migrateClient(client, only === undefined ? {} : { only }))

const NOTIFY_EVERY: Duration.DurationInput = "20 millis"
const NOTIFY = "SELECT pg_notify($1, $2)"

/** How a database is reached: `sql` for transactions, and what is known beside it. */
interface Reached {
  readonly sql: SqlClient.SqlClient
  readonly own: OwnPool | undefined
  readonly owns: (connection: object) => boolean
  readonly listener: ClientConfig
}

const make = (
  { sql, own, owns, listener }: Reached,
  { prepare = true, rowSecurity = false }: ClientOptions,
) =>
  Effect.gen(function* () {
    // A pool of ours knows whether a pooler is behind it.
    const isPooled = own === undefined ? !prepare : own.limits !== null
    const cancel = own?.cancel ?? null
    const made = makeDatabase({
      sql,
      pool: own?.pool ?? null,
      owns,
      cancel: cancel === null ? null : (client) => Effect.promise(() => cancel(client)),
      prepare: !isPooled,
      limits: own === undefined ? limitsInTransaction : own.limits,
      rowSecurity,
    })
    const { database } = made
    const self = yield* Effect.sync(() => randomUUID())
    // A hint that is lost is made up for by the poll.
    const notify = (channel: string, payload: string) =>
      own === undefined
        ? Effect.ignore(sql.unsafe(NOTIFY, [channel, payload]))
        : Effect.promise(() =>
            own.side.query(NOTIFY, [channel, payload]).then(droppedByThePool, droppedByThePool),
          )
    const notifier = yield* makeNotifier(notify, NOTIFY_EVERY, self)
    const { wakes, here } = yield* makeWakes(notifier.work)
    let isListening = false
    const { news, hear } = yield* makeJobNews({
      tellOthers: notifier.job,
      hearsOthers: Effect.sync(() => isListening),
    })
    if (!isPooled) {
      const ears: Ears = {
        work: here,
        jobs: (payload) => Effect.forEach(toldIn(payload, self), hear, { discard: true }),
        missed: Effect.all([...WORKS.map(here), hear("missed")], { discard: true }),
        listening: (is) => {
          isListening = is
        },
      }
      yield* Effect.forkScoped(listen({ ...listener, keepAlive: true }, ears))
    }
    const wake: Wakes["Type"]["wake"] = (work) =>
      Effect.flatMap(database.joined, (run) =>
        // The server passes it on when the transaction is committed, to this process too.
        run === null ? wakes.wake(work) : Effect.ignore(run(NOTIFY, [CHANNEL, work])),
      )
    const context = Context.make(Database, database).pipe(
      Context.add(Wakes, { ...wakes, wake }),
      Context.add(JobNews, news),
    )
    return { ...made, context }
  })

/** A Postgres server, version 14 or newer, and the `sql` of its connections. */
export const layer = (options: PostgresOptions) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      if (options.migrate !== undefined) {
        yield* migrate(options, options.migrate === "check" ? "check" : undefined)
      }
      const own = yield* makeOwnPool(options)
      const sql = yield* PgClient.fromPool({ acquire: Effect.succeed(own.pool) }).pipe(Effect.orDie)
      const owns = (connection: object) => homeOf(Reflect.get(connection, "pg") ?? {}) === own
      const { context, withTransaction } = yield* make(
        { sql, own, owns, listener: configOf(options) },
        options,
      )
      Object.assign(sql, { withTransaction })
      return context.pipe(Context.add(PgClient.PgClient, sql), Context.add(SqlClient.SqlClient, sql))
    }),
  ).pipe(Layer.provide(Reactivity.layer))

const listenerOf = ({ config }: PgClient.PgClient): ClientConfig => {
  const known = {
    connectionString: config.url === undefined ? undefined : Redacted.value(config.url),
    host: config.path ?? config.host,
    port: config.port,
    user: config.username,
    database: config.database,
    password: config.password === undefined ? undefined : Redacted.value(config.password),
    ssl: config.ssl,
    stream: config.stream,
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
}

const reserved = <A, E>(
  sql: PgClient.PgClient,
  use: (connection: object, client: ClientBase) => Effect.Effect<A, E>,
) =>
  sql.reserve.pipe(
    Effect.mapError(({ cause }) => storageError("connect", databaseFailure(cause), { mayBeDone: false })),
    Effect.flatMap((connection) => use(connection, clientOf(connection))),
    Effect.scoped,
  )

/** The database of the `PgClient` of a program: what happens in `sql.withTransaction` is part of that transaction. */
export const layerClient = (options: ClientOptions = {}) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { migrate: when } = options
      const { kind, own } = yield* reserved(sql, (connection, client) =>
        Effect.as(
          when === undefined ? Effect.void : migrateClient(client, when === "check" ? { only: when } : {}),
          { kind: Object.getPrototypeOf(connection), own: homeOf(client) },
        ),
      )
      // Each PgClient has a class of connections of its own.
      const owns = (connection: object) => Object.prototype.isPrototypeOf.call(kind, connection)
      const { context } = yield* make({ sql, own, owns, listener: listenerOf(sql) }, options)
      return context
    }),
  )
