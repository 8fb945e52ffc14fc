import { link, mkdir, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { Clock, Duration, Effect, Schedule, type Scope } from "effect"
import { diskFailed, type ModelFailed, modelFailed } from "./ModelFailed.js"
import { PUBLIC_FILE, PUBLIC_FOLDER } from "./modes.js"

/** Whoever holds a lock says so this often. */
const BEAT = Duration.seconds(5)
/** A lock that was not renewed for so long is that of a process that is gone. */
const FORSAKEN = Duration.toMillis("1 minute")

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code

let locks = 0
const ownName = (path: string) => `${path}.${process.pid}-${++locks}`

/** Makes the lock file, which has its text from its first moment on; false where it is there already. */
const make = async (path: string): Promise<boolean> => {
  const draft = ownName(path)
  await mkdir(dirname(path), { recursive: true, mode: PUBLIC_FOLDER })
  await writeFile(draft, `${process.pid}`, { mode: PUBLIC_FILE })
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    // A disk without hard links.
    return await makeUnlinked(path)
  } finally {
    await rm(draft, { force: true })
  }
}

const makeUnlinked = async (path: string): Promise<boolean> => {
  try {
    const file = await open(path, "wx", PUBLIC_FILE)
    await file.writeFile(`${process.pid}`)
    await file.close()
    return true
  } catch (error) {
    if (isCode(error, "EEXIST")) return false
    throw error
  }
}

interface Holder {
  readonly text: string
  readonly beatAt: number
}

const holderOf = async (path: string): Promise<Holder | null> => {
  try {
    const text = await readFile(path, "utf8")
    return { text, beatAt: (await stat(path)).mtimeMs }
  } catch {
    return null
  }
}

/** Numbers of processes come back, in containers each time: a number alone says nothing for long. */
const isGone = ({ text, beatAt }: Holder, now: number): boolean => {
  const pid = Number.parseInt(text, 10)
  return now - beatAt > FORSAKEN || (Number.isInteger(pid) && !isAlive(pid))
}

/** Takes a forsaken lock away. Another process may have done so and hold a new one: that is put back. */
const takeAway = async (path: string, { text, beatAt }: Holder): Promise<void> => {
  const aside = ownName(path)
  try {
    await rename(path, aside)
    const taken = await holderOf(aside)
    if (taken !== null && (taken.text !== text || taken.beatAt !== beatAt)) await link(aside, path)
  } catch {
    // Somebody was quicker.
  } finally {
    await rm(aside, { force: true })
  }
}

/** Holds a lock file for the scope. That of a process which is gone counts for nothing. */
export const folderLock = (path: string): Effect.Effect<void, ModelFailed, Scope.Scope> => {
  const attempt = Effect.tryPromise({ try: () => make(path), catch: diskFailed(path) })
  const lock = Effect.gen(function* () {
    if (yield* attempt) return
    const holder = yield* Effect.promise(() => holderOf(path))
    const now = yield* Clock.currentTimeMillis
    if (holder !== null && !isGone(holder, now)) {
      return yield* modelFailed(
        "locked",
        `Process ${holder.text} is downloading this model. Wait until it has finished, or stop it.`,
      )
    }
    if (holder !== null) yield* Effect.promise(() => takeAway(path, holder))
    if (!(yield* attempt))
      return yield* modelFailed("locked", "Another process has just begun to download this model.")
  })
  const unlock = Effect.promise(() => rm(path, { force: true }).catch(() => undefined))
  const beat = Effect.gen(function* () {
    const seconds = (yield* Clock.currentTimeMillis) / 1000
    yield* Effect.promise(() => utimes(path, seconds, seconds).catch(() => undefined))
  })
  return Effect.acquireRelease(lock, () => unlock).pipe(
    Effect.zipRight(Effect.forkScoped(Effect.repeat(beat, Schedule.spaced(BEAT)))),
    Effect.asVoid,
  )
}
