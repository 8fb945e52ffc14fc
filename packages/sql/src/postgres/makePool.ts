import { Effect, Redacted } from "effect"
import pg, { type ClientBase, Pool, type PoolClient, type PoolConfig } from "pg"
import { atRest, close, isAtRest, isOpen } from "../database/clientState.js"
import { makeNames } from "../database/statements.js"

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

export interface PoolSettings {
  /** Connections for statements; two more notify and cancel. */
  readonly maxConnections?: number
  /**
   * Named prepared statements. Turn it off behind a pooler in transaction mode, where no setting of a connection lasts longer than a
   * transaction. Then limits of time are set in each transaction, hints of other processes are not heard and the stores poll, and an
   * interrupted statement runs to its end.
   */
  readonly prepare?: boolean
}

export type PoolOptions = PostgresServer & PoolSettings

const SECOND = 1000

/** Nothing waits for ever: a saturated or stuck database becomes an error that callers can answer. */
const limits = {
  statement_timeout: 10 * SECOND,
  lock_timeout: 5 * SECOND,
  idle_in_transaction_session_timeout: 15 * SECOND,
}
export const CONNECT_WITHIN = 5 * SECOND

/** A server that does not answer for longer is gone, whatever its connection says. */
const RESTS_WITHIN = 20 * SECOND

// A pooler refuses settings at the start of a connection, and would hand later ones to others.
export const limitsInTransaction = Object.entries(limits)
  .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  .join("; ")

const limitsOf = (isPooled: boolean): PoolConfig => ({
  connectionTimeoutMillis: CONNECT_WITHIN,
  keepAlive: true,
  ...(isPooled ? { query_timeout: limits.idle_in_transaction_session_timeout } : limits),
})

const serverOf = ({ url, connection }: PostgresServer): PoolConfig => {
  if (url !== undefined) return { connectionString: Redacted.value(url) }
  const { password, ...parts } = connection
  // The environment may ask for TLS, which sockets do not have.
  const server = parts.host.startsWith("/") ? { ...parts, ssl: false } : parts
  return password === undefined ? server : { ...server, password: Redacted.value(password) }
}

export const configOf = (options: PostgresServer): PoolConfig => ({
  ...serverOf(options),
  application_name: "earmark",
})

// The pool drops a connection that breaks while idle, and opens another when it needs one. Whoever was using it has its own failure.
export const droppedByThePool = () => undefined

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

/** What a pool of ours has beside it. */
export interface OwnPool {
  readonly pool: Pool
  /** For what must never wait behind the statements of the pool: cancels and notices. */
  readonly side: Pool
  /** Ends what a backend is running; null behind a pooler, where the numbers of backends are not those that it tells. */
  readonly cancel: ((client: ClientBase) => Promise<void>) | null
  readonly limits: string | null
}

/** The pool of ours that a connection is of. */
const homes = new WeakMap<object, OwnPool>()
export const homeOf = (client: object): OwnPool | undefined => homes.get(client)

type Answer = (error: Error | null, result?: unknown) => void
const isAnswer = (value: unknown): value is Answer => typeof value === "function"

// `@effect/sql` reports success for a commit that the server answered with "ROLLBACK", because the transaction had failed before.
const telling =
  (answer: Answer): Answer =>
  (error, result) => {
    const isUndone = result instanceof pg.Result && result.command !== "COMMIT"
    const undone = () => Object.assign(new pg.DatabaseError("not committed", 0, "error"), { code: "25P02" })
    answer(error ?? (isUndone ? undone() : null), result)
  }

/** What whoever uses a connection of ours through `@effect/sql` sends, as it should be sent. */
const rewrite = (
  own: OwnPool,
  nameOf: (text: string) => string | undefined,
  given: ReadonlyArray<unknown>,
) => {
  const [text, values, answer] = given
  if (typeof text !== "string") return given
  if (text === "BEGIN" && own.limits !== null) return [`BEGIN; ${own.limits}`, undefined, answer]
  if (text === "COMMIT" && isAnswer(answer)) return [text, undefined, telling(answer)]
  const name = Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
  return name === undefined ? given : [{ name, text, values }, answer]
}

