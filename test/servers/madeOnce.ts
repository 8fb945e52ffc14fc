/** Folders that take seconds to make and a moment to copy. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const cache = fileURLToPath(new URL("../../node_modules/.cache/earmark", import.meta.url))

/** With the owners of all files: a database belongs to the user that its server runs as. */
const copy = (from: string, to: string) => execFileSync("cp", ["-a", `${from}/.`, to])

/**
 * Fills `folder` with what `make` makes of an empty one. That is made once and kept, by this name: `key` is all that it depends on, and
 * what was made for another key is removed.
 */
export const fillWith = async (
  folder: string,
  name: string,
  key: string,
  make: (folder: string) => unknown,
): Promise<void> => {
  const kept = join(cache, `${name}@${key}`)
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true })
    // Where any user may enter, since some servers refuse to run as root.
    const made = mkdtempSync(join(tmpdir(), `earmark-${name}-`))
    const unfinished = mkdtempSync(`${kept}.`)
    try {
      await make(made)
      copy(made, unfinished)
    } catch (cause) {
      rmSync(unfinished, { recursive: true, force: true })
      throw cause
    } finally {
      rmSync(made, { recursive: true, force: true })
    }
    for (const other of readdirSync(cache))
      if (other.startsWith(`${name}@`) && !other.startsWith(`${name}@${key}`))
        rmSync(join(cache, other), { recursive: true, force: true })
    try {
      renameSync(unfinished, kept)
    } catch {
      // Another process was quicker.
      rmSync(unfinished, { recursive: true, force: true })
    }
  }
  copy(kept, folder)
}
