import { createHash } from "node:crypto"
import { chownSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { EmbeddedRefused } from "./EmbeddedRefused.js"
import { linkLibraries } from "./programs.js"

/** The user that Postgres runs as; empty where that is the user of this process. */
export interface ServerUser {
  readonly uid?: number
  readonly gid?: number
}

/** Everything about one folder that its server needs. */
export interface Place {
  readonly folder: string
  /** What Postgres itself works in. */
  readonly data: string
  /** The socket, the leash and links to libraries, as long as the server runs. Its path is the same for every process of this machine. */
  readonly runtime: string
  /** The name of the lock of those who start the server. */
  readonly lock: string
  readonly user: ServerUser
  readonly programs: string
  readonly log: string
}

const NOBODY = 65_534
const ID_LENGTH = 16

/** Postgres refuses to run as root. */
const userOf = (folder: string, data: string): ServerUser => {
  if (process.getuid?.() !== 0) return {}
  const { uid, gid } = statSync(existsSync(data) ? data : folder)
  return uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid }
}

/** The longest address of a socket, and the name of that of Postgres with the slash before it. */
const LONGEST_ADDRESS = 107
const SOCKET_NAME_LENGTH = 15

/**
 * The folder of the socket. In the data where its path is short enough: services may have a /tmp of their own. The user that Postgres gets
 * from root cannot reach that, since the folder is closed to others. Never by TMPDIR: processes of one folder may differ in it.
 */
const runtimeOf = (folder: string, id: string, { uid }: ServerUser): string => {
  const near = join(folder, "run")
  const isShort = Buffer.byteLength(near) + SOCKET_NAME_LENGTH <= LONGEST_ADDRESS
  return isShort && uid === undefined ? near : join("/tmp", `earmark-${uid ?? process.getuid?.() ?? 0}-${id}`)
}

/** Where everything of a folder is. The folder is made when it is not there, for its owner alone. */
export const placeOf = (given: string, programs: string): Place => {
  mkdirSync(given, { recursive: true, mode: 0o700 })
  const folder = realpathSync(given)
  const data = join(folder, "data")
  const { dev, ino } = statSync(folder)
  const id = createHash("sha256").update(`${dev}:${ino}`).digest("hex").slice(0, ID_LENGTH)
  const user = userOf(folder, data)
  return {
    folder,
    data,
    runtime: runtimeOf(folder, id, user),
    lock: `\0earmark-${id}`,
    user,
    programs,
    log: join(folder, "postgres.log"),
  }
}

export const giveTo = ({ uid, gid }: ServerUser, path: string): void => {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** Makes the folder of the socket. Another user may have made one of its name first: that one is refused. */
export const makeRuntime = ({ runtime, user, programs, folder }: Place): void => {
  if (!existsSync(runtime)) {
    mkdirSync(runtime, { mode: 0o700 })
    giveTo(user, runtime)
  }
  const made = lstatSync(runtime)
  const isOurs = made.uid === (user.uid ?? process.getuid?.())
  if (!made.isDirectory() || !isOurs || (made.mode & 0o077) !== 0)
    throw new EmbeddedRefused({ reason: "occupied", folder, found: runtime })
  const libraries = join(runtime, "lib")
  linkLibraries(programs, libraries)
  giveTo(user, libraries)
}

export const environmentOf = ({ runtime, programs }: Place) => ({
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
  LD_LIBRARY_PATH: `${join(runtime, "lib")}:${join(programs, "lib")}`,
})
