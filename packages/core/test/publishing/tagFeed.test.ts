import { readFeed } from "@earmark/core/feeds"
import { type FeedItem, tagFeed } from "@earmark/core/publishing"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const BASE = "https://here.example/"

const tagsFor = (id: string) => [
  `<podcast:transcript url="${BASE}${id}.vtt" type="text/vtt"/>`,
  `<podcast:chapters url="${BASE}${id}.json" type="application/json+chapters"/>`,
]

const tagged = (text: string, has: (item: FeedItem) => boolean = () => true) =>
  tagFeed(text, {
    tagsOf: (item) => (has(item) ? tagsFor(item.guid ?? "none") : null),
    isOwn: (url) => url.startsWith(BASE),
  })

const feed = `<?xml version="1.0" encoding="UTF-8"?>
<!-- <item> in a comment is none -->
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
  <channel>
    <title>Bread &amp; salt</title>
    <item>
      <title><![CDATA[Twelve </item>]]></title>
      <guid isPermaLink="false">e12</guid>
      <enclosure url="https://media.example/12.mp3?a=1&amp;b=2" type="audio/mpeg" length="1"/>
    </item>
    <item>
      <title>Eleven</title>
      <guid><![CDATA[e11]]></guid>
    </item>
  </channel>
</rss>
`

describe("tags in a feed", () => {
  it("stand in their items, and everything else is as it was", () => {
    const asked: Array<FeedItem> = []
    const { text, items, tagged: count } = tagged(feed, (item) => asked.push(item) > 0 && item.guid === "e12")
    assert.deepStrictEqual([items, count], [2, 1])
    assert.deepStrictEqual(asked, [
      { guid: "e12", mediaUrl: "https://media.example/12.mp3?a=1&b=2" },
      { guid: "e11", mediaUrl: null },
    ])
    const added = [
      ' xmlns:podcast="https://podcastindex.org/namespace/1.0"',
      ...tagsFor("e12").map((line) => `      ${line}\n`),
    ]
    assert.strictEqual(
      added.reduce((rest, each) => rest.replace(each, ""), text),
      feed,
    )
    assert.include(text, `length="1"/>\n      ${tagsFor("e12")[0]}\n      ${tagsFor("e12")[1]}\n    </item>`)
  })

  it("are what our reader of feeds finds", () => {
    const read = Either.getOrThrow(
      readFeed(new TextEncoder().encode(tagged(feed).text), { details: true, now: 0 }),
    )
    assert.deepStrictEqual(
      read.episodes.map(({ transcripts }) => transcripts.map(({ url }) => url)),
      [[`${BASE}e12.vtt`]],
    )
  })

  it("are replaced by a second run, which changes nothing where nothing has changed", () => {
    const once = tagged(feed).text
    assert.strictEqual(tagged(once).text, once)
    const crlf = tagged(feed.replaceAll("\n", "\r\n")).text
    assert.strictEqual(tagged(crlf).text, crlf)
    const minified = tagged(feed.replaceAll(/\n\s*/g, "")).text
    assert.strictEqual(tagged(minified).text, minified)
  })

  it("are taken out where the transcript is not published any more", () => {
    const once = tagged(feed).text
    const none = tagged(once, () => false)
    assert.strictEqual(none.tagged, 0)
    assert.notInclude(none.text, BASE)
    const long = once.replace(/(<podcast:transcript [^>]*)\/>/, "$1>  </podcast:transcript>")
    assert.strictEqual(tagged(long, () => false).text, none.text)
  })

  it("leave those of others, and never add second chapters", () => {
    const other = feed.replace(
      "    </item>",
      '      <podcast:transcript url="https://other.example/a.srt"/>\n      <podcast:chapters url="https://other.example/c.json"/>\n    </item>',
    )
    const { text } = tagged(other, ({ guid }) => guid === "e12")
    assert.include(text, "https://other.example/a.srt")
    assert.lengthOf([...text.matchAll(/<podcast:chapters/g)], 1)
    assert.lengthOf([...text.matchAll(/<podcast:transcript/g)], 2)
  })

  it("have the prefix that the feed has for their namespace", () => {
    const own = feed.replace("xmlns:itunes", 'xmlns:pc="https://podcastindex.org/namespace/1.0" xmlns:itunes')
    const { text } = tagged(own)
    assert.include(text, "<pc:transcript ")
    assert.notInclude(text, "podcast:")
    assert.strictEqual(tagged(text).text, text)
  })

  it("find the enclosure of Atom", () => {
    const asked: Array<FeedItem> = []
    tagged(
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:1</id><link href="/page"/><link rel="enclosure" href="https://m.example/1.mp3"/></entry></feed>',
      (item) => asked.push(item) > 0,
    )
    assert.deepStrictEqual(asked, [{ guid: "urn:1", mediaUrl: "https://m.example/1.mp3" }])
  })

  it("never lose anything of what was no feed", () => {
    const pieces = FastCheck.constantFrom(
      "<",
      ">",
      "<item>",
      "</item>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<guid>",
      '"',
      "/",
      " a",
      "\n",
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(pieces, { maxLength: 30 }), (all) => {
        const text = all.join("")
        assert.strictEqual(tagged(text, () => false).text, text)
      }),
    )
  })

  it("take a large feed in a blink", () => {
    const item = feed.slice(feed.indexOf("    <item>"), feed.indexOf("  </channel>"))
    const large = feed.replace(item, item.repeat(5000))
    const began = performance.now()
    assert.strictEqual(tagged(large).tagged, 10_000)
    assert.isBelow(performance.now() - began, 3000)
    tagged(`<rss>${"<item><guid>".repeat(50_000)}`)
    assert.isBelow(performance.now() - began, 6000)
  })
})
