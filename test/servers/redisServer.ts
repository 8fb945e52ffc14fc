/** A Redis server of its own for tests: on a free port, in a folder that goes with it. Nothing is kept on disk. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { exited, freePort } from "./processes.js"

export interface RedisServer {
  readonly url: string
  /** What a command of the server's own client answers. */
  readonly command: (...words: ReadonlyArray<string>) => string
  /** Ends the server at once, as a crash would: all it held is gone. */
  readonly crash: () => Promise<void>
  /** Starts it again, empty, at the same address. */
  readonly start: () => Promise<void>
  /** Lets it hang: connections stay, nothing is answered. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly stop: () => Promise<void>
}

const folder = (process.env.PATH ?? "")
  .split(delimiter)
  .find((each) => existsSync(join(each, "redis-server")) && existsSync(join(each, "redis-cli")))

/** Why there is no server to test with; null when there is one. With `CI=true` a missing one is a failure. */
export const redisMissing: string | null =
  folder === undefined ? "Redis is missing: install the package redis-server" : null

if (redisMissing !== null) {
  if (process.env.CI === "true") throw new Error(redisMissing)
  process.stderr.write(`Tests on a server are skipped. ${redisMissing}\n`)
}

export const startRedis = async ({ running = true } = {}): Promise<RedisServer> => {
  if (folder === undefined) throw new Error(redisMissing ?? "")
  const bin = folder
  const data = mkdtempSync(join(tmpdir(), "earmark-redis-"))
  const port = String(await freePort())
  const args = ["--port", port, "--bind", "127.0.0.1", "--dir", data, "--save", "", "--appendonly", "no"]
  let server: ChildProcess | null = null

  const command = (...words: ReadonlyArray<string>) =>
    execFileSync(join(bin, "redis-cli"), ["-p", port, ...words], { encoding: "utf8", stdio: "pipe" }).trim()

  const start = async () => {
    const child = spawn(join(bin, "redis-server"), args, { stdio: "ignore", cwd: data })
    server = child
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) throw new Error("Redis ended while it was starting")
      try {
        if (command("ping") === "PONG") return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    throw new Error("Redis did not get ready")
  }

  const signal = (name: NodeJS.Signals) => server?.kill(name)
  const end = () => signal("SIGKILL")
  const crash = async () => {
    end()
    if (server !== null) await exited(server)
    server = null
  }
  process.once("exit", end)
  if (running) await start()

  return {
    url: `redis://127.0.0.1:${port}/0`,
    command,
    crash,
    start,
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    stop: async () => {
      process.removeListener("exit", end)
      await crash()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
