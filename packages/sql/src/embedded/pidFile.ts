/** What a server writes about itself into its folder. */
export interface PidFile {
  readonly pid: number
  readonly isReady: boolean
}

const PID = 0
const STATUS = 7

/** Reads `postmaster.pid`; null when it does not name a process. */
export const parsePidFile = (text: string): PidFile | null => {
  const lines = text.split("\n").map((line) => line.trim())
  const pid = Number(lines[PID])
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return { pid, isReady: lines[STATUS] === "ready" }
}

const STATE = 0
const STARTED = 19

/** When a process started, from its `/proc/PID/stat`; null for one that has ended and was not collected yet. */
export const parseStart = (stat: string): string | null => {
  // The name of the program, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return ["Z", "X"].includes(fields[STATE] ?? "X") ? null : (fields[STARTED] ?? null)
}
