import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { earmark, root } from "./earmark.js"

const show = "examples/quickstart/show.xml"

describe("earmark feed", () => {
  it("lists the episodes of a file, newest first, without the text posts", async () => {
    const { code, stdout, stderr } = await earmark(["feed", show])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.deepStrictEqual(stdout.trimEnd().split("\n"), [
      "Marks & Margins: 3 episodes",
      "episode  day          length  title",
      "      0  2026-11-17  1:02:30  Live from the library",
      "      1  2026-11-10    41:07  The dog-eared page",
      "      2  2026-11-03    38:08  Ink, paper & other habits",
    ])
  })

  it("lists the feeds of an OPML file, each once, with its category", async () => {
    const folder = mkdtempSync(join(tmpdir(), "opml-e2e-"))
    const file = join(folder, "Shows.OPML")
    writeFileSync(
      file,
      `<opml><head><title>My \u001b[31mshows</title></head><body><outline text="Science"><outline text="A &amp; B" xmlURL="https://a.example/"/></outline>
        <outline xmlUrl="https://b.example/"/><outline xmlUrl="https://a.example/"/></body></opml>`,
    )
    const listed = await earmark(["feed", file])
    const asJson = await earmark(["feed", file, "--json"])
    const choosing = await earmark(["feed", file, "--match", "a"])
    writeFileSync(file, "<rss/>")
    const other = await earmark(["feed", file])
    rmSync(folder, { recursive: true })
    assert.deepStrictEqual(
      [listed.code, listed.stdout.split("\n")],
      [
        0,
        [
          "My  [31mshows: 2 feeds",
          "title  category  address",
          "A & B  Science   https://a.example/",
          "-      -         https://b.example/",
          "",
        ],
      ],
    )
    assert.deepStrictEqual(JSON.parse(asJson.stdout).data, [
      { title: "A & B", url: "https://a.example/", category: "Science" },
      { title: null, url: "https://b.example/", category: null },
    ])
    assert.deepStrictEqual([choosing.code, other.code], [2, 1])
    assert.match(
      choosing.stderr,
      /are about episodes, and [^\n]+ lists feeds\. Name one of the feeds instead\.\n$/,
    )
    assert.match(other.stderr, /^earmark: Cannot read the feeds in [^\n]+: This is XML, but not OPML\./)
  })

  it("answers the episode list of the interface as JSON", async () => {
    const { code, stdout } = await earmark(["feed", show, "--limit", "2", "--json"])
    assert.strictEqual(code, 0)
    const answer = JSON.parse(stdout)
    assert.deepStrictEqual([answer.total, answer.returned, answer.data.length], [3, 2, 2])
    assert.deepStrictEqual(answer.feed, {
      title: "Marks & Margins",
      link: "https://marks.example/",
      language: "en",
      image: "https://marks.example/cover.jpg",
      author: "Ann and Ben",
    })
    assert.deepStrictEqual(answer.data[1], {
      index: 1,
      title: "The dog-eared page",
      guid: "marks-4",
      published_at: "2026-11-10T06:00:00.000Z",
      duration_seconds: 2467,
      audio_url: "https://cdn.marks.example/4.mp3",
      link: "https://marks.example/4",
      image: null,
      transcripts: [{ url: "https://marks.example/4.vtt", type: "text/vtt", language: "en", rel: null }],
    })
  })

  it("reads standard input", async () => {
    const piped = await earmark(["feed", "-", "--json"], readFileSync(`${root}${show}`))
    const named = await earmark(["feed", show, "--json"])
    assert.strictEqual(piped.stdout, named.stdout)
  })

  it("lists the episodes that fit, of all that there are", async () => {
    const some = async (...args: ReadonlyArray<string>) => {
      const { stdout } = await earmark(["feed", show, "--json", "--limit", "1", ...args])
      const { total, returned, data } = JSON.parse(stdout)
      return { total, returned, titles: data.map(({ title }: { title: string }) => title) }
    }
    const [newest, oldest] = [
      await some(),
      JSON.parse((await earmark(["feed", show, "--json"])).stdout).data.at(-1),
    ]
    assert.deepStrictEqual(await some("--match", oldest.title.toUpperCase()), {
      ...newest,
      titles: [oldest.title],
    })
    assert.deepStrictEqual((await some("--since", "2999-01-01")).titles, [])
    assert.match(
      (await earmark(["feed", show, "--match", oldest.title])).stdout,
      /: 3 episodes, 1 that fit\n/,
    )
    assert.match((await earmark(["feed", show, "--since", "soon"])).stderr, /^earmark: --since needs a day/)
  })

  it("tells everything with --details", async () => {
    const { stdout } = await earmark(["feed", show, "--details", "--json", "--limit", "1"])
    const [episode] = JSON.parse(stdout).data
    assert.deepStrictEqual(episode.enclosure, {
      url: "https://cdn.marks.example/5.mp3",
      type: "audio/mpeg",
      length: 60001234,
    })
  })

  it("never lets a title write to the terminal", async () => {
    const hostile = `<rss><channel><item><title>&#27;[2Jgone&#10;1\u202egpj.exe\u2066</title><enclosure url="https://a.example/a.mp3"/></item></channel></rss>`
    const { stdout } = await earmark(["feed", "-"], hostile)
    assert.notMatch(stdout, /[\u001b\u202e\u2066]/)
    assert.strictEqual(stdout.trimEnd().split("\n").length, 3)
  })

  const broken: ReadonlyArray<readonly [string, ReadonlyArray<string>, string, RegExp]> = [
    [
      "a file that is not there",
      ["feed", "nowhere.xml"],
      "",
      /Could not read nowhere\.xml: there is no such file/,
    ],
    ["a folder", ["feed", "examples"], "", /it is a folder/],
    ["an empty input", ["feed", "-"], "", /nothing|empty/i],
    ["a web page", ["feed", "-"], "<!doctype html><html><body>hello</body></html>", /web page/],
    ["bytes of anything", ["feed", "-"], "\u0000\u0001\u0002 rubbish", /neither RSS/],
  ]
  for (const [what, args, input, reason] of broken) {
    it(`refuses ${what} in one sentence, exit code 1`, async () => {
      const { code, stdout, stderr } = await earmark(args, input)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^earmark: [^\n]+\n$/)
      assert.match(stderr, reason)
    })
  }

  it("lists every complete episode of a feed that was cut off", async () => {
    const whole = readFileSync(`${root}${show}`, "utf8")
    const cut = whole.slice(0, whole.indexOf("marks-3"))
    const { code, stdout, stderr } = await earmark(["feed", "-", "--json"], cut)
    assert.deepStrictEqual([code, JSON.parse(stdout).total], [0, 2])
    assert.match(stderr, /^<standard input>: the feed is cut off before its end; [^\n]+\n$/)
  })
})

