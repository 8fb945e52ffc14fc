import { SqlClient } from "@effect/sql"
import type { Connection } from "@effect/sql/SqlConnection"
import { Cause, type Context, Effect, Exit, Option, Predicate, Scope } from "effect"
import pg, { type ClientBase, escapeLiteral, type QueryResult, type QueryResultRow } from "pg"
import { atRest, close, isOpen } from "./clientState.js"
import { DatabaseFailure, databaseFailure } from "./DatabaseFailure.js"
import { makeStatements } from "./statements.js"

/** Runs one statement on the connection of a transaction. */
export type Run = <Row extends QueryResultRow>(
  text: string,
  values?: ReadonlyArray<unknown>,
) => Effect.Effect<ReadonlyArray<Row>, DatabaseFailure>

export interface BeginOptions {
  /** The one tenant whose rows may be touched. */
  readonly account?: string
  /** Its statements only read, and all see the store as it was at one moment. Not in a transaction of a caller, which decides itself. */
  readonly isSnapshot?: boolean
}

export interface TransactionOptions {
  readonly sql: SqlClient.SqlClient
  /** Whether a connection belongs to this database. Programs may use others, and their transactions look the same. */
  readonly owns: (connection: object) => boolean
  /** Ends the statement that a backend is running; null where that cannot be done. */
  readonly cancel: ((client: ClientBase) => Effect.Effect<void>) | null
  /** Whether statements are kept prepared under a name. Off for poolers that hand a connection to another client between two statements. */
  readonly prepare: boolean
  /** Limits of time as statements, for every transaction to begin with; null where connections have them. */
  readonly limits: string | null
}

/** The connection ended while a commit was under way: it may have happened. */
export class CommitLost {
  constructor(readonly failure: DatabaseFailure) {}
}

/** An open transaction: its connection, and how many savepoints deep it is. */
type Open = Context.Tag.Service<typeof SqlClient.TransactionConnection>

const refusal = (message: string, code: string) =>
  Object.assign(new pg.DatabaseError(message, 0, "error"), { code })

const isClient = (value: unknown): value is ClientBase =>
  Predicate.hasProperty(value, "query") && Predicate.isFunction(value.query)

/** The connection of the driver below one of `@effect/sql-pg`. */
export const clientOf = (connection: Connection): ClientBase => {
  if (Predicate.hasProperty(connection, "pg") && isClient(connection.pg)) return connection.pg
  throw new TypeError("The connection is not one of @effect/sql-pg")
}

const endsConnection = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  Option.exists(
    Cause.failureOption(exit.cause),
    (error) => error instanceof CommitLost || (error instanceof DatabaseFailure && error.endsConnection),
  )

