import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { startEarmark } from "../servers/earmarkServer.js"
import { freePort } from "../servers/processes.js"
import { besideService, recording } from "./besideService.js"
import { earmark, root } from "./earmark.js"

describe("feeds and links with a service", () => {
  const { server, folder, run, told } = besideService({ profile: "here" })

  it("does not plan with a server that cannot be reached", async () => {
    const gone = `http://127.0.0.1:${await freePort()}`
    const plan = await run(["transcribe", recording, recording, "--dry-run", "--server", gone], "", {
      SERVICE_API_KEY: server().key,
    })
    assert.strictEqual(plan.code, 1)
    assert.match(plan.stderr, new RegExp(`The connection to ${gone} failed.*\\[connection_failed\\]`))
    assert.notInclude(plan.stdout + plan.stderr, "to do")
  })

  it("lists the episodes of a feed as the service sees it, or here", async () => {
    const feed = createServer((_, response) =>
      response.end(readFileSync(`${root}examples/quickstart/show.xml`)),
    )
    await new Promise<void>((resolve) => feed.listen(0, "127.0.0.1", resolve))
    const address = feed.address()
    const url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/show.xml`
    const table = (await earmark(["feed", `${root}examples/quickstart/show.xml`])).stdout
    assert.strictEqual(await told(["feed", url]), table)
    assert.strictEqual(await told(["feed", url, "--profile", "here"]), table)
    const details = await run(["feed", url, "--details"])
    assert.deepStrictEqual([details.code, details.stdout], [2, ""])
    assert.include(details.stderr, "Add --local")
    const here = await run(["feed", url, "--details", "--local"], "", { EARMARK_EGRESS_ALLOW: "127.0.0.1" })
    assert.include(here.stdout, "enclosure: ")
    const plan = await told(["transcribe", url, "--all", "--dry-run"])
    assert.include(plan, "Marks & Margins/2026-11-17 Live from the library.txt")
    feed.closeAllConnections()
    feed.close()
  })

  it("says of links what a run of this machine says: feed, guid, media address, title", async () => {
    const site = createServer((request, response) => {
      const home = `http://${request.headers.host}`
      if (request.url === "/museum.ogg") return response.end(readFileSync(recording))
      if (request.url === "/gone.ogg") return response.writeHead(404).end()
      response.setHeader("content-type", "application/rss+xml")
      return response.end(
        `<rss version="2.0"><channel><title>Rooms</title><item><title>The museum</title><guid>room-1</guid><enclosure url="${home}/museum.ogg" type="audio/ogg" length="1"/></item><item><title>The garden</title><guid>room-0</guid><enclosure url="${home}/gone.ogg" type="audio/ogg" length="1"/></item></channel></rss>`,
      )
    })
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve))
    const address = site.address()
    const home = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
    const allowed = { EARMARK_EGRESS_ALLOW: "127.0.0.1" }
    const identityOf = async (...args: ReadonlyArray<string>) => {
      const { code, stdout, stderr } = await run(["transcribe", ...args, "--json"], "", allowed)
      assert.strictEqual(code, 0, stderr)
      const { title, path, feed, guid, index, media_url } = JSON.parse(stdout)
      return { title, path, feed, guid, index, media_url }
    }
    for (const args of [
      [`${home}/rooms.xml`, "--episode", "0"],
      [`${home}/rooms.xml`, "--latest", "1"],
      [`${home}/museum.ogg`],
    ]) {
      const planned = await identityOf(...args, "-o", "served/", "--dry-run")
      const served = await identityOf(...args, "-o", "served/")
      assert.deepStrictEqual(planned, served, args.join(" "))
      assert.deepStrictEqual(served, await identityOf(...args, "-o", "here/", "--local"), args.join(" "))
      assert.strictEqual(served.media_url, `${home}/museum.ogg`)
    }
    for (const where of [[], ["--local"]]) {
      const gone = await run(["transcribe", `${home}/rooms.xml`, "--match", "garden", ...where], "", allowed)
      assert.strictEqual(gone.code, 1)
      assert.match(gone.stderr, new RegExp(`The garden: .*${home}/gone\\.ogg: .* 404`))
    }
    const plan = async (source: string, ...where: ReadonlyArray<string>) => {
      const args = ["transcribe", source, "--dry-run", "--json", "-o", "planned/", ...where]
      const { duration_seconds, minutes } = JSON.parse((await run(args, "", allowed)).stdout)
      return [Math.round(duration_seconds), minutes]
    }
    for (const planned of [
      await plan(recording, "--local"),
      await plan(recording),
      await plan(`${home}/museum.ogg`),
    ])
      assert.deepStrictEqual(planned, [37, 1])
    const again = await run(
      ["transcribe", `${home}/museum.ogg`, "--dry-run", "--json", "-o", "planned/"],
      "",
      allowed,
    )
    const { origin, credits } = JSON.parse(again.stdout)
    assert.deepStrictEqual([origin, credits], ["cache", 0])
    site.closeAllConnections()
    site.close()
  })

  it("names speakers and cuts lines as it is told to, with the text of a server", async () => {
    const site = createServer((request, response) => {
      const home = `http://${request.headers.host}`
      if (request.url === "/talk.vtt") {
        response.setHeader("content-type", "text/vtt")
        return response.end(
          "WEBVTT\n\n00:00.000 --> 00:06.000\n<v Guest>We walked along the river for most of the long afternoon.\n",
        )
      }
      response.setHeader("content-type", "application/rss+xml")
      return response.end(
        `<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Rooms</title><item><title>The river</title><guid>room-2</guid><enclosure url="${home}/river.ogg" type="audio/ogg" length="1"/><podcast:transcript url="${home}/talk.vtt" type="text/vtt"/></item></channel></rss>`,
      )
    })
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve))
    const address = site.address()
    const feed = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/rooms.xml`
    const layout = ["--max-chars", "24", "--cues", "podcast", "--speakers", "Guest=Ann"]
    const free = await startEarmark({ EARMARK_BILLING: "off" })
    const there = ["--server", free.baseUrl]
    const known = { SERVICE_API_KEY: free.key, EARMARK_EGRESS_ALLOW: "127.0.0.1" }
    const { code, stderr } = await run(
      ["transcribe", feed, ...there, ...layout, "-o", "named.srt"],
      "",
      known,
    )
    for (const where of [there, ["--local"]]) {
      if (where !== there) await run(["transcribe", feed, ...where, ...layout, "-o", "here.srt"], "", known)
      const list = await run(["jobs", "list", ...where, "--json", "--limit", "1"], "", known)
      const [{ id }] = JSON.parse(list.stdout).data
      const renamed = await run(["jobs", "name", id, "Ann=Bob", ...where], "", known)
      assert.strictEqual(renamed.code, 0, renamed.stderr)
      assert.include((await run(["export", id, ...where], "", known)).stdout, "Bob: ")
    }
    assert.match(readFileSync(join(folder(), "here.srt"), "utf8"), /^Bob: /m)
    for (const args of [["credits", "show"], ["usage"]]) {
      const shown = await run([...args, ...there], "", known)
      assert.include(shown.stderr, "This server has billing turned off")
    }
    await free.stop()
    assert.strictEqual(code, 0, stderr)
    const srt = readFileSync(join(folder(), "named.srt"), "utf8")
    const lines = srt.split("\n").filter((line) => /[a-z]/i.test(line))
    assert.isAbove(lines.length, 2, srt)
    assert.isTrue(
      lines.every((line) => line.length <= 24),
      srt,
    )
    assert.match(srt, /^Ann: /m, stderr)
    assert.notInclude(srt, "Guest")
    site.closeAllConnections()
    site.close()
  })
})
