import type { StorageError } from "@earmark/service"
import { Cause, Context, Effect, Exit, Option, Schedule } from "effect"
import { escapeLiteral, type Pool, type PoolClient, type QueryResultRow } from "pg"
import { DatabaseFailure, databaseFailure, storageError } from "./DatabaseFailure.js"
import { runOnce } from "./runOnce.js"
import { makeStatements } from "./statements.js"

/** Runs one statement on the connection of a transaction. */
export type Run = <Row extends QueryResultRow>(
  text: string,
  values?: ReadonlyArray<unknown>,
) => Effect.Effect<ReadonlyArray<Row>, DatabaseFailure>

export interface StatementOptions {
  /** A statement that only reads may be repeated when its connection is lost. */
  readonly reads?: boolean
  /** The one tenant whose rows may be touched; the database itself refuses all others where row security is on. */
  readonly account?: string
}

/** A database, whichever it is. Stores write their SQL against this. */
export class Database extends Context.Tag("@earmark/sql/Database")<
  Database,
  {
    /** One statement in a transaction of its own. */
    readonly query: <Row extends QueryResultRow>(
      operation: string,
      text: string,
      values: ReadonlyArray<unknown>,
      options?: StatementOptions,
    ) => Effect.Effect<ReadonlyArray<Row>, StorageError>
    /**
     * Several statements, all or none. The body is repeated when the database asks for it, so it does nothing outside of it,
     * and it uses no other connection: an embedded database has only this one.
     */
    readonly transaction: <A, E>(
      operation: string,
      body: (run: Run) => Effect.Effect<A, E | DatabaseFailure>,
      options?: { readonly account?: string },
    ) => Effect.Effect<A, Exclude<E, DatabaseFailure> | StorageError>
    /** Whether single statements of a tenant run under row security. */
    readonly rowSecurity: boolean
  }
>() {}

export interface DatabaseOptions {
  readonly pool: Pool
  /** Ends the statement that a backend is running; null where that cannot be done. */
  readonly cancel: ((client: PoolClient) => Effect.Effect<void>) | null
  /** Whether statements are kept prepared under a name. Off for poolers that hand a connection to another client between two statements. */
  readonly prepare: boolean
  /** Limits of time as statements, for every transaction to begin with; null where connections have them. */
  readonly limits: string | null
  /** Whether single statements of a tenant run under row security; transactions always do. */
  readonly rowSecurity: boolean
}

const MOST_REPEATS = 3
const PAUSE = "10 millis"

const repeats = (most: number) =>
  Schedule.exponential(PAUSE).pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(most)))

const beginFor = (limits: string | null, account: string | undefined): string =>
  ["BEGIN"]
    .concat(limits === null ? [] : [limits])
    .concat(
      account === undefined ? [] : [`SELECT set_config('earmark.account', ${escapeLiteral(account)}, true)`],
    )
    .join("; ")

const isBrokenConnection = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  Option.match(Cause.failureOption(exit.cause), {
    onNone: () => true,
    onSome: (error) => error instanceof DatabaseFailure && error.kind === "lost",
  })

/** Does the work, and tells whether the connection ended while nobody was looking. */
const watched = <A>(client: PoolClient, work: Effect.Effect<A>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const watch = {
        isGone: false,
        end: () => {
          watch.isGone = true
        },
      }
      client.on("error", watch.end)
      client.on("end", watch.end)
      return watch
    }),
    (watch) => Effect.map(work, (exit) => ({ exit, isGone: watch.isGone })),
    ({ end }) =>
      Effect.sync(() => {
        client.removeListener("error", end)
        client.removeListener("end", end)
      }),
  )

