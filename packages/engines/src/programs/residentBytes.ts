import { readFile } from "node:fs/promises"
import { Effect } from "effect"

/** Bytes of memory that a process holds; null where the system does not tell, or when it is gone. */
export const residentBytes = (pid: number): Effect.Effect<number | null> =>
  Effect.promise(() =>
    readFile(`/proc/${pid}/status`, "utf8").then(
      (text) => {
        const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(text)?.[1]
        return kilobytes === undefined ? null : Number(kilobytes) * 1024
      },
      () => null,
    ),
  )
