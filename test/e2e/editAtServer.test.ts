/** Editing at a server by the real command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EarmarkClient } from "@earmark/api/client"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"
import { earmark } from "./earmark.js"

let host: Host
let apiKey: string
const folder = mkdtempSync(join(tmpdir(), "earmark-edit-"))

beforeAll(async () => {
  host = await startHost({ product: {} })
  apiKey = (await host.newKey()).key
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await host.stop()
})

const run = (...words: ReadonlyArray<string>) =>
  earmark(words, "", folder, {
    SERVICE_API_KEY: apiKey,
    EARMARK_BASE_URL: host.base,
    XDG_STATE_HOME: folder,
    XDG_CONFIG_HOME: folder,
    TMPDIR: folder,
    VISUAL: `'${process.execPath}' editor.mjs`,
  })

it("edits, lists, undoes and exports revisions of a server as of this machine", async () => {
  const client = new EarmarkClient({ baseUrl: host.base, apiKey })
  const { id } = await client.transcriptions.create({
    url: "https://a.example/feed?seconds=20",
    episode_index: 0,
  })
  const job = await client.waitFor(id)
  if (job.status !== "done") throw new Error(job.status)
  const { start = 0, text = "" } = job.segments[0] ?? {}
  writeFileSync(
    join(folder, "editor.mjs"),
    `import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
const path = process.argv.at(-1)
copyFileSync(path, "seen.txt")
const change = (line) => line.startsWith("[0") ? line.replace(/\\.\\d{3} - /, ".777 - ") + " xylophone" : line
let isFirst = true
const lines = readFileSync(path, "utf8").split("\\n").map((line) => {
  if (!isFirst || !line.startsWith("[0")) return line
  isFirst = false
  return change(line)
})
writeFileSync(path, lines.join("\\n"))`,
  )
  const edited = await run("edit", id, "--json")
  assert.strictEqual(edited.code, 0, edited.stderr)
  assert.deepInclude(JSON.parse(edited.stdout), { id, revision: 1, changed: 1 })
  const now = await client.transcriptions.get(id)
  if (now.status !== "done") throw new Error(now.status)
  assert.strictEqual(now.segments[0]?.text, `${text} xylophone`)
  assert.strictEqual(now.segments[0]?.start, Math.floor(start) + 0.777)
  assert.include((await run("export", id)).stdout, "xylophone")
  assert.notInclude((await run("export", id, "--revision", "0")).stdout, "xylophone")

  const seen = readFileSync(join(folder, "seen.txt"), "utf8")
  writeFileSync(join(folder, "late.txt"), seen.replace(text, "too late"))
  const late = await run("edit", id, "--draft", "late.txt")
  assert.deepStrictEqual([late.code, late.stdout], [1, ""])
  assert.include(late.stderr, "[revision_conflict]")

  assert.match((await run("edit", id, "--undo")).stderr, /Revision 1 is undone, revision 2\./)
  const { data } = JSON.parse((await run("edit", id, "--history", "--json")).stdout)
  assert.deepStrictEqual(
    data.map((each: { readonly revision: number; readonly undo: number | null }) => [
      each.revision,
      each.undo,
    ]),
    [
      [2, 1],
      [1, null],
    ],
  )
}, 120_000)
