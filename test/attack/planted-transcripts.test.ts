import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { JOBS, newAccount } from "../e2e/http/asking.js"
import { clientOf, ffmpegMissing, recording } from "../e2e/http/world.js"
import { makeWorlds } from "../e2e/worlds.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { type StoreForTests, storesForTests } from "../servers/stores.js"

const PLANTED = "planted"
const HONEST = "honest"

const captions = (word: string) =>
  `WEBVTT\n\n00:00.000 --> 00:17.000\nThis ${word} sentence was written by somebody, word for word.\n\n00:17.000 --> 00:36.000\nAnd this ${word} sentence covers all of it, from the beginning to the end.\n`

/** A show of one episode: whose media, and whose text. */
const feed = (media: string, text: string | null) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Show</title><language>en</language><item><title>Episode</title><guid>one</guid><enclosure url="${media}" type="audio/wav"/><itunes:duration>36</itunes:duration>${
    text === null ? "" : `<podcast:transcript url="${text}" type="text/vtt"/>`
  }</item></channel></rss>`

/**
 * Two publishers under one roof. By a name instead of 127.0.0.1, since what is at a private address is shared with nobody. A text
 * `/late/...` is answered with 503 at first: creation gives up on it, and the worker reads it.
 */
const startPublishers = () =>
  new Promise<{ readonly base: string; readonly stop: () => void }>((resolve) => {
    const asked = new Set<string>()
    const server = createServer(({ url = "", headers }, response) => {
      const base = `http://${headers.host}`
      const [, kind = "", number = "1"] = /^\/([a-z-]+)\/(?:[a-z]+\/)?(\d+)/.exec(url) ?? []
      const media = `${base}/media/${number}.wav`
      const feeds: Readonly<Record<string, string | null>> = {
        true: null,
        written: `${base}/text/${number}/${HONEST}.vtt`,
        evil: `${base}/text/${number}/${PLANTED}.vtt`,
        "evil-late": `${base}/late/${number}/${PLANTED}.vtt`,
      }
      const text = feeds[kind]
      const answer = (status: number, type: string, body: string | Uint8Array) =>
        response.writeHead(status, { "Content-Type": type }).end(body)
      if (kind === "media") answer(200, "audio/wav", recording(Number(number)))
      else if (text !== undefined) answer(200, "application/rss+xml", feed(media, text))
      else if (kind === "late" && !asked.has(url)) {
        asked.add(url)
        answer(503, "text/plain", "later")
      } else if (kind === "late" || kind === "text")
        answer(200, "text/vtt", captions(url.includes(PLANTED) ? PLANTED : HONEST))
      else answer(404, "text/plain", "nothing")
    })
    server.listen(0, "127.0.0.1", () => {
      const address: AddressInfo | string | null = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        base: `http://localhost:${port}`,
        stop: () => {
          server.closeAllConnections()
          server.close()
        },
      })
    })
  })

let web: Awaited<ReturnType<typeof startPublishers>>

beforeAll(async () => {
  web = await startPublishers()
})

afterAll(() => web?.stop())

let numbers = 0

