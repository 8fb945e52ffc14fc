import { mkdir, open, readFile, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect, type Scope } from "effect"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"
import { PUBLIC_FILE, PUBLIC_FOLDER } from "./modes.js"

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const make = async (path: string): Promise<boolean> => {
  try {
    await mkdir(dirname(path), { recursive: true, mode: PUBLIC_FOLDER })
    const file = await open(path, "wx", PUBLIC_FILE)
    await file.writeFile(`${process.pid}`)
    await file.close()
    return true
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false
    throw error
  }
}

/** Holds a lock file for the scope. That of a process which is gone counts for nothing. */
export const folderLock = (path: string): Effect.Effect<void, ModelFailed, Scope.Scope> => {
  const attempt = Effect.tryPromise({ try: () => make(path), catch: diskFailed(path) })
  const holder = Effect.map(
    Effect.promise(() => readFile(path, "utf8").catch(() => "")),
    (text) => Number.parseInt(text, 10),
  )
  const unlock = Effect.promise(() => rm(path, { force: true }).catch(() => undefined))
  const lock = Effect.gen(function* () {
    if (yield* attempt) return
    const pid = yield* holder
    if (Number.isInteger(pid) && isAlive(pid)) {
      return yield* modelFailed("locked", `Process ${pid} is pulling this model; wait for it, or end it.`)
    }
    yield* unlock
    if (!(yield* attempt))
      return yield* modelFailed("locked", "Another process has just begun to pull this model.")
  })
  return Effect.asVoid(Effect.acquireRelease(lock, () => unlock))
}
