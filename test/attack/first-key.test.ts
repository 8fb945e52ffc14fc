/** Whether a key gets to anybody but the service that it is for. */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { earmark } from "../e2e/earmark.js"
import { startEarmark } from "../servers/earmarkServer.js"
import { exited, freePort } from "../servers/processes.js"

const place = mkdtempSync(join(tmpdir(), "earmark-first-key-"))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const KEY = `em_live_${"7".repeat(36)}`
const folder = join(place, "data")
mkdirSync(folder, { mode: 0o700 })
writeFileSync(join(folder, "first-key"), `${KEY}\n`, { mode: 0o600 })

const run = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  earmark(args, "", place, {
    XDG_CONFIG_HOME: join(place, "config"),
    XDG_STATE_HOME: join(place, "state"),
    EARMARK_DATA_DIR: folder,
    ...environment,
  })

const LISTENER = `
const server = require("node:http").createServer((request, response) => {
  process.stdout.write(JSON.stringify(request.headers) + "\\n")
  response.end("{}")
})
server.listen(Number(process.argv[1]), "127.0.0.1", () => process.stdout.write("listening\\n"))
`

/** What another user of the machine hears on a port of theirs. */
const whileListening = async (uid: number | undefined, work: (port: number) => Promise<void>) => {
  const port = await freePort()
  const child = spawn(process.execPath, ["-e", LISTENER, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
    ...(uid !== undefined && { uid }),
  })
  let heard = ""
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      heard += text
      resolve()
    })
  })
  try {
    await work(port)
  } finally {
    child.kill("SIGKILL")
    await exited(child)
  }
  return heard
}

/** Only root can be two users. */
const isRoot = process.getuid?.() === 0

describe("keys of the service on this machine", () => {
  it.skipIf(!isRoot)("the first key does not go to another user who listens there", async () => {
    const heard = await whileListening(12_345, async (port) => {
      const { code, stderr } = await run(["credits", "show"], { EARMARK_PORT: String(port) })
      assert.strictEqual(code, 1)
      assert.match(stderr, /^earmark: [^\n]*another user listens there, so no key is sent[^\n]*\n$/)
    })
    assert.strictEqual(heard, "listening\n")
  })

  it.skipIf(!isRoot)("nor does the key of the environment, where no address stands beside it", async () => {
    const heard = await whileListening(12_345, async (port) => {
      const environment = { EARMARK_PORT: String(port), SERVICE_API_KEY: KEY }
      assert.strictEqual((await run(["credits", "show"], environment)).code, 1)
    })
    assert.strictEqual(heard, "listening\n")
  })

  it.skipIf(!isRoot)("an address that the user names gets it, whoever listens there", async () => {
    const heard = await whileListening(12_345, async (port) => {
      const address = `http://127.0.0.1:${port}`
      await run(["credits", "show"], { EARMARK_BASE_URL: address, SERVICE_API_KEY: KEY })
    })
    assert.include(heard, KEY)
  })

  it("the key of one address does not go to another that --server names", async () => {
    const heard = await whileListening(undefined, async (port) => {
      const environment = { EARMARK_BASE_URL: "https://transcripts.example", SERVICE_API_KEY: KEY }
      const { code, stderr } = await run(
        ["credits", "show", "--server", `http://127.0.0.1:${port}`],
        environment,
      )
      assert.strictEqual(code, 1)
      assert.match(stderr, /^earmark: There is no key for http:\/\/127\.0\.0\.1:\d+\./)
    })
    assert.strictEqual(heard, "listening\n")
  })

  it("where nothing listens, no key is sent, and the sentence says so", async () => {
    const { code, stderr } = await run(["credits", "show"], { EARMARK_PORT: String(await freePort()) })
    assert.strictEqual(code, 1)
    assert.match(stderr, /^earmark: [^\n]*nothing listens there[^\n]*\n$/)
  })

  it("the service of this user gets the first key of its folder, and no key is in its log", async () => {
    const data = join(place, "served")
    const server = await startEarmark({ EARMARK_DATA_DIR: data })
    const environment = { EARMARK_DATA_DIR: data, EARMARK_PORT: String(server.port) }
    const { code, stdout, stderr } = await run(["credits", "show"], environment).finally(server.stop)
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /balance +60/)
    assert.notInclude(server.log(), readFileSync(join(data, "first-key"), "utf8").trim())
  })
})
