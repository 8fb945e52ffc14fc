import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { JOBS } from "../e2e/http/asking.js"
import { clientOf, recording } from "../e2e/http/world.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"
import { feedOf, type Publisher, page, startPublisher } from "./publisher.js"

/** Characters of each input. A reader whose time grows with the square of them needs minutes for one. */
const LENGTH = 300_000
const SECONDS_AT_MOST = 2

let server: EarmarkServer
let publisher: Publisher
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  publisher = await startPublisher()
  publisher.pages.set("/a.wav", page("audio/wav", recording(1, 1)))
  server = await startEarmark({ EARMARK_BILLING: "off" })
  call = clientOf(server)
}, 120_000)

afterAll(async () => {
  await server?.stop()
  publisher?.stop()
}, 60_000)

/** Seconds of processor that the server has used so far. */
const used = async (): Promise<number> => {
  const { text } = await call("/metrics", { key: null })
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1] ?? assert.fail(text))
}

/** One place of a document where something is repeated: what stands before it, and what behind. */
type Place = readonly [what: string, head: string, tail: string]

const filled = ([, head, tail]: Place, pump: string) =>
  head + pump.repeat(Math.ceil(LENGTH / pump.length)) + tail

const inputsOf = (places: ReadonlyArray<Place>, pumps: ReadonlyArray<string>) =>
  places.flatMap((place) =>
    pumps.map((pump) => ({ what: `${place[0]}: ${JSON.stringify(pump)}`, text: filled(place, pump) })),
  )

const CUE = "00:00:01.000 --> 00:00:02.000\n"
const SUBTITLE = "1\n00:00:01,000 --> 00:00:02,000\n"
const DIALOGUE = "Dialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,"

const CAPTION_PUMPS = ["<", "<b>", "&", "&#1", " \t", "-->", "\n\n", "9:", "{\\k", 'a="', "a: "]

const captions = inputsOf(
  [
    ["WebVTT header", "WEBVTT ", `\n\n${CUE}a\n`],
    ["WebVTT text", `WEBVTT\n\n${CUE}`, "\n"],
    ["WebVTT voice", `WEBVTT\n\n${CUE}<v `, ">a\n"],
    ["SubRip text", SUBTITLE, "\n"],
    ["ASS text", `[Script Info]\n[Events]\nFormat: Layer, Start, End, Style, Text\n${DIALOGUE}`, "\n"],
    ["TTML text", '<tt><body><div><p begin="1s" end="2s">', "</p></div></body></tt>"],
    ["HTML text", "<cite>Ann:</cite><time>0:01</time><p>", "</p>"],
  ],
  CAPTION_PUMPS,
)

const ITEM = `<item><title>a</title><guid>g</guid><enclosure url="http://127.0.0.1/a.mp3" type="audio/mpeg"/>`

const feeds = inputsOf(
  [
    ["title", "<rss><channel><title>", `</title>${ITEM}</item></channel></rss>`],
    ["description", `<rss><channel>${ITEM}<description>`, "</description></item></channel></rss>"],
    ["date", `<rss><channel>${ITEM}<pubDate>`, "</pubDate></item></channel></rss>"],
    [
      "duration",
      `<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>${ITEM}<itunes:duration>`,
      "</itunes:duration></item></channel></rss>",
    ],
    [
      "attribute",
      `<rss><channel><item><enclosure a="`,
      `" url="http://127.0.0.1/a.mp3"/></item></channel></rss>`,
    ],
    ["prolog", `<?xml version="1.0"`, `?><rss><channel>${ITEM}</item></channel></rss>`],
  ],
  ["<", "<a>", "<![CDATA[", "<!--", "&amp;", "&", " ", "1:", "01 Jan ", "\n\t"],
)

const pages = inputsOf(
  [
    ["head", "<html><head>", "</head></html>"],
    ["title", "<html><head><title>", "</title></head></html>"],
    ["link", `<html><head><link rel="alternate" `, `></head></html>`],
    ["script", `<html><head><script type="application/ld+json">`, "</script></head></html>"],
    ["body", "<html><body>", "</body></html>"],
  ],
  ["<", "<a ", "<!--", "<script>", 'href="', "&#x", " ", "[", '{"a":'],
)

/** The seconds of processor that the server needs for what is asked. */
const costOf = async (ask: () => Promise<unknown>) => {
  const before = await used()
  await ask()
  return (await used()) - before
}

const assertQuick = async (all: typeof feeds, ask: (text: string, index: number) => Promise<unknown>) => {
  for (const [index, { what, text }] of all.entries())
    assert.isBelow(await costOf(() => ask(text, index)), SECONDS_AT_MOST, what)
}

describe("inputs that repeat something until they are long", () => {
  it("are many", () => assert.isAbove(captions.length + feeds.length + pages.length, 150))

  it("take a feed reader no time", () =>
    assertQuick(feeds, (text, index) => {
      publisher.pages.set(`/feed-${index}`, page("application/rss+xml", text))
      return call(`/api/v1/podcasts/episodes?feed=${encodeURIComponent(`${publisher.base}/feed-${index}`)}`)
    }))

  it("take a page reader no time", () =>
    assertQuick(pages, async (text, index) => {
      publisher.pages.set(`/page-${index}`, page("text/html", text))
      const answer = await call(JOBS, { body: { url: `${publisher.base}/page-${index}` } })
      assert.strictEqual(answer.status, 422, answer.text)
    }))

  it("take a caption reader no time", async () => {
    const items = captions.map(({ text }, index) => {
      publisher.pages.set(`/captions-${index}`, page("text/plain", text))
      const written = `<podcast:transcript url="${publisher.base}/captions-${index}" type="text/vtt"/>`
      return `<item><title>a</title><guid>${index}</guid><enclosure url="${publisher.base}/a.wav?${index}" type="audio/wav"/>${written}</item>`
    })
    publisher.pages.set("/feed.xml", page("application/rss+xml", feedOf(items.join(""))))
    const transcribe = async (guid: number) => {
      const body = { url: `${publisher.base}/feed.xml`, episode_guid: String(guid) }
      const made = await call(JOBS, { body })
      assert.isBelow(made.status, 300, made.text)
      const { body: ended } = await call(`${JOBS}/${made.body.id}?wait=60`)
      assert.strictEqual(ended.status, "done", JSON.stringify(ended))
    }
    // Jobs of one place together: most of the time of a single one is spent waiting.
    for (let from = 0; from < captions.length; from += CAPTION_PUMPS.length) {
      const jobs = CAPTION_PUMPS.map((_, index) => from + index)
      const seconds = await costOf(() => Promise.all(jobs.map(transcribe)))
      assert.isBelow(seconds, SECONDS_AT_MOST * 3, captions[from]?.what)
    }
    assert.isAtLeast(publisher.asked.filter((path) => path.startsWith("/captions-")).length, captions.length)
  })
})
