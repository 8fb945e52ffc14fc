import type { AccountId } from "@earmark/core/jobs"
import {
  type Guard,
  type Guarded,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  StorageError,
  TimeLimit,
} from "@earmark/service"
import { Effect } from "effect"
import type { QueryResultRow } from "pg"
import type { Run } from "../database/Database.js"
import { isLockTimeout } from "../database/DatabaseFailure.js"
import { timeText } from "../database/values.js"

export interface GuardRow extends QueryResultRow {
  readonly outcome: string | null
  readonly known_answer: string | null
}

/** What a guard row tells: null when the key is ours now, and the write is to be done. */
export const readGuard = ({ outcome, known_answer }: GuardRow) => {
  if (outcome === "reused") return Effect.fail(new IdempotencyKeyReused())
  const replayed: Guarded = { type: "replayed", answer: known_answer ?? "" }
  return Effect.succeed(outcome === "replayed" ? replayed : null)
}

const TAKE = "SELECT outcome, known_answer FROM take_guard($1, $2, $3, $4, $5)"

export const guardValues = (guard: Guard | null) => [
  guard?.key ?? null,
  guard?.fingerprint ?? null,
  guard?.answer ?? null,
  guard === null ? null : timeText(guard.expiresAt),
]

const takeGuard = (run: Run, account: AccountId, guard: Guard) =>
  Effect.flatMap(run<GuardRow>(TAKE, [account, ...guardValues(guard)]), ([row]) =>
    row === undefined ? Effect.succeed(null) : readGuard(row),
  )

const done: Guarded = { type: "done" }

/** Does a write once for its key, as the first step of the transaction that it is part of. */
export const guarded = <E, R>(
  run: Run,
  account: AccountId,
  guard: Guard | null,
  write: () => Effect.Effect<void, E, R>,
) =>
  Effect.gen(function* () {
    const replayed = guard === null ? null : yield* takeGuard(run, account, guard)
    if (replayed !== null) return replayed
    yield* write()
    return done
  })

const PATIENCE = "5 seconds"

interface Queue {
  readonly turn: Effect.Semaphore
  users: number
}

/**
 * Requests with one key wait for each other here, without a connection each, so that a storm of repeats cannot drain the pool. Between
 * processes the database makes them wait. Either way only so long.
 */
export const makeTurns = () => {
  const queues = new Map<string, Queue>()

  const take = (name: string) =>
    Effect.sync(() => {
      const queue = queues.get(name) ?? { turn: Effect.unsafeMakeSemaphore(1), users: 0 }
      queue.users += 1
      queues.set(name, queue)
      return queue
    })
  const leave = (name: string, queue: Queue) =>
    Effect.sync(() => {
      queue.users -= 1
      if (queue.users === 0) queues.delete(name)
    })

  return <A, E, R>(account: AccountId, guard: Guard | null, write: Effect.Effect<A, E | StorageError, R>) => {
    if (guard === null) return write
    const name = `${account} ${guard.key}`
    return Effect.acquireUseRelease(
      take(name),
      ({ turn }) => turn.withPermits(1)(write),
      (queue) => leave(name, queue),
    ).pipe(
      TimeLimit.fail({ duration: PATIENCE, onTimeout: () => new IdempotencyInProgress() }),
      Effect.catchIf(
        (error) => error instanceof StorageError && isLockTimeout(error),
        () => Effect.fail(new IdempotencyInProgress()),
      ),
    )
  }
}
