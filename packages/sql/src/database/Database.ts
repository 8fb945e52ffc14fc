import type { StorageError } from "@earmark/service"
import { SqlError } from "@effect/sql/SqlError"
import { Context, Effect, Schedule } from "effect"
import type { Pool, QueryResultRow } from "pg"
import { DatabaseFailure, storageError } from "./DatabaseFailure.js"
import { runOnce } from "./runOnce.js"
import {
  type BeginOptions,
  CommitLost,
  makeTransactions,
  type Run,
  type TransactionOptions,
} from "./transactions.js"

export interface StatementOptions {
  /** A statement that only reads may be repeated when its connection is lost. */
  readonly reads?: boolean
  /** The one tenant whose rows may be touched; the database itself refuses all others where row security is on. */
  readonly account?: string
}

export type { Run }

/** A database, whichever it is. Stores write their SQL against this. */
export class Database extends Context.Tag("@earmark/sql/Database")<
  Database,
  {
    /** One statement: in a transaction of its own, or in that of the caller. */
    readonly query: <Row extends QueryResultRow>(
      operation: string,
      text: string,
      values: ReadonlyArray<unknown>,
      options?: StatementOptions,
    ) => Effect.Effect<ReadonlyArray<Row>, StorageError>
    /**
     * Several statements, all or none. The body is repeated when the database asks for it, so it does nothing outside of it,
     * and it uses no other connection: an embedded database has only this one. In a transaction of the caller it is a savepoint.
     */
    readonly transaction: <A, E>(
      operation: string,
      body: (run: Run) => Effect.Effect<A, E | DatabaseFailure>,
      options?: BeginOptions,
    ) => Effect.Effect<A, Exclude<E, DatabaseFailure> | StorageError>
    /** What is done in a transaction of the caller, null when there is none: only its own connection sees what it has written. */
    readonly joined: Effect.Effect<Run | null>
    /** Whether single statements of a tenant run under row security. */
    readonly rowSecurity: boolean
  }
>() {}

export interface DatabaseOptions extends TransactionOptions {
  /** Where single statements go; null when only `sql` knows, at the price of a scope each. */
  readonly pool: Pool | null
  /** Whether single statements of a tenant run under row security; transactions always do. */
  readonly rowSecurity: boolean
}

const MOST_REPEATS = 3
const PAUSE = "10 millis"

const repeats = (most: number) =>
  Schedule.exponential(PAUSE).pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(most)))

/** The database of a program, and transactions of the program on it that answer failures of their commit. */
export const makeDatabase = (options: DatabaseOptions) => {
  const { pool, limits, cancel } = options
  const { statements, withConnection, runOn, begin, openIn, join, nest } = makeTransactions(options)

  const transaction: Database["Type"]["transaction"] = (operation, body, options = {}) =>
    Effect.withFiberRuntime((fiber) => {
      const open = openIn(fiber.currentContext)
      const whole =
        open !== undefined
          ? nest(open, body, options.account)
          : Effect.retry(begin(body, options), {
              schedule: repeats(MOST_REPEATS),
              while: (error) =>
                error instanceof DatabaseFailure && (error.kind === "conflict" || error.kind === "lost"),
            })
      return whole.pipe(
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
    })

  const single = <Row extends QueryResultRow>(text: string, values: ReadonlyArray<unknown>) =>
    pool === null
      ? withConnection((connection) => runOn(connection)<Row>(text, values))
      : runOnce<Row>(pool, statements(text, values), cancel)

  const query = <Row extends QueryResultRow>(
    operation: string,
    text: string,
    values: ReadonlyArray<unknown>,
    { reads = false, account }: StatementOptions = {},
  ): Effect.Effect<ReadonlyArray<Row>, StorageError> =>
    Effect.withFiberRuntime((fiber) => {
      const open = openIn(fiber.currentContext)
      const isWalled = options.rowSecurity && account !== undefined
      // What writes may wait for locks, so it needs the limits; in a transaction of the caller it must not spoil that when it fails.
      if (isWalled || ((limits !== null || open !== undefined) && !reads)) {
        return transaction(operation, (run) => run<Row>(text, values), isWalled ? { account } : {})
      }
      if (open !== undefined) {
        // Cancelled, it would end the transaction of a caller who may go on.
        return Effect.uninterruptible(join(open)<Row>(text, values)).pipe(
          Effect.mapError((failure) => storageError(operation, failure, { mayBeDone: false })),
        )
      }
      const mayRepeat = ({ kind }: DatabaseFailure) => kind === "conflict" || (reads && kind === "lost")
      const once = Effect.suspend(() => single<Row>(text, values))
      const safe = once.pipe(
        // Repeating is set up only for those that need it.
        Effect.catchIf(mayRepeat, () =>
          Effect.delay(Effect.retry(once, { schedule: repeats(MOST_REPEATS - 1), while: mayRepeat }), PAUSE),
        ),
        Effect.mapError((failure) => storageError(operation, failure, { mayBeDone: !reads })),
      )
      return reads ? safe : Effect.uninterruptible(safe)
    })

  const joined = Effect.withFiberRuntime<Run | null>((fiber) => {
    const open = openIn(fiber.currentContext)
    return Effect.succeed(open === undefined ? null : join(open))
  })

  const savepoint = options.sql.withTransaction
  const failed = (failure: DatabaseFailure, mayBeDone: boolean) => {
    const cause = storageError("sql.withTransaction", failure, { mayBeDone })
    return Effect.fail(new SqlError({ cause, message: cause.message }))
  }
  /** As `sql.withTransaction`, but a commit that fails is a failure and not a defect; one whose answer is lost has the reason `unknown`. */
  const withTransaction = <R, E, A>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.withFiberRuntime((fiber) => {
      if (openIn(fiber.currentContext) !== undefined) return savepoint(effect)
      return Effect.uninterruptibleMask((restore) => begin(() => restore(effect))).pipe(
        Effect.catchIf(
          (error) => error instanceof DatabaseFailure,
          (failure) => failed(failure, false),
        ),
        Effect.catchIf(
          (error) => error instanceof CommitLost,
          ({ failure }) => failed(failure, true),
        ),
      )
    })

  const database: Database["Type"] = { query, transaction, joined, rowSecurity: options.rowSecurity }
  return { database, withTransaction }
}
