/** The built command as a service of its own: on a free port, in a folder that goes with it. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bin, earmark } from "../e2e/earmark.js"
import { fillWith } from "./madeOnce.js"
import { exited, freePort } from "./processes.js"

type Environment = Readonly<Record<string, string>>

export interface EarmarkServer {
  readonly baseUrl: string
  readonly port: number
  /** The first key of the account `default`. */
  readonly key: string
  readonly environment: Environment
  readonly child: ChildProcess
  /** What it has written to its log. */
  readonly log: () => string
  /** A verb of the operator, on the store of this service. Rejects when it fails. */
  readonly administer: (...args: ReadonlyArray<string>) => Promise<string>
  readonly stop: () => Promise<void>
}

const isReady = (baseUrl: string) =>
  fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const settingsFor = (port: number, folder: string, given: Environment): Environment => ({
  EARMARK_DATA_DIR: folder,
  EARMARK_PORT: String(port),
  EARMARK_ENGINE: "scripted",
  EARMARK_EGRESS_ALLOW: "127.0.0.1/32",
  EARMARK_RATE_LIMIT_CREATES: "off",
  EARMARK_RATE_LIMIT_READS: "off",
  EARMARK_RATE_LIMIT_FAILURES: "off",
  EARMARK_DRAIN_SECONDS: "0",
  EARMARK_WEBHOOK_BACKOFF: "0.1,0.2,0.2,0.2,0.2",
  ...given,
})

/** A command of the service at work, whose log is kept. */
export interface Running {
  readonly child: ChildProcess
  readonly log: () => string
  /** Asks it to end, unless it was asked already: a second signal would end it at once. Answers its exit code. */
  readonly stop: () => Promise<number | null>
}

export const runEarmark = (command: "serve" | "worker", environment: Environment): Running => {
  const child = spawn(process.execPath, [bin, command], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...environment },
  })
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text
  })
  return {
    child,
    log: () => log,
    stop: async () => {
      if (!child.killed) child.kill("SIGTERM")
      await exited(child)
      return child.exitCode
    },
  }
}

const whenUp = async ({ child, log }: Running, isUp: () => Promise<boolean>): Promise<void> => {
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`the service ended: ${log()}`)
    await pause(50)
  }
}

/** Returns when a service is ready; fails when it ends before. */
export const whenReady = (running: Running, baseUrl: string) => whenUp(running, () => isReady(baseUrl))

/** Changes of a build come with new files. */
const BUILD = fileURLToPath(new URL("../../packages/cli/dist/main.cjs", import.meta.url))

/** Where one of these is set, the first start is not that of any other service: it keeps, or says, something else. */
const FIRST_START = [
  "EARMARK_DATABASE_URL",
  "EARMARK_FREE_CREDITS",
  "EARMARK_LOG_LEVEL",
  "EARMARK_SECRETS_KEY",
]

/** The first start of a service, in a folder. */
const begin = async (folder: string) => {
  const port = await freePort()
  const running = runEarmark("serve", settingsFor(port, folder, {}))
  await whenReady(running, `http://127.0.0.1:${port}`)
  await running.stop()
}

/** A folder of its own, in which a service has been before: a new database takes seconds. */
const newFolder = async (given: Environment): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "earmark-http-"))
  if (!FIRST_START.some((name) => name in given))
    await fillWith(folder, "service", String(statSync(BUILD).mtimeMs), begin)
  return folder
}

/** Starts a service with the scripted engine, without rate limits, that may reach this machine. */
export const startEarmark = async (given: Environment = {}): Promise<EarmarkServer> => {
  const port = await freePort()
  const own = given.EARMARK_DATA_DIR === undefined ? await newFolder(given) : null
  const folder = own ?? given.EARMARK_DATA_DIR ?? ""
  const environment = settingsFor(port, folder, given)
  const running = runEarmark("serve", environment)
  const baseUrl = `http://127.0.0.1:${port}`
  // A worker answers nobody: it says so when it has begun.
  const isWorker = given.EARMARK_ROLE === "worker"
  await whenUp(running, () =>
    isWorker ? Promise.resolve(running.log().includes("processes jobs")) : isReady(baseUrl),
  )
  return {
    baseUrl,
    port,
    key: readFileSync(join(folder, "first-key"), "utf8").trim(),
    environment,
    child: running.child,
    log: running.log,
    administer: async (...args) => {
      const { code, stdout, stderr } = await earmark(args, "", undefined, environment)
      if (code !== 0) throw new Error(`earmark ${args.join(" ")} ended with exit code ${code}: ${stderr}`)
      return stdout
    },
    stop: async () => {
      await running.stop()
      // The database of a service that was killed stops a moment later.
      if (own !== null) rmSync(own, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
