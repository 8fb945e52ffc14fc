/** Whether processes that left something behind are still there. */
import { readFileSync } from "node:fs"

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** A process that ended, and that its parent has not been told of yet, is no more than a name. */
const ENDED = ["Z", "X"]

/** When a process started, by its kernel: numbers of processes come back. Null when that cannot be known. */
export const startOf = (pid: number): string | null => {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name of the program, in parentheses, may hold anything.
    const [state = "", ...facts] = status.slice(status.lastIndexOf(")") + 2).split(" ")
    return ENDED.includes(state) ? null : (facts[18] ?? null)
  } catch {
    return null
  }
}
