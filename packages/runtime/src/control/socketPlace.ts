import { randomBytes } from "node:crypto"
import { lstatSync, readlinkSync, type Stats, statSync } from "node:fs"
import { chmod, mkdtemp, rename, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** What the address of a socket may be long, in bytes: 107 on Linux, 103 elsewhere. */
const LONGEST_ADDRESS = 103

const isShort = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_ADDRESS

/** Where clients look. */
const socketPath = (folder: string): string => join(folder, "admin.sock")

const STICKY = 0o1000

const isOwn = ({ uid }: Stats): boolean => uid === (process.getuid?.() ?? uid)

/** Whether no other user can put something in the place of what we have there. */
const isSafeRoot = (root: string): boolean => {
  const found = statSync(root, { throwIfNoEntry: false })
  if (found === undefined || !(isOwn(found) || found.uid === 0)) return false
  return (found.mode & 0o022) === 0 || (found.mode & STICKY) !== 0
}

/** Whether the end of a link is ours alone. The temporary folder is everybody's: a name in it that is free again may be taken by others. */
const isOurPlace = (address: string): boolean => {
  const folder = dirname(address)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined || !found.isDirectory() || !isOwn(found) || (found.mode & 0o077) !== 0) return false
  return isSafeRoot(dirname(folder))
}

/**
 * The address to connect to: where the link leads, for a socket whose own path would be too long. Null when nobody of ours listens there.
 * The data folder itself is closed to others.
 */
export const addressOf = (folder: string): string | null => {
  const path = socketPath(folder)
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  const address = isLink ? readlinkSync(path) : path
  if (isLink && !isOurPlace(address)) return null
  const socket = lstatSync(address, { throwIfNoEntry: false })
  return socket?.isSocket() === true && isOwn(socket) ? address : null
}

const DRAFT_BYTES = 6

/** A socket that listens already, under a name that nobody looks for yet. */
export interface Draft {
  /** To listen on. */
  readonly address: string
  /** Puts it where clients look, in place of one that a dead process left. */
  readonly publish: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** In the data folder itself. Only its owner may connect from the moment it can be found. */
const nearby = (folder: string): Draft => {
  const address = join(folder, `admin.${randomBytes(DRAFT_BYTES).toString("hex")}`)
  return {
    address,
    publish: async () => {
      await chmod(address, 0o600)
      await rename(address, socketPath(folder))
    },
    remove: () => rm(socketPath(folder), { force: true }),
  }
}

/** In a folder with a short path that only its owner can enter, and a link to it. */
const elsewhere = async (folder: string): Promise<Draft> => {
  const place =
    [tmpdir(), "/tmp"].find(
      (root) => isShort(join(root, "earmark-XXXXXX", "admin.sock")) && isSafeRoot(root),
    ) ?? "/tmp"
  if (!isSafeRoot(place)) throw new Error(`its path is too long, and others may change what is in ${place}`)
  const short = await mkdtemp(join(place, "earmark-"))
  const address = join(short, "admin.sock")
  const path = socketPath(folder)
  return {
    address,
    publish: async () => {
      await chmod(address, 0o600)
      const link = `${path}.${randomBytes(DRAFT_BYTES).toString("hex")}`
      await symlink(address, link)
      await rename(link, path)
    },
    remove: async () => {
      await rm(path, { force: true })
      await rm(short, { recursive: true, force: true })
    },
  }
}

/** Where to listen. A socket has a short address, and a data folder may have a long path. */
export const draftSocket = async (folder: string): Promise<Draft> => {
  const near = nearby(folder)
  return isShort(near.address) && isShort(socketPath(folder)) ? near : elsewhere(folder)
}
