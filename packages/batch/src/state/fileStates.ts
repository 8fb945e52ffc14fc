/** What is at a path. What cannot be looked at is taken for nothing: whoever opens it learns why. */
import { stat } from "node:fs/promises"
import { Effect } from "effect"

/** What tells a file from itself later: null when there is none. */
export const stateOf = (path: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map(({ size, mtimeMs }) => `${size} ${Math.floor(mtimeMs)}`),
    Effect.orElseSucceed(() => null),
  )

/** Whether something would be lost if it were written over: not of an empty file. */
export const holdsSomething = (path: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map(({ size }) => size > 0),
    Effect.orElseSucceed(() => false),
  )

/** Whether it is written into, and never replaced: a pipe, a device. */
export const isStream = (path: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map((found) => !found.isFile()),
    Effect.orElseSucceed(() => false),
  )
