import { access } from "node:fs/promises"
import { Effect } from "effect"

/** Whether something is at a path, and may be seen. */
export const isThere = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    access(path).then(
      () => true,
      () => false,
    ),
  )
