/** A PostgreSQL server of its own for tests: on a free port, in a folder that goes with it. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fillWith } from "./madeOnce.js"
import { exited, freePort } from "./processes.js"

export interface PostgresServer {
  /** The address of a database of its own, owned by a role that is no superuser. */
  readonly newDatabase: () => Promise<string>
  /** Connects as a superuser. */
  readonly adminUrl: string
  /** Ends the server at once, as a crash would. */
  readonly down: () => Promise<void>
  /** Starts it again. */
  readonly up: () => Promise<void>
  /** One after the other. */
  readonly crash: () => Promise<void>
  readonly stop: () => Promise<void>
}

const DEBIAN = "/usr/lib/postgresql"

const folders = (): ReadonlyArray<string> => {
  const debian = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .sort((left, right) => Number(right) - Number(left))
        .map((version) => join(DEBIAN, version, "bin"))
    : []
  return [...debian, ...(process.env.PATH ?? "").split(delimiter)]
}

const binaries = folders().find(
  (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
)

/** Why there is no server to test with; null when there is one. With `CI=true` a missing one is a failure. */
export const postgresMissing: string | null =
  binaries === undefined ? "PostgreSQL is missing: install the package postgresql" : null

if (postgresMissing !== null) {
  if (process.env.CI === "true") throw new Error(postgresMissing)
  process.stderr.write(`Tests on a server are skipped. ${postgresMissing}\n`)
}

/** Where a program of the server is. */
export const postgresProgram = (name: string): string => join(binaries ?? "", name)

/** Who a server runs as that refuses to run as root. */
interface User {
  readonly uid?: number
  readonly gid?: number
}

export const serverUser = (): User => {
  if (process.getuid?.() !== 0) return {}
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }))
      return { uid: id("-u"), gid: id("-g") }
    } catch {
      // The next one may be there.
    }
  }
  return {}
}

const waitUntilReady = async (bin: string, port: number, child: ChildProcess) => {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error("PostgreSQL ended while it was starting")
    try {
      execFileSync(join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)])
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error("PostgreSQL did not get ready")
}

const INITDB = ["-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync"]

const initialise = (bin: string, owner: User) => (folder: string) => {
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  execFileSync(join(bin, "initdb"), ["-D", folder, ...INITDB], { ...owner, stdio: "ignore", cwd: folder })
}

let databases = 0

/** `durable`: commits wait for the disk, as in production. Off where only a process is killed, never the machine. */
export const startPostgres = async ({ durable = false } = {}): Promise<PostgresServer> => {
  if (binaries === undefined) throw new Error(postgresMissing ?? "")
  const bin = binaries
  const owner = serverUser()
  const folder = mkdtempSync(join(tmpdir(), "earmark-pg-"))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, "data")
  mkdirSync(data)
  const key = [bin, owner.uid, ...INITDB].join(" ").replaceAll(/\W+/g, "-")
  await fillWith(data, "postgres", key, initialise(bin, owner))
  const port = await freePort()
  const settings = {
    unix_socket_directories: folder,
    listen_addresses: "127.0.0.1",
    max_connections: "150",
    ...(!durable && { fsync: "off", full_page_writes: "off" }),
  }
  const args = ["-D", data, "-p", String(port)].concat(
    Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  )

  const start = async () => {
    const child = spawn(join(bin, "postgres"), args, { ...owner, stdio: "ignore", cwd: folder })
    await waitUntilReady(bin, port, child)
    return child
  }
  let server = await start()
  const end = () => server.kill("SIGQUIT")
  process.once("exit", end)

  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
  const sql = (text: string) =>
    execFileSync(join(bin, "psql"), ["-q", "-d", adminUrl, "-c", text], { stdio: "ignore" })
  sql("CREATE ROLE earmark LOGIN")

  const down = async () => {
    server.kill("SIGQUIT")
    await exited(server)
  }
  const up = async () => {
    server = await start()
  }

  return {
    down,
    up,
    adminUrl,
    newDatabase: async () => {
      const name = `test_${process.pid}_${++databases}`
      sql(`CREATE DATABASE ${name} OWNER earmark`)
      return `postgres://earmark@127.0.0.1:${port}/${name}`
    },
    crash: async () => {
      await down()
      await up()
    },
    stop: async () => {
      process.removeListener("exit", end)
      server.kill("SIGINT")
      await exited(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
