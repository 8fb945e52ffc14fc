// What a process and all that it starts use: processor time and memory.
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

export interface Used {
  /** Processor seconds of all of them. */
  readonly cpu: number
  /** The most memory of the engine's process, and of all others together. */
  readonly engineMb: number
  readonly othersMb: number
  /** The last line that was printed. */
  readonly said: string
}

interface Seen {
  readonly name: string
  readonly parent: number
  readonly peakMb: number
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
    found.set(Number(entry), {
      name,
      parent: numberIn(status, "PPid"),
      peakMb: numberIn(status, "VmHWM") / 1024,
    })
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
    const peaks = new Map<
      number,
      { readonly depth: number; readonly name: string; readonly peakMb: number }
    >()
    const look = () => {
      const all = processes()
      const depthOf = (id: number): number => {
        if (id === child.pid) return 0
        const parent = all.get(id)?.parent
        const above = parent === undefined || parent <= 1 ? -1 : depthOf(parent)
        return above < 0 ? -1 : above + 1
      }
      for (const [id, { name, peakMb }] of all) {
        const depth = depthOf(id)
        // One that has ended, and was not waited for yet, has no memory.
        if (depth >= 1 && peakMb > 0) peaks.set(id, { depth, name, peakMb })
      }
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
      const all = [...peaks.values()].filter(({ name }) => name !== "bash")
      const engines = all.filter(({ depth, name }) => depth > 1 && !HELPERS.includes(name))
      const others = all.filter(({ depth, name }) => depth === 1 || name === "ffmpeg")
      const byName = new Map<string, number>()
      for (const { name, depth, peakMb } of others)
        byName.set(`${depth} ${name}`, Math.max(peakMb, byName.get(`${depth} ${name}`) ?? 0))
      resolve({
        cpu: user + system,
        engineMb: Math.max(0, ...engines.map(({ peakMb }) => peakMb)),
        othersMb: [...byName.values()].reduce((sum, peakMb) => sum + peakMb, 0),
        said: said.trim().split("\n").at(-1) ?? "",
      })
    })
  })
