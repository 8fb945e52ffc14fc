/** Whether results can be written where they are to go: known before anything is heard. */
import { constants } from "node:fs"
import { access, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join, relative } from "node:path"
import { Effect } from "effect"
import { draftPrefix } from "./drafts.js"
import { followLinks } from "./followLinks.js"
import { makeFolders } from "./makeFolders.js"
import { notWritten } from "./writeFile.js"

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** The folder itself, or where it is to be made the first one above it that is there. */
const firstFolder = async (place: string, isMade: boolean): Promise<string> => {
  try {
    const found = await stat(place)
    if (!found.isDirectory()) throw new Error("ENOTDIR")
    return place
  } catch (cause) {
    if (!isMade || !isMissing(cause) || dirname(place) === place) throw cause
    return firstFolder(dirname(place), isMade)
  }
}

const orMissing = async <A>(found: Promise<A>): Promise<A | null> => {
  try {
    return await found
  } catch (cause) {
    if (isMissing(cause)) return null
    throw cause
  }
}

/** Writes the same names into a draft, and takes it away again: rights, quotas, names and file systems have too many rules to be asked. */
const tryOut = async (folder: string, names: string): Promise<void> => {
  const draft = await mkdtemp(join(folder, draftPrefix)).catch((cause: unknown) => {
    // The folder is there, so that it is not what is missing.
    throw isMissing(cause) ? new Error("EACCES") : cause
  })
  try {
    await makeFolders(join(draft, dirname(names)))
    await writeFile(join(draft, names), "\n")
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

const probe = async (given: string, isMade: boolean): Promise<void> => {
  const found = await orMissing(stat(given))
  if (found?.isDirectory() === true) throw new Error("EISDIR")
  if (found !== null) await access(given, constants.W_OK)
  // What is no regular file is written into.
  if (found !== null && !found.isFile()) return
  const path = await followLinks(given)
  const folder = await firstFolder(dirname(path), isMade)
  await tryOut(folder, found === null ? relative(folder, path) : basename(path))
}

/** Fails where a file cannot be written. `isMade`: folders that are missing will be made. */
export const checkWritable = (path: string, isMade: boolean) =>
  Effect.tryPromise({
    try: () => probe(path, isMade),
    catch: (cause) => notWritten(path, messageOf(cause)),
  })
