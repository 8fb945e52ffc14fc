import { Effect } from "effect"
import type { Pool, PoolClient, QueryConfig, QueryResultRow } from "pg"
import { DatabaseFailure, databaseFailure } from "./DatabaseFailure.js"

/**
 * One statement on whichever connection is free. In one step from the pool and back to it: single statements are most of what a store
 * does, and every step around one costs as much as a part of the statement.
 */
export const runOnce = <Row extends QueryResultRow>(
  pool: Pool,
  statement: QueryConfig,
  cancel: ((client: PoolClient) => Effect.Effect<void>) | null,
): Effect.Effect<ReadonlyArray<Row>, DatabaseFailure> =>
  Effect.async((resume) => {
    let isWanted = true
    let running: PoolClient | null = null
    let whenBack = () => {}

    pool.connect((refused, client, release) => {
      if (client === undefined) {
        // Nothing was sent yet, so nothing can be half done.
        return resume(Effect.fail(new DatabaseFailure({ ...databaseFailure(refused), kind: "busy" })))
      }
      if (!isWanted) return release()
      running = client
      client.query<Row>(statement, (error: Error | null, result) => {
        running = null
        const failure = error ? databaseFailure(error) : null
        release(failure?.endsConnection)
        resume(failure === null ? Effect.succeed(result.rows) : Effect.fail(failure))
        whenBack()
      })
    })

    return Effect.suspend(() => {
      isWanted = false
      if (running === null) return Effect.void
      // The connection goes back to the pool only after the statement has ended, or the next user would wait for it.
      const back = Effect.async<void>((isBack) => {
        if (running === null) isBack(Effect.void)
        else whenBack = () => isBack(Effect.void)
      })
      return cancel === null ? back : Effect.zipRight(cancel(running), back)
    })
  })