export const makeTransactions = ({ sql, owns, cancel, prepare, limits }: TransactionOptions) => {
  const statements = makeStatements(prepare)

  /** Takes the place of the connection of a transaction that has ended: a fiber that still has it would write into the next one. */
  const over = {
    query: (...given: ReadonlyArray<unknown>) => {
      const answer = given.at(-1)
      if (Predicate.isFunction(answer)) answer(refusal("The transaction is over", "25P01"))
    },
  }

  const send = <Row extends QueryResultRow, A>(
    connection: Connection,
    text: string,
    values: ReadonlyArray<unknown>,
    pick: (result: QueryResult<Row>) => A,
  ): Effect.Effect<A, DatabaseFailure> =>
    Effect.async((resume) => {
      const client = clientOf(connection)
      client.query<Row>(statements(text, values), (error: Error | null, result) =>
        resume(error ? Effect.fail(databaseFailure(error)) : Effect.succeed(pick(result))),
      )
      // The connection goes back to the pool only after the statement has ended, or the next user would wait for it.
      const settled = Effect.promise(() => atRest(client))
      return cancel === null ? settled : Effect.zipRight(cancel(client), settled)
    })

  const runOn =
    (connection: Connection): Run =>
    <Row extends QueryResultRow>(text: string, values: ReadonlyArray<unknown> = []) =>
      send<Row, ReadonlyArray<Row>>(connection, text, values, ({ rows }) => rows)

  const setAccount = (account: string) =>
    `SELECT set_config('earmark.account', ${escapeLiteral(account)}, true)`

  const beginFor = ({ account, isSnapshot }: BeginOptions): string =>
    [isSnapshot === true ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN"]
      .concat(limits === null ? [] : [limits])
      .concat(account === undefined ? [] : [setAccount(account)])
      .join("; ")

  // A transaction that failed before answers a commit with "ROLLBACK", and no error.
  const commit = (connection: Connection) =>
    send(connection, "COMMIT", [], ({ command }) => command).pipe(
      Effect.flatMap((command) =>
        command === "COMMIT"
          ? Effect.void
          : Effect.fail(databaseFailure(refusal("The transaction had failed", "25P02"))),
      ),
      Effect.catchIf(
        (failure) => failure.kind === "lost",
        (failure) => Effect.fail(new CommitLost(failure)),
      ),
    )

  const reserve = Effect.flatMap(Scope.make(), (scope) =>
    Effect.map(Scope.extend(sql.reserve, scope), (connection) => ({ connection, scope })),
  ).pipe(
    // Nothing was sent yet, so nothing can be half done.
    Effect.mapError(({ cause }) => new DatabaseFailure({ ...databaseFailure(cause), kind: "busy" })),
  )

  /** A connection for as long as it is used. */
  const withConnection = <A, E, R>(use: (connection: Connection) => Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      reserve,
      ({ connection }) => use(connection),
      ({ connection, scope }, exit) =>
        Effect.suspend(() => {
          if (endsConnection(exit)) close(clientOf(connection))
          Object.assign(connection, { pg: over })
          return Scope.close(scope, exit)
        }),
    )

  const rollback = (connection: Connection) => {
    const client = clientOf(connection)
    return Effect.promise(() => atRest(client)).pipe(
      Effect.zipRight(runOn(connection)("ROLLBACK")),
      Effect.catchAll(() => Effect.sync(() => close(client))),
    )
  }

  /** One transaction. Everything that uses `sql`, or this database, inside of it joins it. */
  const begin = <A, E, R>(
    body: (run: Run) => Effect.Effect<A, E, R>,
    options: BeginOptions = {},
  ): Effect.Effect<A, E | DatabaseFailure | CommitLost, R> =>
    withConnection((connection) =>
      Effect.gen(function* () {
        const run = runOn(connection)
        yield* run(beginFor(options))
        const exit = yield* body(run).pipe(
          Effect.provideService(SqlClient.TransactionConnection, [connection, 0]),
          Effect.exit,
        )
        if (Exit.isSuccess(exit)) {
          // The commit was not even sent.
          if (!isOpen(clientOf(connection)))
            return yield* new DatabaseFailure({ kind: "lost", code: "connection", constraint: null })
          yield* commit(connection)
          return exit.value
        }
        if (!endsConnection(exit)) yield* rollback(connection)
        return yield* exit
      }),
    )

  const turns = new WeakMap<object, Effect.Semaphore>()
  const turnOf = (connection: object) => {
    const turn = turns.get(connection) ?? Effect.unsafeMakeSemaphore(1)
    turns.set(connection, turn)
    return turn.withPermits(1)
  }

  /** The transaction of this database that a fiber is in. */
  const openIn = (context: Context.Context<never>): Open | undefined => {
    const open: unknown = context.unsafeMap.get(SqlClient.TransactionConnection.key)
    if (!isOpenTransaction(open)) return undefined
    const [connection] = open
    return Reflect.get(connection, "pg") === over || owns(connection) ? open : undefined
  }

  /** Runs one statement in an open transaction, after what is under way there. */
  const join =
    ([connection]: Open): Run =>
    (text, values) =>
      turnOf(connection)(runOn(connection)(text, values))

  /** A part of an open transaction that fails alone: a savepoint. Who opened the transaction commits and repeats. */
  const nest = <A, E>(
    [parent, level]: Open,
    body: (run: Run) => Effect.Effect<A, E>,
    account?: string,
  ): Effect.Effect<A, E | DatabaseFailure> =>
    Effect.gen(function* () {
      const run = runOn(parent)
      const name = `earmark_${level + 1}`
      // Statements of the body take turns among themselves.
      const connection: Connection = Object.create(parent)
      yield* run(`SAVEPOINT ${name}`)
      const exit = yield* Effect.gen(function* () {
        if (account === undefined) return yield* body(run)
        const [row] = yield* run<{ readonly before: string | null }>(
          "SELECT current_setting('earmark.account', true) AS before",
        )
        yield* run(setAccount(account))
        const value = yield* body(run)
        yield* run(setAccount(row?.before ?? ""))
        return value
      }).pipe(Effect.provideService(SqlClient.TransactionConnection, [connection, level + 1]), Effect.exit)
      yield* Exit.isSuccess(exit)
        ? run(`RELEASE SAVEPOINT ${name}`)
        : Effect.catchAll(run(`ROLLBACK TO SAVEPOINT ${name}; RELEASE SAVEPOINT ${name}`), () =>
            // What cannot be undone alone is undone with the whole transaction.
            Effect.sync(() => close(clientOf(parent))),
          )
      return yield* exit
    }).pipe(turnOf(parent))

  return { statements, withConnection, runOn, begin, openIn, join, nest }
}

const isOpenTransaction = (value: unknown): value is Open => Array.isArray(value) && value.length === 2
