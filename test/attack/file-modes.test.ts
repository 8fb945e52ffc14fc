/** Whether another user of the machine can read what Earmark keeps. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { earmark, root } from "../e2e/earmark.js"
import { startEarmark } from "../servers/earmarkServer.js"

const place = mkdtempSync(join(tmpdir(), "earmark-modes-"))
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** What is open to others below a folder, by its path and mode. */
const openIn = (folder: string): ReadonlyArray<string> =>
  ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].flatMap((name) => {
    const found = lstatSync(join(folder, name))
    const isOpen = !found.isSymbolicLink() && (found.mode & 0o077) !== 0
    return isOpen ? [`${name} ${(found.mode & 0o777).toString(8)}`] : []
  })

/** The processes that are started inherit it. */
const withUmask = async <A>(umask: number, work: () => Promise<A>): Promise<A> => {
  const before = process.umask(umask)
  try {
    return await work()
  } finally {
    process.umask(before)
  }
}

const uploadOne = async (baseUrl: string, key: string) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const body = JSON.stringify({ filename: "a.wav", content_type: "audio/wav", bytes: 4 })
  const made = await fetch(`${baseUrl}/api/v1/uploads`, { method: "POST", headers, body })
  const answer = await made.text()
  assert.isTrue(made.ok, answer)
  const { upload_url } = JSON.parse(answer)
  const put = await fetch(upload_url, {
    method: "PUT",
    headers: { "content-type": "audio/wav" },
    body: "RIFF",
  })
  assert.strictEqual(put.status, 200)
}

describe("what others can read", () => {
  it("nothing of a data folder that was there before, open to all, under umask 000", async () => {
    const folder = join(place, "served")
    mkdirSync(join(folder, "objects"), { recursive: true })
    chmodSync(folder, 0o755)
    chmodSync(join(folder, "objects"), 0o777)
    await withUmask(0, async () => {
      const server = await startEarmark({ EARMARK_DATA_DIR: folder })
      try {
        await uploadOne(server.baseUrl, server.key)
        assert.deepStrictEqual(openIn(folder), [])
      } finally {
        await server.stop()
      }
    })
    assert.deepStrictEqual(openIn(folder), [])
    // Opened later by somebody, as a restored backup would be.
    for (const name of ["", "secrets-key", "first-key", "postgres"]) chmodSync(join(folder, name), 0o777)
    const listed = await earmark(["accounts", "list"], "", root, { EARMARK_DATA_DIR: folder })
    assert.strictEqual(listed.code, 0, listed.stderr)
    assert.deepStrictEqual(openIn(folder), [])
  })

  it("nothing of a store that a migration has made", async () => {
    const folder = join(place, "migrated")
    await withUmask(0, async () => {
      const { code, stderr } = await earmark(["migrate"], "", root, { EARMARK_DATA_DIR: folder })
      assert.strictEqual(code, 0, stderr)
    })
    assert.deepStrictEqual(openIn(folder), [])
  })

  it("no key of a profile, though its folder and its file were open", async () => {
    const folder = join(place, "config", "earmark")
    mkdirSync(folder, { recursive: true })
    const profiles = { current: "a", profiles: { a: { url: "http://127.0.0.1:1", key: "em_live_x" } } }
    writeFileSync(join(folder, "config.json"), JSON.stringify(profiles))
    for (const name of ["", "config.json"]) chmodSync(join(folder, name), 0o755)
    const environment = { XDG_CONFIG_HOME: join(place, "config"), XDG_STATE_HOME: join(place, "state") }
    const { code, stderr } = await earmark(["config", "list"], "", root, environment)
    assert.strictEqual(code, 0, stderr)
    assert.deepStrictEqual(openIn(folder), [])
  })

  it("nothing of the library and what interrupted runs left, though their folder was open", async () => {
    const folder = join(place, "state", "earmark")
    mkdirSync(join(folder, "library"), { recursive: true })
    writeFileSync(join(folder, "library", "text"), "what was said")
    for (const name of ["", "library", "library/text"]) chmodSync(join(folder, name), 0o777)
    await earmark(["jobs", "list"], "", root, { XDG_STATE_HOME: join(place, "state") })
    assert.deepStrictEqual(openIn(folder), [])
  })
})
