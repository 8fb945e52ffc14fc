/** Many exports as one archive, read by programs of others. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EarmarkClient } from "@earmark/api/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "./agents/world.js"

let host: Host
let folder: string
let client: EarmarkClient
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "earmark-archive-"))
  host = await startHost({ product: {}, billing: false })
  key = (await host.newKey()).key
  client = new EarmarkClient({ baseUrl: host.base, apiKey: key })
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await host.stop()
})

const finish = async (title: string | null) => {
  const { id } = await client.transcriptions.create({ url: "https://media.example/talk.mp3" })
  await client.waitFor(id)
  await client.transcriptions.update(id, { title })
  return id
}

const READ = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps({name: archive.read(name).decode() for name in archive.namelist()}))
`

/** The files of an archive, after python and unzip have found nothing wrong with it. */
const filesIn = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const path = join(folder, "transcripts.zip")
  writeFileSync(path, bytes)
  const read = spawnSync("python3", ["-c", READ, path], { encoding: "utf8" })
  assert.strictEqual(read.status, 0, read.stderr)
  const tested = spawnSync("unzip", ["-tq", path], { encoding: "utf8" })
  if (tested.error === undefined) assert.strictEqual(tested.status, 0, tested.stdout)
  assert.strictEqual(readFileSync(path).length, bytes.length)
  const files: Record<string, string> = JSON.parse(read.stdout)
  return new Map(Object.entries(files))
}

const ask = (query: string) =>
  fetch(`${host.base}/api/v1/exports.zip?${query}`, { headers: { Authorization: `Bearer ${key}` } })

describe("an archive of exports", () => {
  it("has each transcript as its export has it, under a safe name of its own", async () => {
    const titles = ["Bread", "bread", "../../etc/passwd", "con", "Brötchen 例", null, "problems"]
    const ids: Array<string> = []
    for (const title of titles) ids.push(await finish(title))
    const [silent = "", ...others] = ids.slice(5)
    const files = filesIn(
      await client.transcriptions.exportAll({ ids: ids.join(","), format: "txt" }).bytes(),
    )
    assert.deepStrictEqual([...files.keys()].slice(0, 5), [
      "bread.txt",
      "bread-2.txt",
      "etc-passwd.txt",
      "con-2.txt",
      "brötchen-例.txt",
    ])
    assert.strictEqual(others.length, 1)
    assert.deepStrictEqual([...files.keys()].slice(6), ["problems-2.txt"])
    for (const [at, text] of [...files.values()].entries())
      assert.strictEqual(text, await client.transcriptions.export(ids[at] ?? "", { format: "txt" }).text())
    assert.isAbove(silent.length, 0)
    const docx = await client.transcriptions.exportAll({ ids: silent, format: "docx" })
    assert.strictEqual(docx.filename, "transcripts.zip")
    assert.strictEqual(docx.contentType, "application/zip")
  })

  it("tells in problems.txt what could not be exported", async () => {
    const [done, stranger] = [await finish("Done"), await host.newKey()]
    const other = new EarmarkClient({ baseUrl: host.base, apiKey: stranger.key })
    const { id: foreign } = await other.transcriptions.create({ url: "https://media.example/1.mp3" })
    const ids = [done, foreign, "nothing", done].join(",")
    const files = filesIn(await client.transcriptions.exportAll({ ids, format: "srt" }).bytes())
    assert.deepStrictEqual([...files.keys()], ["done.srt", "problems.txt"])
    const nothing = "There is nothing with this id."
    assert.strictEqual(files.get("problems.txt"), `${foreign}: ${nothing}\nnothing: ${nothing}\n`)
  })

  it("refuses what names nothing, both, too many, or a batch that is not there", async () => {
    const many = Array.from({ length: 401 }, (_, at) => `tr_${at}`).join(",")
    for (const [query, status] of [
      ["format=srt", 400],
      ["format=srt&ids=,", 400],
      ["format=srt&ids=a&batch_id=b", 400],
      ["ids=a", 400],
      [`format=srt&ids=${many}`, 400],
      ["format=srt&batch_id=nothing", 404],
    ] as const) {
      const answer = await ask(query)
      assert.strictEqual(answer.status, status, query.slice(0, 60))
      await answer.body?.cancel()
    }
  })

  it("has every transcript of a batch", async () => {
    const { batch_id } = await client.podcasts.transcribe({
      feed: "https://media.example/feed.xml?episodes=3",
      episodes: "all",
    })
    for (;;) {
      const { queued, total } = await client.podcasts.batch(batch_id)
      assert.isAtLeast(total, 2)
      if (queued === 0) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const files = filesIn(await client.transcriptions.exportAll({ batch_id, format: "srt" }).bytes())
    const { data } = await client.transcriptions.list({ batch_id, limit: 100 })
    assert.strictEqual(files.size, data.length)
  })
})