/** A connection goes back only when it is clean: nothing is under way, and no transaction is open. */
const cleanly = (client: PoolClient, release: PoolClient["release"]) => (cause?: Error | boolean) => {
  if ((cause !== undefined && cause !== false) || !isOpen(client)) return release(cause ?? true)
  const back = () => release((client.getTransactionStatus() ?? "I") === "I" ? undefined : true)
  if (isAtRest(client)) return back()
  // @effect-diagnostics-next-line globalTimers:off -- a callback of the driver, outside of every fiber
  const stuck = setTimeout(() => close(client), RESTS_WITHIN)
  void atRest(client).then(() => {
    clearTimeout(stuck)
    back()
  })
}

const guard = (own: OwnPool, nameOf: (text: string) => string | undefined) => (client: PoolClient) => {
  homes.set(client, own)
  const query = client.query.bind(client)
  let release = client.release
  Object.defineProperties(client, {
    query: {
      value: (...given: ReadonlyArray<unknown>) => Reflect.apply(query, client, rewrite(own, nameOf, given)),
    },
    // The pool sets it whenever it hands the connection out.
    release: { get: () => release, set: (given) => (release = cleanly(client, given)) },
  })
}

const CANCEL = /^SELECT pg_cancel_backend\((\d{1,10})\)$/

/** `PgClient` sends its cancels through the pool that they are to free. */
const divertCancels = ({ pool, cancel }: OwnPool) => {
  const backends = new Map<number, PoolClient>()
  const numberOf = (client: PoolClient) => Number(Reflect.get(client, "processID"))
  pool.on("connect", (client) => backends.set(numberOf(client), client))
  pool.on("remove", (client) => backends.delete(numberOf(client)))
  const query = pool.query.bind(pool)
  const diverted = (...given: ReadonlyArray<unknown>): unknown => {
    const [text, answer] = given
    const target = typeof text === "string" ? CANCEL.exec(text) : null
    if (target === null || !isAnswer(answer)) return Reflect.apply(query, pool, given)
    const client = backends.get(Number(target[1]))
    if (cancel === null || client === undefined) return answer(null)
    // Answered when the statement has ended, so that a late cancel cannot hit what comes next.
    return void cancel(client)
      .then(() => atRest(client))
      .then(() => answer(null))
  }
  Object.defineProperty(pool, "query", { value: diverted })
}

const cancelOn = (side: Pool) => (client: ClientBase) =>
  side
    .query("SELECT pg_cancel_backend($1)", [Reflect.get(client, "processID")])
    .then(droppedByThePool, droppedByThePool)

export const makeOwnPool = (options: PoolOptions) =>
  Effect.gen(function* () {
    const isPooled = options.prepare === false
    const config = { ...configOf(options), ...limitsOf(isPooled) }
    const side = yield* poolOf({ ...config, max: 2, idleTimeoutMillis: 60 * SECOND })
    const pool = yield* poolOf({ ...config, max: options.maxConnections ?? 10 })
    const own: OwnPool = {
      pool,
      side,
      cancel: isPooled ? null : cancelOn(side),
      limits: isPooled ? limitsInTransaction : null,
    }
    pool.on("connect", guard(own, isPooled ? () => undefined : makeNames("sql")))
    divertCancels(own)
    return own
  })

/**
 * A `pg.Pool` for `PgClient.layerFromPool`: it names statements that come often, limits them in time, cancels on connections beside it,
 * takes connections back only when they are clean, and fails a COMMIT that was none.
 */
export const makePool = (options: PoolOptions) => Effect.map(makeOwnPool(options), ({ pool }) => pool)
