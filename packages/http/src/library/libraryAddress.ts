/** Where a library is shown: the same port and account at each start, because browsers keep drafts by both. */
import { createHash } from "node:crypto"
import { createServer } from "node:net"
import { AccountId } from "@earmark/core/jobs"
import { Effect } from "effect"
import { ListenFailed } from "../server/listen.js"

export const HOST = "127.0.0.1"

/** Below the ports that systems hand out to connections. */
const FIRST_PORT = 20_000
const PORTS = 10_000

const digestOf = (folder: string): Buffer => createHash("sha256").update(folder).digest()

const usualPort = (folder: string): number => FIRST_PORT + (digestOf(folder).readUInt32BE(0) % PORTS)

/** The account that the console signs in to. */
export const accountOf = (folder: string): AccountId =>
  AccountId.make(`acct_0${digestOf(folder).toString("hex").slice(0, 25)}`)

/** The port, where it can be listened on; 0 is any free one. */
const tryPort = (port: number): Effect.Effect<number, ListenFailed> =>
  Effect.async((resume) => {
    const probe = createServer()
    probe.once("error", ({ code = "unknown" }: NodeJS.ErrnoException) =>
      resume(Effect.fail(new ListenFailed({ host: HOST, port, code }))),
    )
    probe.listen(port, HOST, () => {
      const address = probe.address()
      const found = address === null || typeof address === "string" ? 0 : address.port
      probe.close(() => resume(Effect.succeed(found)))
    })
  })

/** The usual port of a library; another free one where it is taken. */
export const portFor = (folder: string): Effect.Effect<number, ListenFailed> =>
  Effect.orElse(tryPort(usualPort(folder)), () => tryPort(0))
