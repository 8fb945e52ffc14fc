/** Servers as processes of their own, and what they use. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exited, freePort } from "../../servers/processes.js"

export const COMMAND = "packages/cli/bin/earmark.js"
const BUILT = "packages/cli/dist/main.cjs"

export interface RunningServer {
  readonly url: string
  readonly pid: number
  /** Milliseconds from its start until it was ready. */
  readonly readyAfter: number
  readonly stop: () => Promise<void>
}

const isAnswered = (url: string) =>
  fetch(url).then(
    ({ status }) => status < 500,
    () => false,
  )

const waitFor = async (url: string, child: ChildProcess) => {
  while (!(await isAnswered(url))) {
    if (child.exitCode !== null) throw new Error("the server ended while it was starting")
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const start = async (
  args: ReadonlyArray<string>,
  { port, env = {}, ready }: { port: number; env?: Readonly<Record<string, string>>; ready: string },
): Promise<RunningServer> => {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...env },
  })
  const url = `http://127.0.0.1:${port}`
  await waitFor(`${url}${ready}`, child)
  return {
    url,
    pid: child.pid ?? 0,
    readyAfter: performance.now() - started,
    stop: async () => {
      child.kill("SIGTERM")
      await exited(child)
    },
  }
}

/** The real command. Every limit that is no work is off. */
export const startOurs = async (dataFolder: string, more: Readonly<Record<string, string>> = {}) => {
  if (!existsSync(BUILT)) throw new Error("The command is not built: run npm run build first.")
  const port = await freePort()
  const env = {
    EARMARK_DATA_DIR: dataFolder,
    EARMARK_PORT: String(port),
    EARMARK_ENGINE: "scripted",
    EARMARK_EGRESS_ALLOW: "127.0.0.1/32",
    EARMARK_RATE_LIMIT_CREATES: "off",
    EARMARK_RATE_LIMIT_READS: "off",
    EARMARK_FREE_CREDITS: "10000000",
    EARMARK_LOG_LEVEL: "warning",
    ...more,
  }
  const server = await start([COMMAND, "serve"], { port, env, ready: "/readyz" })
  return { ...server, key: readFileSync(join(dataFolder, "first-key"), "utf8").trim() }
}

/** A task of this bench as a server. */
export const startTask = async (bundle: string, name: string, args: ReadonlyArray<string>) => {
  const port = await freePort()
  return start([bundle, "--task", name, ...args, String(port)], { port, ready: "/" })
}

/** A folder for what follows, and nothing of it afterwards. */
export const inFolder = async <A>(body: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-bench-"))
  try {
    return await body(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const TICK_MILLISECONDS = 10

/** Processor milliseconds that a process has used so far. */
export const processorOf = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8")
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * TICK_MILLISECONDS
}

/** Megabytes of a process that are in memory. */
export const residentOf = (pid: number): number => {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

export type OurServer = Awaited<ReturnType<typeof startOurs>>

/** What the service answers to a body. */
export const post = async (
  server: OurServer,
  path: string,
  body: object,
): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${server.key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  })
  const made: Record<string, unknown> = Object(await answer.json())
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(made)}`)
  return made
}
