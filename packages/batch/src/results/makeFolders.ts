import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** One after the other: where nothing can be made in a folder, as in `/proc`, Node tries without an end to make all of them at once. */
export const makeFolders = async (path: string, mode?: number): Promise<void> => {
  if (await isFolder(path)) return
  if (dirname(path) !== path) await makeFolders(dirname(path), mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    // Somebody else may have been quicker.
    if (!(await isFolder(path))) throw error
  }
}
