import { constants } from "node:fs"
import { access, stat } from "node:fs/promises"
import { delimiter, isAbsolute, join, resolve } from "node:path"
import { Config, Effect } from "effect"

const isRunnable = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    access(path, constants.X_OK)
      .then(() => stat(path))
      .then(
        (found) => found.isFile(),
        () => false,
      ),
  )

/** Where a program is: a path as it stands, a name by PATH; null when there is none that may be run. */
export const findProgram = Effect.fn("findProgram")(function* (name: string) {
  if (name.includes("/")) {
    const path = isAbsolute(name) ? name : resolve(name)
    return (yield* isRunnable(path)) ? path : null
  }
  const folders = yield* Config.string("PATH").pipe(
    Effect.orElseSucceed(() => "/usr/local/bin:/usr/bin:/bin"),
  )
  for (const folder of folders.split(delimiter).filter((part) => part !== "")) {
    const path = join(folder, name)
    if (yield* isRunnable(path)) return path
  }
  return null
})
