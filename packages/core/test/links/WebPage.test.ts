import { readPage } from "@earmark/core/links"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"

const HERE = "https://site.example/news/today"
const read = (html: string) => readPage(html, HERE)

describe("what a page says of itself", () => {
  it("its title, by og:title before <title>, decoded and in one line", () => {
    assert.strictEqual(read("<title>\n Caf&eacute; &amp;\n bar </title>").title, "Café & bar")
    assert.strictEqual(read(`<title>a</title><meta property="og:title" content="b">`).title, "b")
    assert.strictEqual(read(`<META NAME=og:title CONTENT='c'>`).title, "c")
    assert.isNull(read("<title> </title>").title)
    assert.isNull(read("").title)
    assert.lengthOf(read(`<title>${"x".repeat(1000)}</title>`).title ?? "", 300)
  })

  it("where it lives, by og:url and canonical", () => {
    const html = `<link rel="nofollow CANONICAL" href="/b"><meta property="og:url" content="https://site.example/a#x">`
    assert.deepStrictEqual(read(html).addresses, ["https://site.example/a", "https://site.example/b"])
  })

  const feeds: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    ["RSS", `<link rel="alternate" type="application/rss+xml" href="/rss">`, ["https://site.example/rss"]],
    [
      "Atom, attributes in any order",
      `<link href=../atom type='application/atom+xml' rel='x alternate'>`,
      ["https://site.example/atom"],
    ],
    [
      "JSON Feed",
      `<link rel=alternate type="application/feed+json; charset=utf-8" href="f.json">`,
      ["https://site.example/news/f.json"],
    ],
    [
      "a base",
      `<base href="https://cdn.example/x/"><link rel=alternate type=application/rss+xml href=y>`,
      ["https://cdn.example/x/y"],
    ],
    ["another language of the page", `<link rel="alternate" hreflang="de" href="/de">`, []],
    ["a style", `<link rel="alternate stylesheet" type="text/css" href="/a.css">`, []],
    ["in a comment", `<!-- <link rel="alternate" type="application/rss+xml" href="/rss"> -->`, []],
    ["in a script", `<script>"<link rel='alternate' type='application/rss+xml' href='/rss'>"</script>`, []],
    [
      "no web address",
      `<link rel=alternate type=application/rss+xml href="javascript:1"><link rel=alternate type=application/rss+xml href="file:///a">`,
      [],
    ],
    [
      "podcasts first, comments last",
      `<link rel=alternate type=application/rss+xml title="Comments" href=/1><link rel=alternate type=application/rss+xml title="News" href=/2><link rel=alternate type=application/rss+xml title="Our Podcast" href=/3>`,
      ["https://site.example/3", "https://site.example/2", "https://site.example/1"],
    ],
  ]
  for (const [what, html, expected] of feeds) {
    it(`feeds: ${what}`, () => assert.deepStrictEqual(read(html).feeds, expected))
  }

  it("media, likeliest first and each once, but no streams", () => {
    const html = `
      <video src="/v.mp4"></video><audio><source src="/a.mp3?x=1&amp;y=2#t=5"></audio>
      <meta name="twitter:player:stream" content="/t.mp4"><meta property="og:video" content="/o.mp4">
      <meta property="og:audio" content="/a.mp3?x=1&y=2"><video src="/live.m3u8"></video><video src="blob:https://x/y"></video>
      <script type="application/ld+json">{"@graph":[{"video":{"contentUrl":"/ld.mp4"}}],"contentUrl":7}</script>
      <script type="application/ld+json">{broken</script>`
    assert.deepStrictEqual(
      read(html).media.map((url) => url.replace("https://site.example", "")),
      ["/a.mp3?x=1&y=2", "/o.mp4", "/t.mp4", "/v.mp4", "/ld.mp4"],
    )
  })

  it("shows of Apple that it links to", () => {
    const html = `<a href="https://podcasts.apple.com/de/podcast/id-of-123456/id987654321?i=1">x</a><a href="/itunes1234567/show">y</a><a href="https://apps.apple.com/app/id5">z</a>`
    assert.deepStrictEqual(read(html).appleIds, ["987654321", "1234567"])
  })
})

describe("any text", () => {
  it.prop(
    "is read without a throw, and cut anywhere too",
    [
      fc.array(
        fc.oneof(
          fc.string(),
          fc.constantFrom(
            "<",
            ">",
            "<!--",
            "-->",
            "<link ",
            "<meta property=og:title content=",
            "<script",
            "</script",
            "'",
            '"',
            "=",
            "<a href",
            "&#x110000;",
            "\u0000",
            "\ud800",
          ),
        ),
      ),
    ],
    ([pieces]) => {
      const html = pieces.join("")
      const page = read(html)
      for (const address of [...page.feeds, ...page.media, ...page.addresses])
        assert.match(address, /^https?:/)
    },
  )

  it("is read in linear time", () => {
    const pieces = [
      "<",
      "<a",
      `<a href="`,
      "<a href='x",
      "<script>",
      "<title>",
      "<!--",
      "<meta a=b ",
      "<link rel=alternate",
      "=".repeat(9),
      " ",
      `<source src="a">`,
      "&amp;",
      '<script type="application/ld+json">[',
      "<textarea",
    ]
    for (const piece of pieces) {
      const start = process.cpuUsage().user
      read(piece.repeat(Math.ceil(500_000 / piece.length)))
      read(`<a ${piece.repeat(Math.ceil(500_000 / piece.length))}`)
      assert.isBelow((process.cpuUsage().user - start) / 1000, 1500, piece)
    }
  })
})