describe("earmark feed, at an address", () => {
  const paged = (from: number, next: string) =>
    `<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Paged</title>${next}${[from, from + 1]
      .map(
        (day) =>
          `<item><title>Day ${day}</title><guid>g${day}</guid><pubDate>${day} Nov 2026 06:00:00 GMT</pubDate><enclosure url="/${day}.mp3" type="audio/mpeg"/></item>`,
      )
      .join("")}</channel></rss>`

  const pages: Record<string, readonly [type: string, body: string | Buffer]> = {
    "/show.xml": ["application/rss+xml", readFileSync(`${root}${show}`, "utf8")],
    "/page": ["text/html", '<html><head><link rel="alternate" type="application/rss+xml" href="/show.xml">'],
    "/text": ["text/plain", "neither"],
    "/new": ["text/xml", paged(3, '<atom:link rel="next" href="/old"/>')],
    "/old": ["text/xml", paged(1, "")],
    "/broken": ["text/xml", paged(3, '<atom:link rel="next" href="/gone"/>')],
  }

  const asked: Array<string> = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ""}`.trimEnd())
    const [type, body] = pages[request.url ?? ""] ?? ["text/plain", ""]
    response.writeHead(body === "" ? 404 : 200, { "content-type": type }).end(body)
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const host = () => {
    const address = server.address()
    return `127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`
  }
  const at = (path: string, ...args: ReadonlyArray<string>) =>
    earmark(["feed", `http://${host()}${path}`, ...args], "", root, { EARMARK_EGRESS_ALLOW: "127.0.0.0/8" })

  it("tells the same as of the file, in one request", async () => {
    asked.length = 0
    for (const options of [[], ["--json"], ["--details", "--limit", "1"], ["--details", "--json"]]) {
      const { code, stdout, stderr } = await at("/show.xml", ...options)
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.strictEqual(stdout, (await earmark(["feed", show, ...options])).stdout)
    }
    assert.deepStrictEqual(asked, Array(4).fill("/show.xml"))
  })

  it("finds the feed that a page names", async () => {
    const { stdout } = await at("/page")
    assert.match(stdout, /^Marks & Margins: 3 episodes\n/)
    assert.strictEqual(stdout, (await earmark(["feed", show])).stdout)
  })

  it("takes a login from the address, and never shows it", async () => {
    asked.length = 0
    const run = (path: string) =>
      earmark(["feed", `http://ann:secret@${host()}${path}`], "", root, { EARMARK_EGRESS_ALLOW: "127.0.0.1" })
    assert.strictEqual((await run("/show.xml")).code, 0)
    assert.deepStrictEqual(asked, [`/show.xml Basic ${btoa("ann:secret")}`])
    const { stderr } = await run("/gone.xml")
    assert.include(stderr, `earmark: http://${host()}/gone.xml: `)
    assert.notInclude(stderr, "secret")
  })

  it("goes on with older pages as far as they are wanted", async () => {
    const all = await at("/new")
    assert.deepStrictEqual(all.stdout.match(/Day \d/g), ["Day 4", "Day 3", "Day 2", "Day 1"])
    assert.match(all.stdout, /^Paged: 4 episodes\nepisode {2}.*\n {6}0 {2}/)
    asked.length = 0
    assert.match((await at("/new", "--limit", "2")).stdout, /Day 4\n[\s\S]*Day 3/)
    assert.deepStrictEqual(asked, ["/new"])
    const broken = await at("/broken")
    assert.deepStrictEqual(broken.stdout.match(/Day \d/g), ["Day 4", "Day 3"])
    assert.match(broken.stderr, /\/broken: a part of the feed could not be had/)
  })

  it("goes to where the feed has moved to, once, and stays where there is nothing", async () => {
    const moved = (to: string) =>
      `<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><itunes:new-feed-url>http://${host()}${to}</itunes:new-feed-url>${paged(1, "").slice(paged(1, "").indexOf("<title>"))}`
    pages["/moved"] = ["text/xml", moved("/show.xml")]
    pages["/redirect"] = [
      "text/xml",
      `<redirect><newLocation>http://${host()}/show.xml</newLocation></redirect>`,
    ]
    pages["/round"] = ["text/xml", moved("/moved")]
    pages["/lost"] = ["text/xml", moved("/gone")]
    pages["/away"] = ["text/xml", moved("/text")]
    for (const path of ["/moved", "/redirect"]) {
      asked.length = 0
      const { code, stdout } = await at(path)
      assert.strictEqual(code, 0)
      assert.match(stdout, /^Marks & Margins: 3 episodes\n/)
      assert.deepStrictEqual(asked, [path, "/show.xml"])
    }
    for (const path of ["/round", "/lost", "/away"]) {
      assert.deepStrictEqual((await at(path)).stdout.match(/Day \d/g), ["Day 2", "Day 1"])
    }
    pages["/inside"] = ["text/xml", moved("/").replace(host(), "10.0.0.1")]
    assert.match((await at("/inside")).stderr, /The address is private/)
  })

  it("reads a feed that is packed and does not say so", async () => {
    const packed = gzipSync(readFileSync(`${root}${show}`))
    const folder = mkdtempSync(join(tmpdir(), "earmark-"))
    const file = join(folder, "show.xml")
    const whole = (await earmark(["feed", show])).stdout
    writeFileSync(file, packed)
    assert.strictEqual((await earmark(["feed", file])).stdout, whole)
    writeFileSync(file, packed.subarray(0, packed.length - 9))
    assert.match((await earmark(["feed", file])).stdout, /^Marks & Margins: \d episodes?\n/)
    writeFileSync(file, Buffer.concat([packed.subarray(0, 20), Buffer.alloc(90, 0xff)]))
    const broken = await earmark(["feed", file])
    assert.deepStrictEqual([broken.code, broken.stdout], [1, ""])
    assert.match(broken.stderr, /show\.xml: This is neither RSS/)
    rmSync(folder, { recursive: true })
    pages["/packed"] = ["text/xml", packed]
    assert.strictEqual((await at("/packed")).stdout, whole)
  })

  const refused: ReadonlyArray<readonly [path: string, reason: RegExp]> = [
    ["/gone.xml", /answered 404: there is nothing at this address/],
    ["/text", /not a podcast feed\. Give the address of the RSS feed/],
  ]
  for (const [path, reason] of refused) {
    it(`names the address of what is no feed: ${path}`, async () => {
      asked.length = 0
      const { code, stdout, stderr } = await at(path)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^earmark: [^\n]+\n$/)
      if (path === "/gone.xml") assert.deepStrictEqual(asked, [path])
      assert.include(stderr, `http://${host()}${path}: `)
      assert.match(stderr, reason)
    })
  }

  it("does not go where only this machine can", async () => {
    asked.length = 0
    const { port } = new URL(`http://${host()}`)
    for (const address of [`http://${host()}/show.xml`, `http://localhost:${port}/show.xml`]) {
      const { code, stderr } = await earmark(["feed", address])
      assert.strictEqual(code, 1)
      assert.match(stderr, /: The address is private, .*EARMARK_EGRESS_ALLOW=127\.0\.0\.0\/8 is this machine/)
    }
    const allow = { EARMARK_EGRESS_ALLOW: "127.0.0.0/8" }
    const opened = await earmark(["feed", `http://localhost:${port}/show.xml`], "", root, allow)
    assert.match(opened.stdout, /^Marks & Margins: 3 episodes\n/)
    const { stderr } = await earmark(["feed", "https://feeds.example.com:22/show.xml"])
    assert.match(stderr, /: Links may use the ports 80, 443 and those from 1024 on; give one that does\.\n$/)
    asked.length = 0
    assert.deepStrictEqual(asked, [])
  })
})
