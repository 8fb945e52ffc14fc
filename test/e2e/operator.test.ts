/** The link that a real server prints on its terminal opens a session of the operator, who sees the real machine. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { exited, freePort } from "../servers/processes.js"
import { bin, earmark } from "./earmark.js"

const place = mkdtempSync(join(tmpdir(), "earmark-operator-"))
const folder = join(place, "data")
const LINK = /\/console\/#sign-in=([\w-]{43})/

let base: string
let settings: Readonly<Record<string, string>>
let link: string
let stop: () => Promise<void>

beforeAll(async () => {
  const port = await freePort()
  settings = {
    EARMARK_DATA_DIR: folder,
    EARMARK_PORT: String(port),
    EARMARK_ENGINE: "scripted",
    EARMARK_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  }
  base = `http://127.0.0.1:${port}`
  const child = spawn("script", ["-qec", `'${process.execPath}' '${bin}' serve`, "/dev/null"], {
    cwd: place,
    env: { ...process.env, ...settings },
  })
  stop = async () => {
    // As a person does: Ctrl-C.
    child.stdin.write("\u0003")
    await exited(child)
  }
  link = await new Promise<string>((resolve, reject) => {
    let shown = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text
      const found = LINK.exec(shown)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once("exit", () => reject(new Error(shown)))
  })
}, 60_000)

afterAll(async () => {
  await stop?.()
  rmSync(place, { recursive: true, force: true })
})

const page = () => ({ "Earmark-Console": "1", Origin: base, "Content-Type": "application/json" })

describe("the operator of a real server", () => {
  let cookie: string

  const read = async (path: string) => {
    const answer = await fetch(`${base}${path}`, { headers: { ...page(), Cookie: cookie } })
    assert.strictEqual(answer.status, 200, path)
    return JSON.parse(await answer.text())
  }

  it("signs in with the link of the terminal", { timeout: 60_000 }, async () => {
    const body = JSON.stringify({ link })
    const answer = await fetch(`${base}/api/v1/session`, { method: "POST", headers: page(), body })
    assert.strictEqual(answer.status, 204)
    cookie = (answer.headers.get("set-cookie") ?? "").split(";", 1).join("")
    assert.strictEqual((await read("/api/v1/account")).role, "operator")
    assert.strictEqual((await read("/api/operator/accounts.list")).data[0].name, "default")
  })

  it("sees settings without secrets, storage, figures and what the doctor finds", {
    timeout: 60_000,
  }, async () => {
    const { data } = await read("/api/operator/server.settings")
    const settings: ReadonlyArray<{ name: string; value: string | null; is_set: boolean }> = data.flatMap(
      (section: { settings: ReadonlyArray<unknown> }) => section.settings,
    )
    const of = (name: string) => settings.find((each) => each.name === name)
    assert.include(of("EARMARK_ENGINE"), { value: "scripted", is_set: true })
    assert.include(of("EARMARK_SECRETS_KEY"), { value: null, is_set: true })
    const storage = await read("/api/operator/server.storage")
    assert.include(storage, { database: "embedded", uploads: "folder", folder })
    assert.isAbove(storage.free_bytes, 0)
    assert.strictEqual((await read("/api/operator/server.figures")).credits.accounts, 1)
    const checks: ReadonlyArray<{ name: string; status: string; detail: string }> = (
      await read("/api/operator/server.checks")
    ).data
    assert.include(checks.find(({ name }) => name === "engine")?.detail, "scripted")
    assert.strictEqual(checks.find(({ name }) => name === "store")?.status, "ok")
  })

  it("makes another link with earmark console, which works once", { timeout: 60_000 }, async () => {
    const made = await earmark(["console", "--json"], "", place, settings)
    assert.strictEqual(made.code, 0, made.stderr)
    const { url, answers } = JSON.parse(made.stdout)
    assert.isTrue(answers)
    const [, found = ""] = LINK.exec(url) ?? []
    const signIn = () =>
      fetch(`${base}/api/v1/session`, {
        method: "POST",
        headers: page(),
        body: JSON.stringify({ link: found }),
      })
    const opened = await signIn()
    assert.strictEqual(opened.status, 204)
    cookie = (opened.headers.get("set-cookie") ?? "").split(";", 1).join("")
    assert.strictEqual((await read("/api/v1/account")).role, "operator")
    assert.strictEqual((await signIn()).status, 401)
    const printed = await earmark(["console"], "", place, settings)
    assert.match(printed.stdout, LINK)
    const unknown = await earmark(["console", "--account", "acct_none"], "", place, settings)
    assert.match(unknown.stderr, /\[account_not_found\]/)
    const nowhere = { ...settings, EARMARK_DATA_DIR: join(place, "nothing") }
    // It answers, but its store is not here: the transcripts of this machine would be no answer.
    for (const args of [[], ["--account", "acct_none"]]) {
      const elsewhere = await earmark(["console", ...args], "", place, nowhere)
      assert.strictEqual(elsewhere.code, 1)
      assert.match(
        elsewhere.stderr,
        /The server at http\S+ keeps its data elsewhere, not in \S+nothing, .* set EARMARK_DATA_DIR\. --local shows/,
      )
    }
    const silent = { ...nowhere, EARMARK_PORT: String(await freePort()) }
    const none = await earmark(["console", "--account", "acct_none"], "", place, silent)
    assert.strictEqual(none.code, 1)
    assert.match(none.stderr, /There is no store in .*\[store_missing\]/)
  })
})
