/** Servers that never end their answers, and how long a person waits for what Earmark says of them. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { writeWav } from "@earmark/core/audio"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { earmark, root } from "../e2e/earmark.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"

/** The longest that a person waits, in milliseconds. */
const AT_MOST = 12_000
/** Half of the default, so that a busy machine has time to answer. */
const WAIT_SECONDS = 4

const item = (name: string, more = "") =>
  `<item><title>${name}</title><guid>${name}</guid><enclosure url="http://127.0.0.1:PORT/${name}.mp3" type="audio/mpeg" length="9"/>${more}</item>`

const rss = (body: string, head = "") =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Slow</title>${head}${body}</channel></rss>`

const CAPTIONED = rss(
  item("talk", '<podcast:transcript url="http://127.0.0.1:PORT/trickle.vtt" type="text/vtt"/>'),
)

const page = (number: number) =>
  rss(item(`p${number}`), `<atom:link rel="next" href="http://127.0.0.1:PORT/pages/${number + 1}"/>`)

/** Begins as what it should be, and goes on a byte a second for ever. */
const trickle = (response: ServerResponse, type: string, beginning: string) => {
  response.writeHead(200, { "content-type": type })
  response.write(beginning)
  const timer = setInterval(() => response.write(" "), 1000)
  response.on("close", () => clearInterval(timer))
}

const WAV_HEAD = writeWav(new Int16Array(2048))

let port = 0
let connections = 0

const answer = (request: IncomingMessage, response: ServerResponse) => {
  const path = new URL(request.url ?? "", "http://x").pathname
  const text = (body: string) => body.replaceAll("PORT", String(port))
  if (path === "/silent.xml") return
  if (path === "/trickle.xml") return trickle(response, "application/rss+xml", text(rss("").slice(0, -20)))
  if (path === "/trickle.vtt") return trickle(response, "text/vtt", "WEBVTT\n\n")
  if (path === "/captioned.xml") return response.end(text(CAPTIONED))
  if (path === "/stalls.wav") {
    // What is looked at first is there; what is asked for then never comes.
    const isFirst = request.headers.range === undefined
    if (isFirst) response.end(WAV_HEAD)
    return
  }
  if (path === "/endless.wav") {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.writeHead(200, { "content-type": "audio/wav" }).write(WAV_HEAD)
    response.on("drain", more)
    return more()
  }
  // Each step is quick enough by itself.
  const [, kind, number] = /^\/(pages|hops)\/(\d+)$/.exec(path) ?? []
  const next = Number(number) + 1
  if (kind === "pages") return setTimeout(() => response.end(text(page(Number(number)))), 3000)
  if (kind === "hops")
    return setTimeout(() => response.writeHead(302, { location: `/hops/${next}` }).end(), 3000)
  return response.writeHead(200, { "content-type": "audio/mpeg" }).end("ID3\u0004")
}

const endless = createServer(answer)
endless.on("connection", (socket) => {
  connections += 1
  socket.on("close", () => {
    connections -= 1
  })
})

describe("answers that never end", () => {
  let server: EarmarkServer

  beforeAll(async () => {
    await new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve))
    const address = endless.address()
    port = typeof address === "object" && address !== null ? address.port : 0
    server = await startEarmark({
      EARMARK_BILLING: "off",
      EARMARK_REQUEST_WAIT_SECONDS: String(WAIT_SECONDS),
    })
  })
  afterAll(async () => {
    await server?.stop()
    endless.closeAllConnections()
    endless.close()
  })

  const at = (path: string) => `http://127.0.0.1:${port}${path}`

  const call = async (path: string, body?: unknown) => {
    const before = performance.now()
    const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    })
    const told = JSON.parse(await response.text())
    assert.isBelow(performance.now() - before, AT_MOST, path)
    return { status: response.status, told }
  }

  /** Kept-alive connections and work that goes on would hold some. */
  const released = async () => {
    for (let tries = 0; tries < 40 && connections > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
    assert.strictEqual(connections, 0)
  }

  const FEEDS = ["/silent.xml", "/trickle.xml", "/hops/1"]

  it("the price of media that stall or never end is not known, within the time and with the reason", async () => {
    const reasons = { "/stalls.wav": /looked at in time/, "/endless.wav": /does not say how large/ }
    for (const [path, reason] of Object.entries(reasons)) {
      const { status, told } = await call("/quotes", { url: at(path) })
      assert.deepStrictEqual([status, told.minutes, told.credits], [200, null, null], JSON.stringify(told))
      assert.match(told.unknown_because, reason)
    }
  })

  it.concurrent("a list of episodes says within the time that the feed is too slow", async () => {
    const answers = await Promise.all(
      FEEDS.map((path) => call(`/podcasts/episodes?feed=${encodeURIComponent(at(path))}`)),
    )
    for (const { status, told } of answers) {
      assert.deepStrictEqual([status, told.code], [422, "unresolvable_link"], JSON.stringify(told))
      assert.match(told.detail, /^127\.0\.0\.1 did not answer in full within 4 seconds\. Try again later/)
    }
  })

  it.concurrent("so do a batch and the price of one, over all pages of a feed", async () => {
    const asked = { feed: at("/pages/1"), episodes: "all" }
    const answers = await Promise.all([
      call("/podcasts/transcribe", asked),
      call("/quotes", asked),
      call("/podcasts/transcribe", { feed: at("/trickle.xml"), episodes: "latest" }),
    ])
    for (const { status, told } of answers)
      assert.deepStrictEqual([status, told.code], [422, "unresolvable_link"], JSON.stringify(told))
  })

  it.concurrent("a transcription is accepted all the same, and its job goes on looking", async () => {
    const answers = await Promise.all(
      [...FEEDS, "/captioned.xml"].map((path) => call("/transcriptions", { url: at(path) })),
    )
    for (const { status, told } of answers)
      assert.deepStrictEqual([status, told.status], [202, "queued"], JSON.stringify(told))
  })

  it.concurrent("the price of an episode whose captions never end is that of hearing it", async () => {
    const { status, told } = await call("/quotes", { url: at("/captioned.xml") })
    assert.strictEqual(status, 200, JSON.stringify(told))
    assert.isFalse(told.cached)
  })

  it.concurrent("the tool that lists episodes answers its agent within the time", async () => {
    const client = new Client({ name: "agent", version: "1" })
    const headers = { authorization: `Bearer ${server.key}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/api/mcp`), { requestInit: { headers } }),
    )
    const before = performance.now()
    const given = { name: "list_podcast_episodes", arguments: { feed: at("/trickle.xml") } }
    assert.include(JSON.stringify(await client.callTool(given)), "unresolvable_link")
    await client.close()
    assert.isBelow(performance.now() - before, AT_MOST)
  })

  it("earmark feed ends with one sentence", async () => {
    const listed = (path: string) =>
      earmark(["feed", at(path), "--local"], "", root, { EARMARK_EGRESS_ALLOW: "127.0.0.1/32" })
    const before = performance.now()
    await earmark(["feed", "--help"])
    const start = performance.now() - before
    const [trickled, hopped] = await Promise.all([listed("/trickle.xml"), listed("/hops/1")])
    // Commands take a while to start, and two at once longer.
    assert.isBelow(performance.now() - before, AT_MOST + 3 * start)
    for (const { code, stderr } of [trickled, hopped]) {
      assert.strictEqual(code, 1)
      assert.match(stderr, /^earmark: [^\n]+ did not answer in full within 8 seconds\.[^\n]+\n$/)
    }
  })

  it("and what nobody waits for any more is let go", async () => {
    const { told } = await call("/transcriptions?limit=100")
    for (const { id, status } of told.data)
      if (status === "queued") await call(`/transcriptions/${id}/cancel`, {})
    await released()
  })
})
