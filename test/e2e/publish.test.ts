/** The real command: a feed and a server, and a site of it that a browser could load. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { startHost } from "../../packages/http/test/agents/world.js"
import { earmark } from "./earmark.js"

const folder = mkdtempSync(join(tmpdir(), "earmark-publish-e2e-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("earmark publish", () => {
  it("a podcaster puts the transcripts back into the feed with one command", async () => {
    const host = await startHost({ product: {} })
    try {
      const { key } = await host.newKey()
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
      const body = JSON.stringify({ url: "https://a.example/feed?seconds=20", episode_index: 0 })
      const made = await fetch(`${host.base}/api/v1/transcriptions`, { method: "POST", headers, body })
      const { id } = JSON.parse(await made.text())
      const read = await fetch(`${host.base}/api/v1/transcriptions/${id}?wait=30`, { headers })
      const { source } = JSON.parse(await read.text())
      const feed = `<rss version="2.0"><channel>\n<item><guid>${source.episode_guid}</guid></item>\n</channel></rss>\n`
      writeFileSync(join(folder, "feed.xml"), feed)
      const environment = { SERVICE_API_KEY: key, EARMARK_BASE_URL: host.base, XDG_STATE_HOME: folder }
      const tagged = await earmark(["publish", "--feed", "feed.xml"], "", folder, environment)
      assert.strictEqual(tagged.code, 0, tagged.stderr)
      assert.lengthOf([...tagged.stdout.matchAll(/<podcast:transcript /g)], 4)
      const site = await earmark(["publish", "--out", "site", "--json"], "", folder, environment)
      assert.strictEqual(site.code, 0, site.stderr)
      assert.deepInclude(JSON.parse(site.stdout), { out: "site", episodes: 1, removed: 0 })
      assert.include(readFileSync(join(folder, "site/index.html"), "utf8"), `t/${id}/transcript.html`)

      // Private recordings do not get into the site of a podcast.
      const other = JSON.stringify({ url: "https://a.example/private.mp3?seconds=20" })
      const kept = await fetch(`${host.base}/api/v1/transcriptions`, { method: "POST", headers, body: other })
      const { id: own } = JSON.parse(await kept.text())
      await fetch(`${host.base}/api/v1/transcriptions/${own}?wait=30`, { headers })
      const where = ["--out", "show", "--base-url", "https://example.org/", "--json"]
      const show = await earmark(["publish", ...where, "--feed", "feed.xml"], "", folder, environment)
      assert.strictEqual(show.code, 0, show.stderr)
      assert.deepInclude(JSON.parse(show.stdout), { episodes: 1 })
      const all = await earmark(["publish", ...where], "", folder, environment)
      assert.deepInclude(JSON.parse(all.stdout), { episodes: 2 })

      const nowhere = await earmark(["publish", "--out", "/proc/site"], "", folder, environment)
      assert.strictEqual(nowhere.code, 1)
      assert.match(nowhere.stderr, /^earmark: [^\n]*\/proc\/site/m)

      // A wrong feed takes no page away, and leaves nothing behind.
      const item = "<item><guid>of another show</guid></item>"
      writeFileSync(join(folder, "other.xml"), `<rss><channel>${item}</channel></rss>`)
      writeFileSync(join(folder, "page.xml"), "<html>no</html>")
      for (const [out, given, because] of [
        ["show", "other.xml", "No episode of other.xml has a transcript here"],
        ["new", "page.xml", "page.xml has no episodes"],
      ] as const) {
        const arguments_ = ["publish", "--out", out, "--base-url", "https://example.org/", "--feed", given]
        const refused = await earmark(arguments_, "", folder, environment)
        assert.strictEqual(refused.code, 1)
        assert.include(refused.stderr, because)
      }
      assert.isTrue(existsSync(join(folder, `show/t/${id}/transcript.html`)))
      assert.isFalse(existsSync(join(folder, "new")))
      const asked = ["publish", "--out", "new", "--base-url", "https://example.org/a?b=c"]
      const base = await earmark(asked, "", folder, environment)
      assert.strictEqual(base.code, 2)
      assert.include(base.stderr, "is no address of a site")
    } finally {
      await host.stop()
    }
  }, 120_000)
})
