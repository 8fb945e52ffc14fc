/** The processes of a Postgres in a folder. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { placeOf } from "../../src/embedded/place.js"
import { findPrograms } from "../../src/embedded/programs.js"
import { processesIn, serverState, startOf } from "../../src/embedded/serverState.js"

const placeIn = (folder: string) => placeOf(folder, findPrograms() ?? "")

/** Its first process; -1 when none is ready. */
export const serverOf = (folder: string): number => {
  const state = serverState(placeIn(folder))
  return state.type === "ready" ? state.pid : -1
}

/** All of them, the latest last. */
export const everyProcess = (folder: string): ReadonlyArray<number> => processesIn(placeIn(folder))

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

/** The shells that stop the server when its last user is gone. */
export const leashesOf = (folder: string): ReadonlyArray<number> => {
  const { data } = placeIn(folder)
  const isLeash = (pid: number) => commandOf(pid).includes("earmark-leash") && startOf(pid) !== null
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isLeash(pid) && folderOf(pid) === data)
}

const folderOf = (pid: number): string => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ""
  }
}
