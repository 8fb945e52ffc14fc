import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A command that runs while a test goes on. */
export interface Started {
  readonly stop: (signal: NodeJS.Signals) => void
  readonly ended: Promise<number | NodeJS.Signals | null>
  readonly output: () => string
  readonly pid: number
  readonly write: (text: string) => void
}

/** Starts a program in a folder; what it writes is kept together, in the order in which it comes. */
export const startIn = (
  folder: string,
  environment: Readonly<Record<string, string>>,
  program: string,
  args: ReadonlyArray<string>,
): Started => {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    timeout: 60_000,
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  return {
    stop: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal))),
    output: () => output,
    pid: child.pid ?? 0,
    write: (text) => void child.stdin.write(text),
  }
}

/** The windows in the only file of a folder of unfinished transcriptions, in the order in which they were written. */
export const keptWindows = (folder: string): ReadonlyArray<number> => {
  const [name] = existsSync(folder) ? readdirSync(folder) : []
  if (name === undefined) return []
  return readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line).index)
}

export const until = async (holds: () => boolean, what: string, run: Started) => {
  for (let tries = 0; tries < 600; tries++) {
    if (holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${what} did not come: ${run.output()}`)
}