for (const { name, missing, start } of storesForTests) {
  describe.skipIf(ffmpegMissing !== null || missing !== null)(`a service on ${name}`, () => {
    let store: StoreForTests
    let server: EarmarkServer
    let bob: ReturnType<typeof clientOf>

    beforeAll(async () => {
      store = await start()
      server = await startEarmark(store.environment)
      bob = (await newAccount({ server }, "bob@example.org")).call
    }, 120_000)

    afterAll(async () => {
      await server?.stop()
      await store?.stop()
    }, 60_000)

    const done = async (call: ReturnType<typeof clientOf>, request: Record<string, unknown>) => {
      const made = await call(JOBS, { body: request })
      assert.include([200, 202], made.status, made.text)
      const job = await call(`${JOBS}/${made.body.id}?wait=60`)
      assert.strictEqual(job.body.status, "done", job.text)
      return { text: JSON.stringify(job.body), origin: job.body.origin, title: job.body.title }
    }

    /** An episode of its own, with the text of somebody else planted for it. */
    const plant = async (kind: "evil" | "evil-late", options: Record<string, unknown> = {}) => {
      numbers += 1
      const evil = `${web.base}/${kind}/${numbers}`
      const first = await done(clientOf(server), { url: evil, ...options })
      // Whoever names a feed takes its word.
      assert.include(first.text, PLANTED)
      return { evil, media: `${web.base}/media/${numbers}.wav`, feedOf: `${web.base}/true/${numbers}` }
    }

    const ways = {
      "read by the worker": () => plant("evil-late"),
      "read at once": () => plant("evil"),
      "made with extras": () => plant("evil-late", { summary: true, chapters: true }),
      translated: () => plant("evil", { translate_to: "de" }),
    } as const

    for (const [way, planted] of Object.entries(ways)) {
      it(`gives the text of a feed to nobody who has not named that feed: ${way}`, async () => {
        const { evil, media, feedOf } = await planted()
        const asked: ReadonlyArray<Record<string, unknown>> = [
          { url: feedOf },
          { url: media },
          { blob_url: media },
          { url: feedOf, quality: "accurate" },
          { url: media, summary: true, chapters: true },
          { url: media, translate_to: "de" },
          { url: evil, quality: "accurate" },
          { url: evil, quality: "accurate", translate_to: "de" },
        ]
        for (const call of [bob, clientOf(server)])
          for (const request of asked)
            assert.notInclude((await done(call, request)).text, PLANTED, JSON.stringify(request))
      })
    }
  })
}

describe.skipIf(ffmpegMissing !== null)("the library of a machine", () => {
  const worlds = makeWorlds("planted")
  afterAll(worlds.close)

  it("gives the text of a feed for no other feed, no address, and no accurate quality", async () => {
    numbers += 1
    const evil = `${web.base}/evil/${numbers}`
    for (const args of [
      [`${web.base}/true/${numbers}`],
      [`${web.base}/written/${numbers}`],
      [`${web.base}/true/${numbers}`, "--summary"],
      [`${web.base}/media/${numbers}.wav`],
      [evil, "--quality", "accurate"],
    ]) {
      const { run, read, names } = worlds.world()
      const first = await run(evil, "-o", "out/")
      assert.strictEqual(first.code, 0, first.stderr)
      const before = names().filter((name) => name.endsWith(".txt"))
      assert.deepStrictEqual(
        before.map((name) => read(name).includes(PLANTED)),
        [true],
      )
      const other = await run(...args, "-o", "out/")
      assert.strictEqual(other.code, 0, other.stderr)
      const texts = names().filter((name) => name.endsWith(".txt"))
      // The text of one publisher is neither taken for that of another nor lost to it; of one publisher the newest is kept.
      const own = texts.filter((name) => !read(name).includes(PLANTED))
      assert.strictEqual(own.length, 1, `${args.join(" ")}: ${texts.join()}`)
      assert.strictEqual(texts.length, args[0] === evil ? 1 : 2)
    }
  })

  it("does not write the text of one feed over that of another", async () => {
    numbers += 1
    const { run, read, command } = worlds.world()
    assert.strictEqual((await run(`${web.base}/written/${numbers}`, "-o", "a.txt")).code, 0)
    assert.include(read("a.txt"), HONEST)
    await run(`${web.base}/evil/${numbers}`, "-o", "a.txt")
    assert.include(read("a.txt"), HONEST)
    assert.strictEqual((await run(`${web.base}/evil/${numbers}`, "-o", "b.txt")).code, 0)
    assert.include(read("b.txt"), PLANTED)
    for (const word of [HONEST, PLANTED]) {
      const found = await command("search", word)
      assert.include(found.stdout, word, found.stderr)
    }
  })
})
