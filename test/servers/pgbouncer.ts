/** A PgBouncer in transaction mode before a PostgreSQL server, for tests: on a free port, in a folder that goes with it. */
import { spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { serverUser } from "./postgresServer.js"
import { exited, freePort } from "./processes.js"

const program = ["/usr/sbin", ...(process.env.PATH ?? "").split(delimiter)]
  .map((folder) => join(folder, "pgbouncer"))
  .find((path) => existsSync(path))

/** Why there is no pooler to test with; null when there is one. With `CI=true` a missing one is a failure. */
export const pgbouncerMissing: string | null =
  program === undefined ? "PgBouncer is missing: install the package pgbouncer" : null

if (pgbouncerMissing !== null) {
  if (process.env.CI === "true") throw new Error(pgbouncerMissing)
  process.stderr.write(`Tests behind a pooler are skipped. ${pgbouncerMissing}\n`)
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

/** Starts one with so few connections to the server that its clients have to share them; `address` is of a database on that server. */
export const startPgbouncer = async (address: string) => {
  if (program === undefined) throw new Error(pgbouncerMissing ?? "")
  const owner = serverUser()
  const folder = mkdtempSync(join(tmpdir(), "earmark-pooler-"))
  const server = new URL(address)
  const port = await freePort()
  const [users, settings] = [join(folder, "users.txt"), join(folder, "pgbouncer.ini")]
  writeFileSync(users, `"${server.username}" ""\n`)
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 3
`,
  )
  if (owner.uid !== undefined && owner.gid !== undefined) {
    for (const path of [folder, users, settings]) chownSync(path, owner.uid, owner.gid)
  }
  const child = spawn(program, ["-q", settings], { ...owner, stdio: "ignore", cwd: folder })
  const end = () => child.kill("SIGKILL")
  process.once("exit", end)
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 300 || child.exitCode !== null) throw new Error("PgBouncer did not get ready")
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url: `postgres://${server.username}@127.0.0.1:${port}${server.pathname}`,
    stop: async () => {
      process.removeListener("exit", end)
      child.kill("SIGKILL")
      await exited(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
