import { readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"

interface Seen {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly name: string
}

const seenAt = (pid: number): ReadonlyArray<Seen> => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    const [, name = "", rest = ""] = /\((.*)\) (.*)/s.exec(text) ?? []
    const [state, parent, group] = rest.split(" ")
    return state === "Z" ? [] : [{ pid, parent: Number(parent), group: Number(group), name }]
  } catch {
    return []
  }
}

const everyProcess = (): ReadonlyArray<Seen> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => seenAt(Number(name)))

/** Engine processes that a process started and that still run: each leads a group of its own. */
export const enginesOf = (parent = process.pid, name = /./): ReadonlyArray<number> =>
  everyProcess()
    .filter((seen) => seen.parent === parent && seen.group === seen.pid && name.test(seen.name))
    .map(({ pid }) => pid)

/** Whoever is left of process groups. */
export const leftOf = (groups: ReadonlyArray<number>): ReadonlyArray<number> =>
  everyProcess()
    .filter(({ group }) => groups.includes(group))
    .map(({ pid }) => pid)

/** Waits until something holds, for as long as a busy machine may need. */
export const until = (holds: () => boolean, tries = 3_000): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (holds() || tries === 0) return Effect.void
    return Effect.zipRight(Effect.sleep("20 millis"), until(holds, tries - 1))
  })

/** Kills the engine processes of this test, as a crash would, as soon as there is one: a busy machine starts them late. */
export const crashEngines = (name = /./): Effect.Effect<void> =>
  Effect.zipRight(
    until(() => enginesOf(process.pid, name).length > 0),
    Effect.sync(() => {
      for (const pid of enginesOf(process.pid, name)) process.kill(pid, "SIGKILL")
    }),
  )
