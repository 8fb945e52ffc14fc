import { Effect, Schedule } from "effect"
import type { StorageError } from "../ports/StorageError.js"

interface Tagged {
  readonly _tag: string
}

const isPassing = (error: Tagged | StorageError): boolean =>
  "isTransient" in error && error._tag === "StorageError" && error.isTransient

const waits = Schedule.exponential("200 millis").pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(5)),
)

/** Repeats what a store could not do for a moment. Only for what may be done twice. */
export const steady = <A, E extends Tagged, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, { schedule: waits, while: isPassing })
