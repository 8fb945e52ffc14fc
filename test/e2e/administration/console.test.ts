import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { freePort } from "../../servers/processes.js"
import { bin, earmark } from "../earmark.js"
import { onTerminal } from "../onTerminal.js"

describe("on a terminal, and beside a server", () => {
  let server: EarmarkServer
  let folder: string
  let home: Readonly<Record<string, string>>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "earmark-console-e2e-"))
    server = await startEarmark({ EARMARK_CONSOLE: "off" })
    home = { XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state"), NO_COLOR: "1" }
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it("the key that a command uses is revoked after a yes alone", async () => {
    const there = ["--server", server.baseUrl]
    const as = (key: string) => ({ ...home, SERVICE_API_KEY: key })
    const made = await earmark(["keys", "create", "--json", ...there], "", folder, as(server.key))
    const { id, key } = JSON.parse(made.stdout)
    const revoke = `'${process.execPath}' '${bin}' keys revoke ${id} ${there.join(" ")}`
    const state = async () => {
      const { stdout } = await earmark(["keys", "list", "--json", ...there], "", folder, as(server.key))
      return JSON.parse(stdout).data.find((each: { readonly id: string }) => each.id === id).revoked_at
    }
    for (const typed of ["", "\n", "no\n"]) {
      const { code, raw } = await onTerminal(revoke, folder, as(key), typed)
      assert.strictEqual(code, 1, raw)
      assert.include(
        raw,
        `This command uses ${id}. Revoke it? After that, ${server.baseUrl} needs another key.`,
      )
      assert.include(raw, "Nothing was revoked.")
    }
    assert.isNull(await state())
    const others = await onTerminal(`${revoke} --json`, folder, as(server.key))
    assert.notInclude(others.raw, "?", "another key is not asked about")
    const again = await earmark(["keys", "create", "--json", ...there], "", folder, as(server.key))
    const own = JSON.parse(again.stdout)
    const command = revoke.replace(id, own.id)
    const { code, raw } = await onTerminal(command, folder, as(own.key), "y\n")
    assert.strictEqual(code, 0, raw)
    assert.include(raw, `${own.id} is revoked. This command used it.`)
  })

  it("a server without a built console is not linked to", async () => {
    const beside = { ...home, ...server.environment, EARMARK_CONSOLE: "on" }
    const { code, stdout, stderr } = await earmark(["console", "--print"], "", folder, beside)
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.include(stderr, `The server at ${server.baseUrl} has no console. Build it with npm run build`)
  })

  it("a server that does not answer is linked to where only the link is wanted", async () => {
    const data = {
      ...home,
      EARMARK_DATA_DIR: join(folder, "data"),
      EARMARK_PORT: String(await freePort()),
      EARMARK_CONSOLE: "on",
    }
    const created = await earmark(["accounts", "create", "--name", "Ann", "--json"], "", folder, data)
    const account = ["--account", JSON.parse(created.stdout).id]
    const refused = await earmark(["console", ...account], "", folder, data)
    assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
    assert.match(refused.stderr, /No server answers at .* Start it with earmark serve, then run this command/)
    const printed = await earmark(["console", "--print", ...account], "", folder, data)
    assert.strictEqual(printed.code, 0, printed.stderr)
    assert.include(printed.stdout, "/console/#sign-in=")
    assert.include(printed.stderr, "start it with earmark serve, then open the link")
  })
})
