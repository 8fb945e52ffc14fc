import { constants } from "node:fs"
import { type FileHandle, lstat, open, realpath, rm } from "node:fs/promises"
import { join } from "node:path"

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Whether an open file is the one that stands at a path, and not one behind a link that was there for a moment. */
const isAt = async (file: FileHandle, path: string): Promise<boolean> => {
  const [opened, standing] = await Promise.all([
    file.stat({ bigint: true }),
    lstat(path, { bigint: true }).catch(() => null),
  ])
  return standing !== null && opened.dev === standing.dev && opened.ino === standing.ino
}

/** The folder was replaced while a file was created in it. */
export class FolderReplaced extends Error {
  override readonly name = "FolderReplaced"
}

/**
 * Creates a file in a folder, which is given by its real path. Fails when anything has that name already, and when a part of the path
 * has become a link. What is not written whole is removed.
 */
export const createFile = async (folder: string, name: string, content: Uint8Array): Promise<string> => {
  const path = join(folder, name)
  if ((await realpath(folder)) !== folder) throw new FolderReplaced()
  const file = await open(path, NEW_FILE)
  try {
    // Nothing is written before it is certain where.
    if ((await realpath(folder)) !== folder || !(await isAt(file, path))) throw new FolderReplaced()
    await file.writeFile(content)
  } catch (error) {
    if (await isAt(file, path)) await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return path
}
