import { randomUUID } from "node:crypto"
import { JobNews, makeJobNews, type StorageError } from "@earmark/service"
import { Context, type Duration, Effect, Layer, Redacted } from "effect"
import { Client, Pool, type PoolClient, type PoolConfig } from "pg"
import { Database, makeDatabase } from "../database/Database.js"
import { databaseFailure, storageError } from "../database/DatabaseFailure.js"
import { makeWakes } from "../database/makeWakes.js"
import { types } from "../database/values.js"
import { Wakes } from "../database/Wakes.js"
import { migrateClient } from "../migrations/migrate.js"
import { type Ears, listen } from "./listen.js"
import { makeNotifier, toldIn } from "./makeNotifier.js"

/** Where a server is: the address with everything in it, or its parts. A host that begins with a slash is the folder of a socket. */
type PostgresServer =
  | { readonly url: Redacted.Redacted<string>; readonly connection?: never }
  | {
      readonly url?: never
      readonly connection: {
        readonly host: string
        readonly port?: number
        readonly user: string
        readonly database: string
        readonly password?: Redacted.Redacted<string>
      }
    }

export interface PostgresSettings {
  /** Connections for statements; three more listen, notify and cancel. */
  readonly maxConnections?: number
  /**
   * Named prepared statements. Off behind a pooler in transaction mode, where nothing may outlive a transaction: limits of time are then
   * set in each one, nothing listens for hints of other processes (they are told, and looked for now and then), and a statement that nobody waits for any more runs to its end.
   */
  readonly prepare?: boolean
  /**
   * `run` brings the database up to date at start, `check` refuses one that is not. Without it nothing is looked at.
   */
  readonly migrate?: "run" | "check"
  /** Puts single statements of a tenant under row security too, at the cost of two more round trips; transactions always are. */
  readonly rowSecurity?: boolean
}

export type PostgresOptions = PostgresServer & PostgresSettings

const SECOND = 1000

/** Nothing waits for ever: a saturated or stuck database becomes an error that callers can answer. */
const limits = {
  statement_timeout: 10 * SECOND,
  lock_timeout: 5 * SECOND,
  idle_in_transaction_session_timeout: 15 * SECOND,
}
const CONNECT_WITHIN = 5 * SECOND

// A pooler refuses settings at the start of a connection, and would hand later ones to others.
const limitsInTransaction = Object.entries(limits)
  .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  .join("; ")

const limitsOf = (isPooled: boolean): PoolConfig => ({
  connectionTimeoutMillis: CONNECT_WITHIN,
  keepAlive: true,
  ...(isPooled ? { query_timeout: limits.idle_in_transaction_session_timeout } : limits),
})

const serverOf = ({ url, connection }: PostgresServer): PoolConfig => {
  if (url !== undefined) return { connectionString: Redacted.value(url) }
  const { password, ...server } = connection
  return password === undefined ? server : { ...server, password: Redacted.value(password) }
}

const configOf = (options: PostgresOptions): PoolConfig => ({
  ...serverOf(options),
  application_name: "earmark",
  types,
})

// The pool drops a connection that breaks while idle, and opens another when it needs one. Whoever was using it has its own failure.
const droppedByThePool = () => undefined

const poolOf = (config: PoolConfig) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new Pool(config)
      pool.on("error", droppedByThePool)
      pool.on("connect", (client) => client.on("error", droppedByThePool))
      return pool
    }),
    (pool) => Effect.promise(() => pool.end()),
  )

/** Ends what a backend is running, from a connection that is never behind it in a queue. */
const canceller =
  (side: Pool) =>
  (client: PoolClient): Effect.Effect<void> =>
    Effect.promise(() => {
      const backend = "processID" in client ? client.processID : null
      return side.query("SELECT pg_cancel_backend($1)", [backend]).then(
        () => undefined,
        () => undefined,
      )
    })

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

const make = (options: PostgresOptions) =>
  Effect.gen(function* () {
    if (options.migrate !== undefined) {
      yield* migrate(options, options.migrate === "check" ? "check" : undefined)
    }
    const isPooled = options.prepare === false
    const config = { ...configOf(options), ...limitsOf(isPooled) }
    const pool = yield* poolOf({ ...config, max: options.maxConnections ?? 10 })
    const side = yield* poolOf({ ...config, max: 2, idleTimeoutMillis: 60 * SECOND })
    const self = yield* Effect.sync(() => randomUUID())
    const notifier = yield* makeNotifier(side, NOTIFY_EVERY, self)
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
        missed: Effect.all([here("jobs"), here("deliveries"), hear("missed")], { discard: true }),
        listening: (is) => {
          isListening = is
        },
      }
      yield* Effect.forkScoped(listen({ ...configOf(options), keepAlive: true }, ears))
    }
    const database = makeDatabase({
      pool,
      // The numbers of backends behind a pooler are not those that it tells.
      cancel: isPooled ? null : canceller(side),
      prepare: !isPooled,
      limits: isPooled ? limitsInTransaction : null,
      rowSecurity: options.rowSecurity ?? false,
    })
    return { database, wakes, news }
  })

/** A Postgres server, version 14 or newer. */
export const layer = (options: PostgresOptions) =>
  Layer.scopedContext(
    Effect.map(make(options), ({ database, wakes, news }) =>
      Context.make(Database, database).pipe(Context.add(Wakes, wakes), Context.add(JobNews, news)),
    ),
  )
