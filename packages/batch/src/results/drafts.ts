/** Drafts of files, beside their places. A process that is killed leaves its own behind, and the next one that writes there removes it. */
import { createHash } from "node:crypto"
import { readdir, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { isAlive } from "../state/processes.js"

const PREFIX = ".earmark-"

/** Processes of another machine, or of another container, are not known here: their drafts are left alone until they are old. */
const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/** How the folder of a draft of this process begins. */
export const draftPrefix = `${PREFIX}${host}-${process.pid}-`

const FORGOTTEN = 86_400_000

const isLeft = async (path: string, name: string, now: number): Promise<boolean> => {
  const [, owner, pid] = /^\.earmark-(?:([0-9a-f]{8})-(\d+)-)?\w{6}$/.exec(name) ?? []
  if (owner === host && pid !== undefined) return !isAlive(Number(pid))
  return now - (await stat(path)).mtimeMs > FORGOTTEN
}

const swept = new Set<string>()

/** Removes drafts that nobody works on any more; looks once in each folder. */
export const sweepDrafts = (folder: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (swept.has(folder)) return
    swept.add(folder)
    const now = yield* Clock.currentTimeMillis
    yield* Effect.tryPromise(async () => {
      const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX))
      for (const name of names) {
        const path = join(folder, name)
        if (await isLeft(path, name, now)) await rm(path, { recursive: true, force: true })
      }
      // A folder that cannot be read is told by the writing that comes next.
    }).pipe(Effect.ignore)
  })
