import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { type PidFile, parsePidFile, parseStart } from "./pidFile.js"
import type { Place } from "./place.js"
import { SOON } from "./programs.js"

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

/** When a process started; null when it is gone. Numbers of processes come back, with another start. */
export const startOf = (pid: number): string | null => {
  const text = read(`/proc/${pid}/stat`)
  return text === null ? null : parseStart(text)
}

const isDenied = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM")

/** Whether a process works in the folder of the data: what its number says may be of another process, or of a copied folder. */
const worksIn = (pid: number, { data, user }: Place): boolean => {
  try {
    const own = statSync(data)
    const found = statSync(`/proc/${pid}/cwd`)
    return found.dev === own.dev && found.ino === own.ino
  } catch (error) {
    // The root of a container may not look at processes of other users: they may themselves.
    if (!isDenied(error) || user.uid === undefined) return false
    const look = ["-c", '[ "/proc/$1/cwd" -ef . ]', "sh", String(pid)]
    return spawnSync("/bin/sh", look, { cwd: data, stdio: "ignore", timeout: SOON, ...user }).status === 0
  }
}

export interface RunningServer extends PidFile {
  readonly type: "changing" | "ready"
  /** When it started: with its number it names one process for ever. */
  readonly started: string
}

export type ServerState = RunningServer | { readonly type: "none" | "stale" }

/** The server of a folder. The file that names it is believed only if that process works in this very folder. */
export const serverState = (place: Place): ServerState => {
  const text = read(join(place.data, "postmaster.pid"))
  if (text === null) return { type: "none" }
  const named = parsePidFile(text)
  const started = named === null ? null : startOf(named.pid)
  if (named === null || started === null || !worksIn(named.pid, place)) return { type: "stale" }
  return { type: named.isReady ? "ready" : "changing", started, ...named }
}

const NUMBER = /^\d+$/

/** Processes of a server that was killed: the next one cannot have the folder before they are gone. */
export const processesIn = (place: Place): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => NUMBER.test(name) && read(`/proc/${name}/comm`)?.trim() === "postgres")
    .map(Number)
    .filter((pid) => startOf(pid) !== null && worksIn(pid, place))
