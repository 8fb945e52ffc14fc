import { lstat, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"

/** Scratch folders are called after the process that made them, and what they are for. The sockets of databases have a user's number there. */
const SCRATCH = /^earmark-(\d+)-[a-z]+-/

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    // Somebody else's process may not be asked, but it is there.
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}

/** In a container every process has the same number: what is older than this one was left by another. */
const isLeft = (pid: number, changedAt: number): boolean =>
  pid === process.pid ? changedAt < performance.timeOrigin : isGone(pid)

const sweepOne = async (folder: string, name: string): Promise<boolean> => {
  const pid = Number(SCRATCH.exec(name)?.[1] ?? Number.NaN)
  if (Number.isNaN(pid)) return false
  const path = join(folder, name)
  const facts = await lstat(path)
  const isOurs = facts.isDirectory() && facts.uid === process.getuid?.()
  if (!isOurs || !isLeft(pid, facts.mtimeMs)) return false
  await rm(path, { recursive: true, force: true })
  return true
}

/** Takes away what processes of ours that were killed left in the folder for scratch files. What cannot be taken away stays. */
export const sweepScratch = (folder: string): Effect.Effect<number> =>
  Effect.gen(function* () {
    const names = yield* Effect.tryPromise(() => readdir(folder))
    const swept = yield* Effect.forEach(names, (name) =>
      Effect.tryPromise(() => sweepOne(folder, name)).pipe(Effect.orElseSucceed(() => false)),
    )
    const count = swept.filter((isSwept) => isSwept).length
    if (count > 0) yield* Effect.logInfo(`Scratch folders that killed processes had left are gone: ${count}`)
    return count
  }).pipe(Effect.orElseSucceed(() => 0))
