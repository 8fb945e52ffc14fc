/** The one rule for folders of data, keys and sockets: they are open to their owner alone. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs"
import { dirname, join } from "node:path"

const FOR_OTHERS = 0o077
const STICKY = 0o1000

/** Windows has no modes: there the folder of a user is closed to others by its place. */
const ownUid = process.getuid?.()

/** Why a folder or file cannot be closed to others, in words that follow its name. */
export class NotPrivate extends Error {
  override readonly name = "NotPrivate"
}

const withOpen = <A>(path: string, flags: number, work: (file: number) => A): A => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags)
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

/** Throws where the rights of others are not this process's to take. */
const requireClosable = ({ mode, uid }: { readonly mode: number; readonly uid: number }): void => {
  if (uid !== ownUid) {
    throw new NotPrivate(`it belongs to user ${uid}, and this process runs as user ${ownUid}`)
  }
  if ((mode & FOR_OTHERS) !== 0 && (mode & STICKY) !== 0)
    throw new NotPrivate("it is a folder that all users share")
}

/** Takes every right of others away; answers whether they had one. What is changed is what was looked at, not what has its name now. */
const closeOpened = (file: number): boolean => {
  const found = fstatSync(file)
  requireClosable(found)
  const { mode } = found
  if ((mode & FOR_OTHERS) === 0) return false
  try {
    fchmodSync(file, mode & 0o7777 & ~FOR_OTHERS)
  } catch {
    // Looked at below: some file systems refuse, others do nothing.
  }
  const left = fstatSync(file).mode & 0o777
  if ((left & FOR_OTHERS) === 0) return true
  throw new NotPrivate(
    `others may read it (mode ${left.toString(8).padStart(4, "0")}), and its file system does not let that change`,
  )
}

/** Closes a file that is there to others. Throws `NotPrivate` when it cannot be. */
export const closeFile = (path: string): void => {
  if (ownUid !== undefined) withOpen(path, 0, closeOpened)
}

const requireNoRoot = (path: string): void => {
  if (dirname(path) === path) throw new NotPrivate("it is the root of a file system")
}

/** Looks whether a folder that is there can be closed to others, and changes nothing. Throws `NotPrivate` when it cannot be. */
export const requireClosableFolder = (path: string): void => {
  if (ownUid === undefined) return
  requireNoRoot(path)
  requireClosable(statSync(path))
}

/** Closes a folder that is there to others; answers whether it was open to them. Throws `NotPrivate` when it cannot be closed. */
export const closeFolder = (path: string): boolean => {
  if (ownUid === undefined) return false
  requireNoRoot(path)
  return withOpen(path, constants.O_DIRECTORY, closeOpened)
}

/**
 * Closes a file, or a folder with everything in it. Links are not followed, and what vanishes meanwhile, or belongs to somebody else, is
 * left: the folder around it is closed.
 */
export const closeAll = (path: string): void => {
  if (ownUid === undefined) return
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.uid !== ownUid) return
  const isFolder = found.isDirectory()
  if (!isFolder && !found.isFile()) return
  try {
    if ((found.mode & FOR_OTHERS) !== 0) withOpen(path, constants.O_NOFOLLOW, closeOpened)
    if (isFolder) for (const name of readdirSync(path)) closeAll(join(path, name))
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ENOENT"
    if (!isGone) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** One after the other: where nothing can be made in a folder, as in `/proc`, Node tries without end to make all of them at once. */
const makeFolders = (path: string): void => {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolders(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Somebody else may have been quicker.
    if (!isFolder(path)) throw error
  }
}

/** A folder for its owner alone, made when it is not there; answers whether it was there and open to others. */
export const makePrivateFolder = (path: string): boolean => {
  makeFolders(path)
  return closeFolder(path)
}
