import { stat } from "node:fs/promises"
import { Effect } from "effect"

/** Whether two names are those of one file that is there, by whatever links. */
export const isSameFile = (one: string, other: string): Effect.Effect<boolean> =>
  Effect.tryPromise(() => Promise.all([stat(one), stat(other)])).pipe(
    Effect.map(([left, right]) => left.dev === right.dev && left.ino === right.ino),
    Effect.orElseSucceed(() => false),
  )
