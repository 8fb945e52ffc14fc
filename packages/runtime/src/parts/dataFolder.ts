import { constants } from "node:fs"
import { access, mkdir } from "node:fs/promises"
import { resolve } from "node:path"
import { Data, Effect } from "effect"

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EROFS: "its disk cannot be written to",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "it is a file",
  ENOSPC: "the disk is full",
}

/** What went wrong with a file, in words. */
export const fileTrouble = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown"
  return REASONS[code] ?? code
}

/** Nothing can be kept in the data folder. */
export class DataFolderUnfit extends Data.TaggedError("DataFolderUnfit")<{
  readonly folder: string
  readonly trouble: string
}> {
  override get message() {
    return `The data folder ${this.folder} cannot be used: ${this.trouble}. Set EARMARK_DATA_DIR to a folder that you may write to.`
  }
}

/** The data folder, made when it is not there, for its owner alone. */
export const openDataFolder = (given: string): Effect.Effect<string, DataFolderUnfit> => {
  const folder = resolve(given)
  return Effect.tryPromise({
    try: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      return folder
    },
    catch: (error) => new DataFolderUnfit({ folder, trouble: fileTrouble(error) }),
  })
}
