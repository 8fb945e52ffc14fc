import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { Data, Effect } from "effect"
import {
  closeAll,
  closeFolder,
  makePrivateFolder,
  NotPrivate,
  requireClosableFolder,
} from "../privateFolder.js"

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "its disk cannot be written to",
  ENOENT: "nothing can be made there",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "it is a file",
  ENOSPC: "the disk is full",
}

/** What went wrong with a file, in words. */
export const fileTrouble = (error: unknown): string => {
  if (error instanceof NotPrivate) return error.message
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
  return REASONS[code] ?? code
}

/** Nothing can be kept in the data folder. */
export class DataFolderUnfit extends Data.TaggedError("DataFolderUnfit")<{
  readonly folder: string
  readonly trouble: string
}> {
  override get message() {
    return `The data folder ${this.folder} cannot be used: ${this.trouble}. Set EARMARK_DATA_DIR to a folder of your own.`
  }
}

/** What stores and starts put into a data folder. Nothing else in it is touched. */
const CONTENTS = ["secrets-key", "first-key", "database", "database.lock", "postgres", "objects"]

const attempt = <A>(folder: string, work: () => A): Effect.Effect<A, DataFolderUnfit> =>
  Effect.try({ try: work, catch: (error) => new DataFolderUnfit({ folder, trouble: fileTrouble(error) }) })

/** Closes everything that the data folder holds to others: for stores, once they are open. A folder in it may be a link to another disk. */
export const closeContents = (folder: string): Effect.Effect<void, DataFolderUnfit> =>
  attempt(folder, () => {
    for (const name of CONTENTS.map((each) => join(folder, each)).filter(existsSync)) {
      const path = realpathSync(name)
      if (statSync(path).isDirectory()) closeFolder(path)
      closeAll(path)
    }
  })

/** Throws where the folder may not be read or looked into. */
export const readFolder = (folder: string): void => {
  readdirSync(folder)
  statSync(join(folder, "."))
}

/** What a user other than its owner meets first: nothing in it can be looked at. */
const requireReadable = (given: string): Effect.Effect<void, DataFolderUnfit> => {
  const folder = resolve(given)
  return Effect.try({
    try: () => readFolder(folder),
    catch: (error) => error instanceof Error && "code" in error && error.code === "EACCES",
  }).pipe(
    Effect.catchAll((isClosed) =>
      isClosed
        ? new DataFolderUnfit({
            folder,
            trouble: "you may not read it; run this as the user of the server that it belongs to",
          })
        : Effect.void,
    ),
  )
}

const requireAccess = (folder: string): void =>
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)

/** Whether a server could use the data folder, if it is there. Changes nothing. */
export const checkDataFolder = (given: string): Effect.Effect<void, DataFolderUnfit> => {
  const folder = resolve(given)
  const check = attempt(folder, () => {
    if (!existsSync(folder)) return
    requireClosableFolder(folder)
    requireAccess(folder)
  })
  return Effect.zipRight(requireReadable(folder), check)
}

/** The data folder, for its owner alone: made when it is not there, closed to others where it was open to them. */
export const openDataFolder = (given: string): Effect.Effect<string, DataFolderUnfit> => {
  const folder = resolve(given)
  const open = attempt(folder, () => {
    const wasOpen = makePrivateFolder(folder)
    requireAccess(folder)
    return wasOpen
  })
  return Effect.zipRight(requireReadable(folder), open).pipe(
    Effect.tap((wasOpen) => (wasOpen ? closeContents(folder) : Effect.void)),
    Effect.as(folder),
  )
}
