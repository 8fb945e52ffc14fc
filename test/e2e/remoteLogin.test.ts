import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { besideService } from "./besideService.js"

describe("earmark against a service", () => {
  const { server, folder, run, told, said } = besideService()

  it("refuses a key that the service does not take, and keeps nothing", async () => {
    const { code, stderr } = await run(["login", server().baseUrl], `em_live_${"0".repeat(36)}`)
    assert.strictEqual(code, 1)
    assert.include(stderr, `${server().baseUrl} does not accept this key.`)
    assert.include(stderr, "[unauthorized]")
    assert.strictEqual(
      await said(["config", "list"]),
      "No profiles yet. Create one with earmark login URL.\n",
    )
  })

  it("keeps address and key where only their owner reads them, and never shows the key", async () => {
    const { code, stderr } = await run(
      ["login", `${server().baseUrl}/`, "--name", "here"],
      `${server().key}\n`,
    )
    assert.strictEqual(code, 0, stderr)
    assert.match(
      stderr,
      /To work on this machine again, run "earmark config use" without a name; .* --local\./,
    )
    const path = (await told(["config", "path"])).trim()
    assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    const shown = (await told(["config", "list"])) + stderr
    assert.include(shown, server().baseUrl)
    assert.notInclude(shown, server().key)
  })

  it("uses the right first key where a saved profile is of an earlier server at the address", async () => {
    const place = mkdtempSync(join(tmpdir(), "earmark-stale-"))
    const config = join(place, "config", "earmark")
    mkdirSync(config, { recursive: true, mode: 0o700 })
    const saved = (current: string | null) =>
      writeFileSync(
        join(config, "config.json"),
        JSON.stringify({
          current,
          profiles: { old: { url: server().baseUrl, key: `em_live_${"0".repeat(36)}` } },
        }),
        { mode: 0o600 },
      )
    const { EARMARK_DATA_DIR = "", EARMARK_PORT = "" } = server().environment
    const beside = { XDG_CONFIG_HOME: join(place, "config"), EARMARK_DATA_DIR, EARMARK_PORT }
    for (const current of ["old", null]) {
      saved(current)
      for (const args of [
        ["credits", "show"],
        ["credits", "show", "--server", server().baseUrl],
        ["jobs", "list", "--server", server().baseUrl],
      ]) {
        const { code, stderr } = await run(args, "", beside)
        assert.strictEqual(code, 0, stderr)
        assert.include(stderr, 'does not accept the key of the saved profile "old": using ')
        assert.include(stderr, "earmark config forget old")
      }
    }
    const refused = await run(["jobs", "list", "--profile", "old"], "", beside)
    assert.strictEqual(refused.code, 1)
    assert.match(
      refused.stderr,
      /does not accept the key of the saved profile "old"\. .*earmark config forget old/,
    )
    rmSync(place, { recursive: true })
  })

  it("finds the first key for every command that names a server of this machine", async () => {
    const { EARMARK_DATA_DIR = "", EARMARK_PORT = "" } = server().environment
    const beside = { XDG_CONFIG_HOME: join(folder(), "no-profiles"), EARMARK_DATA_DIR, EARMARK_PORT }
    for (const args of [
      ["credits", "show"],
      ["jobs", "list"],
    ]) {
      const { code, stderr } = await run([...args, "--server", server().baseUrl], "", beside)
      assert.deepStrictEqual([code, stderr.includes("no key")], [0, false], stderr)
    }
  })

  it("names the way back to this machine where the service is away", async () => {
    const { code, stderr } = await run(
      ["feed", "https://example.com/feed.xml", "--server", "http://127.0.0.1:65530"],
      "",
      {
        SERVICE_API_KEY: server().key,
      },
    )
    assert.strictEqual(code, 1)
    assert.match(
      stderr,
      /name another with --server\. To work on this machine instead, add --local, or run earmark config use /,
    )
  })

  it("names only options that the command takes where the service is away", async () => {
    const away = "http://127.0.0.1:65530"
    const beside = " Beside its store, add --account ID instead."
    for (const [args, rest] of [
      [["keys", "list"], beside],
      [["credits", "show"], beside],
      [["credits", "entries"], beside],
      [["usage"], ""],
      [["webhooks", "list"], ""],
    ] as const) {
      const { code, stderr } = await run([...args, "--server", away], "", { SERVICE_API_KEY: server().key })
      assert.strictEqual(code, 1)
      assert.isTrue(
        stderr.includes(` Start one with earmark serve, or name another with --server.${rest} [`),
        stderr,
      )
    }
    const { stderr } = await run(["usage"], "", {
      SERVICE_API_KEY: server().key,
      EARMARK_BASE_URL: "",
      EARMARK_PORT: "65530",
    })
    assert.match(
      stderr,
      /earmark serve\. If it has another address, name it with --server or EARMARK_PORT\. \[/,
    )
  })

  it("refuses a server beside what only the store of this machine takes", async () => {
    const beside = /--account and --open are for the store of this machine\. Leave out --server and --profile/
    const account = ["--account", "acct_x"]
    for (const args of [
      ["keys", "create", ...account],
      ["keys", "list", ...account],
      ["keys", "edit", "key_x", "--name", "n", ...account],
      ["keys", "revoke", "key_x", ...account],
      ["credits", "show", ...account],
      ["credits", "entries", ...account],
      ["credits", "purchases", ...account],
      ["credits", "purchases", "--open"],
    ]) {
      for (const where of [
        ["--server", server().baseUrl],
        ["--profile", "here"],
      ]) {
        const { code, stdout, stderr } = await run([...args, ...where])
        assert.deepStrictEqual([code, stdout], [2, ""], args.join(" "))
        assert.match(stderr, beside)
      }
    }
  })
})
