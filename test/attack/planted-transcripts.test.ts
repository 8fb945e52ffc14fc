import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { JOBS, newAccount } from "../e2e/http/asking.js"
import { clientOf, ffmpegMissing, recording, startWeb, type Web } from "../e2e/http/world.js"
import { makeWorlds } from "../e2e/worlds.js"
import { because } from "../servers/because.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { type StoreForTests, storesForTests } from "../servers/stores.js"
import { feedOf, type Page, type Publisher, page, startPublisher } from "./publisher.js"

const PLANTED = "planted"
const HONEST = "honest"

const captions = (word: string) =>
  `WEBVTT\n\n00:00.000 --> 00:17.000\nThis ${word} sentence was written by somebody, word for word.\n\n00:17.000 --> 00:36.000\nAnd this ${word} sentence covers all of it, from the beginning to the end.\n`

/** A show of one episode: whose media, and whose text. */
const show = (media: string, text: string | null): Page =>
  page(
    "application/rss+xml",
    feedOf(
      `<item><title>Episode</title><guid>one</guid><enclosure url="${media}" type="audio/wav"/><itunes:duration>36</itunes:duration>${
        text === null ? "" : `<podcast:transcript url="${text}" type="text/vtt"/>`
      }</item>`,
      "<language>en</language>",
    ),
  )

/** Answers 503 at first: creation gives up on it, and the worker reads it. */
const lateText = (text: Page): Page => {
  let isLater = false
  return (response, base) => {
    if (isLater) return text(response, base)
    isLater = true
    response.writeHead(503).end()
  }
}

let web: Publisher
let translator: Web

beforeAll(async () => {
  web = await startPublisher()
  translator = await startWeb()
})

afterAll(() => {
  web?.stop()
  translator?.stop()
})

let episodes = 0

/** An episode of its own, with the shows that name it. */
const newEpisode = () => {
  episodes += 1
  // By a name, since what is at a private address is shared with nobody.
  const base = `${web.base.replace("127.0.0.1", "localhost")}/${episodes}`
  const put = (path: string, found: Page) => {
    web.pages.set(`/${episodes}/${path}`, found)
    return `${base}/${path}`
  }
  const media = put("media.wav", page("audio/wav", recording(episodes)))
  const honest = put("honest.vtt", page("text/vtt", captions(HONEST)))
  const planted = put("planted.vtt", page("text/vtt", captions(PLANTED)))
  const late = put("late.vtt", lateText(page("text/vtt", captions(PLANTED))))
  return {
    media,
    plain: put("plain", show(media, null)),
    written: put("written", show(media, honest)),
    evil: put("evil", show(media, planted)),
    evilLate: put("evil-late", show(media, late)),
  }
}

for (const { name, missing, start } of storesForTests) {
  describe.skipIf(ffmpegMissing !== null || missing !== null)(`a service on ${name}`, () => {
    let store: StoreForTests
    let server: EarmarkServer
    let bob: ReturnType<typeof clientOf>

    beforeAll(async () => {
      store = await start()
      server = await startEarmark({
        ...store.environment,
        EARMARK_TRANSLATE_URL: `${translator.base}/libre`,
      })
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
      return job
    }

    const ways: Readonly<Record<string, readonly ["evil" | "evilLate", Record<string, unknown>]>> = {
      "read by the worker": ["evilLate", {}],
      "read at once": ["evil", {}],
      "made with extras": ["evilLate", { summary: true, chapters: true }],
      translated: ["evil", { translate_to: "de" }],
    }

    it("gives a text that a request brought to that request alone", async () => {
      const eve = clientOf(server)
      const { media, plain, written } = newEpisode()
      const brought = { url: media, transcript_text: captions(PLANTED) }
      assert.include((await done(eve, brought)).text, PLANTED)
      assert.include((await done(eve, { ...brought, summary: true })).text, PLANTED)
      const again = await done(eve, brought)
      assert.deepInclude(again.body, { cached: true, engine: "aligner" })
      for (const call of [bob, eve]) {
        const asked = [{ url: media }, { blob_url: media }, { url: plain }, { url: media, summary: true }]
        for (const request of [...asked, { url: media, translate_to: "de" }, { url: written }])
          assert.notInclude((await done(call, request)).text, PLANTED, JSON.stringify(request))
      }
      // Whose text it is decides, not what it says.
      assert.isFalse((await done(bob, brought)).body.cached)
    })

    for (const [way, [feed, options]] of Object.entries(ways)) {
      it(`gives the text of a feed to nobody who has not named that feed: ${way}`, async () => {
        const eve = clientOf(server)
        const { media, plain, [feed]: evil } = newEpisode()
        // Who names a feed takes its word.
        assert.include((await done(eve, { url: evil, ...options })).text, PLANTED)
        const asked: ReadonlyArray<Record<string, unknown>> = [
          { url: plain },
          { url: media },
          { blob_url: media },
          { url: plain, quality: "accurate" },
          { url: media, summary: true, chapters: true },
          { url: media, translate_to: "de" },
          { url: evil, quality: "accurate" },
          { url: evil, quality: "accurate", translate_to: "de" },
        ]
        for (const call of [bob, eve])
          for (const request of asked)
            assert.notInclude((await done(call, request)).text, PLANTED, JSON.stringify(request))
      })
    }
  })
}

describe.skipIf(ffmpegMissing !== null)(`the library of a machine${because(ffmpegMissing)}`, () => {
  const worlds = makeWorlds("planted")
  afterAll(worlds.close)

  it("gives the text of a feed for no other feed, no address, and no accurate quality", async () => {
    const { media, plain, written, evil } = newEpisode()
    for (const args of [[plain], [written], [plain, "--summary"], [media], [evil, "--quality", "accurate"]]) {
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
    const { written, evil } = newEpisode()
    const { run, read, command } = worlds.world()
    assert.strictEqual((await run(written, "-o", "a.txt")).code, 0)
    assert.include(read("a.txt"), HONEST)
    await run(evil, "-o", "a.txt")
    assert.include(read("a.txt"), HONEST)
    assert.strictEqual((await run(evil, "-o", "b.txt")).code, 0)
    assert.include(read("b.txt"), PLANTED)
    for (const word of [HONEST, PLANTED]) {
      const found = await command("search", word)
      assert.include(found.stdout, word, found.stderr)
    }
  })
})
