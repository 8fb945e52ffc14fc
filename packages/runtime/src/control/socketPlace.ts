import { randomBytes } from "node:crypto"
import { chmod, mkdtemp, readlink, rename, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What the address of a socket may be long, in bytes: 107 on Linux, 103 elsewhere. */
const LONGEST_ADDRESS = 103

const isShort = (path: string): boolean => Buffer.byteLength(path) <= LONGEST_ADDRESS

/** Where clients look. */
const socketPath = (folder: string): string => join(folder, "admin.sock")

/** The address to connect to: where the link leads, for a socket whose own path would be too long. */
export const addressOf = async (folder: string): Promise<string> => {
  const path = socketPath(folder)
  try {
    return await readlink(path)
  } catch {
    return path
  }
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
    [tmpdir(), "/tmp"].find((root) => isShort(join(root, "earmark-XXXXXX", "admin.sock"))) ?? "/tmp"
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
