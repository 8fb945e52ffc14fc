// What a process and all that it starts use: processor time and memory.
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

export interface Used {
  /** Processor seconds of all of them. */
  readonly cpu: number
  /**
   * The most memory of the engine's process, and of all others at one time. What processes share counts for each in equal parts (the
   * proportional set size of Linux).
   */
  readonly engineMb: number
  readonly othersMb: number
  /** The last line that was printed. */
  readonly said: string
}

interface Seen {
  readonly name: string
  readonly parent: number
}

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // It has ended since.
    return ""
  }
}

const numberIn = (status: string, field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0)

/** Every process of this machine. Nothing where there is no /proc. */
const processes = (): ReadonlyMap<number, Seen> => {
  const found = new Map<number, Seen>()
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue
    const status = read(`/proc/${entry}/status`)
    const name = /^Name:\s+(.*)$/m.exec(status)?.[1] ?? ""
    found.set(Number(entry), { name, parent: numberIn(status, "PPid") })
  }
  return found
}

const EVERY = 200

/** Programs that are no engine. */
const HELPERS = ["ffmpeg", "ffprobe", "bash"]

/** Runs a command to its end, and looks at its children meanwhile. */
export const watched = (command: string, ...args: ReadonlyArray<string>) =>
  new Promise<Used>((resolve, reject) => {
    const child = spawn("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@"', "bash", command, ...args])
    let [engineMb, othersMb] = [0, 0]
    const look = () => {
      const all = processes()
      const depthOf = (id: number): number => {
        if (id === child.pid) return 0
        const parent = all.get(id)?.parent
        const above = parent === undefined || parent <= 1 ? -1 : depthOf(parent)
        return above < 0 ? -1 : above + 1
      }
      let others = 0
      for (const [id, { name }] of all) {
        const depth = depthOf(id)
        if (depth < 1 || name === "bash") continue
        // One that has ended, and was not waited for yet, has no memory.
        const megabytes = numberIn(read(`/proc/${id}/smaps_rollup`), "Pss") / 1024
        if (depth > 1 && !HELPERS.includes(name)) engineMb = Math.max(engineMb, megabytes)
        else others += megabytes
      }
      othersMb = Math.max(othersMb, others)
    }
    const timer = setInterval(look, EVERY)
    let said = ""
    let errors = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text
    })
    child.on("close", (code) => {
      clearInterval(timer)
      if (code !== 0) return reject(new Error(`${args.join(" ")} failed: ${errors.slice(-2000)}`))
      const [user = 0, system = 0] = (errors.trim().split("\n").at(-1) ?? "").split(" ").map(Number)
      resolve({
        cpu: user + system,
        engineMb,
        othersMb,
        said: said.trim().split("\n").at(-1) ?? "",
      })
    })
  })
