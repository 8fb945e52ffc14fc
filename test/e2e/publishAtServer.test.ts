/** Publishing at a server by the real command. */
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EarmarkClient } from "@earmark/api/client"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Host, startHost } from "../../packages/http/test/agents/world.js"
import { earmark } from "./earmark.js"

const FEED = "https://a.example/feed?seconds=20"

let host: Host
let client: EarmarkClient
let apiKey: string
const folder = mkdtempSync(join(tmpdir(), "earmark-publish-"))

beforeAll(async () => {
  host = await startHost({ product: {} })
  apiKey = (await host.newKey()).key
  client = new EarmarkClient({ baseUrl: host.base, apiKey })
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await host.stop()
})

/** Runs the command, and throws what it says where it fails. */
const run = async (...words: ReadonlyArray<string>): Promise<void> => {
  const environment = {
    SERVICE_API_KEY: apiKey,
    EARMARK_BASE_URL: host.base,
    EARMARK_EGRESS_ALLOW: "127.0.0.0/8",
    XDG_STATE_HOME: folder,
    XDG_CONFIG_HOME: folder,
  }
  const { code, stderr } = await earmark(["publish", ...words], "", folder, environment)
  if (code !== 0) throw new Error(stderr)
}

const transcribe = async (episode_index: number) => {
  const { id } = await client.transcriptions.create({ url: FEED, episode_index })
  const job = await client.waitFor(id)
  assert.strictEqual(job.status, "done")
  return job
}

describe("earmark publish at a server", () => {
  it("publishes the episodes of a feed and writes it with their tags, the same when run again", async () => {
    const [newest, second] = [await transcribe(0), await transcribe(1)]
    await transcribe(2)
    const guids = [newest, second].map(({ source }) => source.episode_guid)
    const path = join(folder, "feed.xml")
    const items = [...guids, "another"].map((guid) => `    <item>\n      <guid>${guid}</guid>\n    </item>\n`)
    writeFileSync(path, `<rss version="2.0">\n  <channel>\n${items.join("")}  </channel>\n</rss>\n`)
    const out = join(folder, "tagged.xml")
    await run("--feed", path, "-o", out)
    const text = readFileSync(out, "utf8")
    for (const job of [newest, second]) {
      const publication = await client.transcriptions.publication(job.id)
      for (const tag of publication.tags.transcripts) assert.include(text, tag)
      assert.strictEqual(
        (await fetch(publication.files[0]?.url.replace(/^.*?(?=\/p\/)/, host.base) ?? "")).status,
        200,
      )
    }
    assert.lengthOf([...text.matchAll(/<podcast:transcript /g)], 8)
    const again = join(folder, "again.xml")
    await run("--feed", out, "-o", again)
    assert.strictEqual(readFileSync(again, "utf8"), text)
    // From its address the same feed comes.
    const web = createServer((_, answer) => answer.end(readFileSync(path))).listen(0, "127.0.0.1")
    await once(web, "listening")
    const { port } = web.address() as AddressInfo
    const fetched = join(folder, "fetched.xml")
    await run("--feed", `http://127.0.0.1:${port}/feed.xml`, "-o", fetched)
    assert.strictEqual(readFileSync(fetched, "utf8"), text)
    web.close()
    // Only what the feed has is published.
    const { data } = await client.transcriptions.list({ limit: 100 })
    const states = await Promise.all(
      data.map(({ id }) =>
        client.transcriptions.publication(id).then(
          () => true,
          () => false,
        ),
      ),
    )
    assert.lengthOf(states.filter(Boolean), 2)
  })

  it("takes back what is named, and its tags with the next run", async () => {
    const job = await transcribe(2)
    const path = join(folder, "one.xml")
    writeFileSync(path, `<rss><channel><item><guid>${job.source.episode_guid}</guid></item></channel></rss>`)
    await run("--feed", path, "-o", path)
    assert.include(readFileSync(path, "utf8"), "<podcast:transcript ")
    await run("--take-back", job.id)
    const gone = await client.transcriptions.publication(job.id).then(
      () => "there",
      (error) => error.code,
    )
    assert.strictEqual(gone, "not_found")
  })

  it("writes a site of what is there", async () => {
    const job = await transcribe(0)
    const out = join(folder, "site")
    await run("--out", out, "--base-url", "https://example.org/words", "--title", "Words")
    // Of several transcripts of an episode the newest.
    assert.lengthOf(JSON.parse(readFileSync(join(out, "search/episodes.json"), "utf8")), 3)
    const page = readFileSync(join(out, `t/${job.id}/transcript.html`), "utf8")
    assert.include(page, "<title>")
    assert.include(page, "<audio ")
    assert.include(
      readFileSync(join(out, "feed.xml"), "utf8"),
      `https://example.org/words/t/${job.id}/transcript.vtt`,
    )
  })

  it("says what is missing or wrong", async () => {
    const refused = async (...words: ReadonlyArray<string>) =>
      run(...words).then(
        () => "done",
        (error: unknown) => String(error),
      )
    assert.match(await refused(), /needs ids, --feed FILE or --out DIR/)
    assert.match(await refused("--out", folder, "--take-back"), /--take-back is for a server/)
    assert.match(
      await refused("--out", folder, "--base-url", "example.org"),
      /"example.org" is no address of a site/,
    )
    assert.match(await refused("--out", folder, "--feed", "feed.xml"), /needs --base-url/)
    assert.match(await refused("--feed", "https://a.example/feed.xml"), /feed\.xml: /)
    assert.match(await refused("--feed", join(folder, "none.xml")), /there is no such file/)
    assert.match(await refused("tr_01m83gwrmavgqe7b96pvksfad0"), /not_found/)
  })
})