export const makeDatabase = (options: DatabaseOptions): Database["Type"] => {
  const { pool } = options
  const statements = makeStatements(options.prepare)

  const connect = Effect.tryPromise({
    try: () => pool.connect(),
    // Nothing was sent yet, so nothing can be half done.
    catch: (error) => new DatabaseFailure({ ...databaseFailure(error), kind: "busy" }),
  })

  const runOn =
    (client: PoolClient): Run =>
    (text, values = []) =>
      Effect.async((resume) => {
        const running = client.query<never>(statements(text, values)).then(
          (result) => resume(Effect.succeed(result.rows)),
          (error: unknown) => resume(Effect.fail(databaseFailure(error))),
        )
        // The connection goes back to the pool only after the statement has ended, or the next user would wait for it.
        const settled = Effect.promise(() => running)
        return options.cancel === null ? settled : Effect.zipRight(options.cancel(client), settled)
      })

  const withClient = <A, E>(use: (client: PoolClient) => Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(connect, use, (client, exit) =>
      Effect.sync(() => client.release(isBrokenConnection(exit))),
    )

  const commit = (run: Run) =>
    run("COMMIT").pipe(
      Effect.catchIf(
        (failure) => failure.kind === "lost",
        (failure) => Effect.fail(new CommitLost(failure)),
      ),
    )

  const attempt = <A, E>(
    body: (run: Run) => Effect.Effect<A, E | DatabaseFailure>,
    account: string | undefined,
  ): Effect.Effect<A, E | DatabaseFailure | CommitLost> =>
    withClient((client) =>
      Effect.gen(function* () {
        const run = runOn(client)
        yield* run(beginFor(options.limits, account))
        const { exit, isGone } = yield* watched(client, Effect.exit(body(run)))
        if (Exit.isSuccess(exit)) {
          // The commit was not even sent.
          if (isGone)
            return yield* new DatabaseFailure({ kind: "lost", code: "connection", constraint: null })
          yield* commit(run)
          return exit.value
        }
        if (!isBrokenConnection(exit)) yield* run("ROLLBACK")
        return yield* exit
      }),
    )

  const transaction: Database["Type"]["transaction"] = (operation, body, { account } = {}) =>
    attempt(body, account).pipe(
      Effect.retry({
        schedule: repeats(MOST_REPEATS),
        while: (error) =>
          error instanceof DatabaseFailure && (error.kind === "conflict" || error.kind === "lost"),
      }),
      Effect.uninterruptible,
      Effect.catchIf(
        (error) => error instanceof DatabaseFailure,
        (failure) => Effect.fail(storageError(operation, failure, { mayBeDone: false })),
      ),
      Effect.catchIf(
        (error) => error instanceof CommitLost,
        ({ failure }) => Effect.fail(storageError(operation, failure, { mayBeDone: true })),
      ),
    )

  const query = <Row extends QueryResultRow>(
    operation: string,
    text: string,
    values: ReadonlyArray<unknown>,
    { reads = false, account }: StatementOptions = {},
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> => {
    const isWalled = options.rowSecurity && account !== undefined
    // What writes may wait for locks, so it needs the limits.
    if (isWalled || (options.limits !== null && !reads)) {
      return transaction(operation, (run) => run<Row>(text, values), isWalled ? { account } : {})
    }
    const mayRepeat = ({ kind }: DatabaseFailure) => kind === "conflict" || (reads && kind === "lost")
    const once = Effect.suspend(() => runOnce<Row>(pool, statements(text, values), options.cancel))
    const safe = once.pipe(
      // Repeating is set up only for those that need it.
      Effect.catchIf(mayRepeat, () =>
        Effect.delay(Effect.retry(once, { schedule: repeats(MOST_REPEATS - 1), while: mayRepeat }), PAUSE),
      ),
      Effect.mapError((failure) => storageError(operation, failure, { mayBeDone: !reads })),
    )
    return reads ? safe : Effect.uninterruptible(safe)
  }

  return { query, transaction, rowSecurity: options.rowSecurity }
}

/** The connection ended while a commit was under way: it may have happened. */
class CommitLost {
  constructor(readonly failure: DatabaseFailure) {}
}
