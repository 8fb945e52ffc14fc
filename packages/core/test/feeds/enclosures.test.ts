import { chooseEnclosure, type Enclosure } from "@earmark/core/feeds"
import { assert, describe, it } from "@effect/vitest"
import { read, readOne, rss } from "./reading.js"

const file = (url: string, type: string | null = null, more: Partial<Enclosure> = {}): Enclosure => ({
  url,
  type,
  length: null,
  durationSeconds: null,
  medium: null,
  origin: "enclosure",
  ...more,
})
const media = (url: string, type: string | null = null, medium: string | null = null) =>
  file(url, type, { origin: "media", medium })

const cases: ReadonlyArray<readonly [why: string, files: ReadonlyArray<Enclosure>, chosen: string | null]> = [
  ["nothing", [], null],
  ["audio", [file("a", "audio/mpeg")], "a"],
  ["video after a picture", [file("a.jpg", "image/jpeg"), file("b", "video/mp4")], "b"],
  ["ogg by its type", [file("a", "application/ogg")], "a"],
  ["by the extension in the path", [file("a.MP3?x=1", "application/octet-stream")], "a.MP3?x=1"],
  ["not by an extension in the query", [file("a?f=b.mp3"), file("c.mp3")], "c.mp3"],
  ["a text type beats the extension", [file("a.mp3", "text/html")], null],
  ["no document", [file("a.pdf", "application/pdf"), file("b", "application/pdf")], null],
  ["no document by its extension", [file("a.pdf", "application/octet-stream"), file("b.jpg")], null],
  ["unknown when there is nothing else", [file("a", "application/octet-stream")], "a"],
  ["media content before unknown", [file("a"), media("b", "audio/mpeg")], "b"],
  ["an enclosure before media content", [media("b", "audio/mpeg"), file("a", "audio/mpeg")], "a"],
  ["media content by its medium", [media("a", null, "video")], "a"],
  ["a picture is no media", [media("a.jpg", "image/jpeg", "image")], null],
  ["media content of unknown kind", [media("a")], null],
  ["no script", [file("javascript:alert(1)", "audio/mpeg")], null],
  ["no script that a blank hides", [file("java\tscript:alert(1)//a.mp3", "audio/mpeg")], null],
  ["no data", [file("data:audio/mpeg;base64,AAAA", "audio/mpeg"), file("b", "audio/mpeg")], "b"],
  ["no file of this machine", [file("file:///etc/a.mp3", "audio/mpeg")], null],
  ["no other scheme as media content", [media("ftp://x.example/a.mp3", "audio/mpeg", "audio")], null],
  ["nothing of an unknown kind and another scheme", [file("magnet:?xt=a")], null],
  ["the web in capitals", [file("HTTPS://x.example/a", "audio/mpeg")], "HTTPS://x.example/a"],
  ["an address without its scheme", [file("//x.example/a.mp3")], "//x.example/a.mp3"],
  ["a relative address with a colon", [file("a/b:c.mp3")], "a/b:c.mp3"],
]

describe("which file is the episode", () => {
  for (const [why, files, chosen] of cases) {
    it(why, () => assert.strictEqual(chooseEnclosure(files)?.url ?? null, chosen))
  }

  it("media content counts inside a group, too", () => {
    const group = `<media:group><media:content url="https://x.example/a.jpg" medium="image"/><media:content url="https://x.example/v" type="video/mp4" fileSize="5" duration="61"><media:thumbnail url="https://x.example/t.jpg"/></media:content></media:group>`
    assert.deepInclude(readOne(rss(`<item>${group}</item>`)), {
      audioUrl: "https://x.example/v",
      durationSeconds: 61,
      image: "https://x.example/t.jpg",
    })
  })
})

describe("RDF", () => {
  const rdf = (declarations: string, enclosure: string) =>
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" ${declarations}><channel/><item>${enclosure}</item></rdf:RDF>`
  const rows: ReadonlyArray<readonly [why: string, feed: string]> = [
    [
      "by namespace",
      rdf(
        `xmlns:x="http://purl.oclc.org/net/rss_2.0/enc#"`,
        `<x:enclosure rdf:resource="https://x.example/a" x:type="audio/mpeg" x:length="5"/>`,
      ),
    ],
    [
      "by its usual prefix",
      rdf("", `<enc:enclosure rdf:resource="https://x.example/a" enc:type="audio/mpeg" enc:length="5"/>`),
    ],
    [
      "with an address and attributes without prefix",
      rdf("", `<enc:enclosure url="https://x.example/a" type="audio/mpeg" length="5"/>`),
    ],
  ]
  for (const [why, feed] of rows) {
    it(`offers its enclosures ${why}`, () => {
      const episode = readOne(feed, { details: true })
      assert.strictEqual(episode.audioUrl, "https://x.example/a")
      assert.deepStrictEqual(episode.details?.enclosure, {
        url: "https://x.example/a",
        type: "audio/mpeg",
        length: 5,
      })
    })
  }
})

describe("addresses", () => {
  const audioUrl = (url: string, baseUrl?: string) =>
    readOne(rss(`<item><enclosure url="${url}" type="audio/mpeg"/></item>`), { baseUrl }).audioUrl

  it("stay byte for byte when absolute", () => {
    const odd = "https://x.example/e/https%3A%2F%2Fy.example%2Fa b|c.mp3"
    assert.strictEqual(audioUrl(odd, "https://base.example/"), odd)
  })

  it("are decoded once and trimmed", () => {
    assert.strictEqual(
      audioUrl(" https://x.example/a.mp3?a=1&amp;b=2&amp;amp;c "),
      "https://x.example/a.mp3?a=1&b=2&amp;c",
    )
  })

  it("are resolved against the feed", () => {
    assert.strictEqual(audioUrl("../a.mp3", "https://x.example/shows/feed.xml"), "https://x.example/a.mp3")
    assert.strictEqual(audioUrl("//cdn.example/a.mp3", "https://x.example/"), "https://cdn.example/a.mp3")
    assert.strictEqual(audioUrl("a.mp3"), "a.mp3")
  })

  it("are resolved against the nearest xml:base", () => {
    const item = (itemBase: string, base: string) =>
      `<item${itemBase}><enclosure${base} url="a.mp3" type="audio/mpeg"/></item>`
    const feed = (items: string) =>
      read(`<rss xml:base="https://root.example/r/"><channel xml:base="c/">${items}</channel></rss>`, {
        baseUrl: "https://feed.example/",
      }).episodes.map((episode) => episode.audioUrl)
    assert.deepStrictEqual(
      feed(
        item("", "") +
          item(` xml:base="i/"`, "") +
          item(` xml:base="https://item.example/"`, ` xml:base="e/"`) +
          item("", ""),
      ),
      [
        "https://root.example/r/c/a.mp3",
        "https://root.example/r/c/i/a.mp3",
        "https://item.example/e/a.mp3",
        "https://root.example/r/c/a.mp3",
      ],
    )
  })

  it("of more than 8,192 characters do not count", () => {
    const feed = (length: number) =>
      read(
        rss(`<item><enclosure url="https://x.example/${"a".repeat(length - 18)}" type="audio/mpeg"/></item>`),
      )
    assert.strictEqual(feed(8_192).total, 1)
    assert.strictEqual(feed(8_193).total, 0)
  })
})
