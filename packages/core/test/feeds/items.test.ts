import { assert, describe, it } from "@effect/vitest"
import { audio, oneItem, read, readOne, rss } from "./reading.js"

describe("what is an episode", () => {
  it("items without playable media are counted, not listed", () => {
    const feed = read(rss(`<item><title>Text</title></item><item>${audio}</item><item/>`))
    assert.deepInclude(feed, { items: 3, total: 1 })
    assert.strictEqual(feed.episodes.length, 1)
  })

  it("an item tag has any prefix and any case", () => {
    for (const tag of ["item", "ITEM", "rss:item", "x:entry"]) {
      assert.strictEqual(read(rss(`<${tag}>${audio}</${tag}>`)).total, 1)
    }
  })

  it("items inside CDATA and comments are text", () => {
    const feed = read(
      rss(
        `<description><![CDATA[<item>${audio}</item>]]></description><!-- <item>${audio}</item> --><item><title><![CDATA[</item>]]></title><!-- </item> -->${audio}</item>`,
      ),
    )
    assert.deepInclude(feed, { items: 1, total: 1 })
    assert.strictEqual(feed.episodes[0]?.title, "</item>")
  })

  it("a live item is no item and leaks nothing", () => {
    const live = `<podcast:liveItem status="live"><title>Live</title><guid>live</guid><enclosure url="https://x.example/live.mp3" type="audio/mpeg"/></podcast:liveItem>`
    const feed = read(rss(`<title>Show</title>${live}<item><title>One</title>${audio}</item>${live}`))
    assert.deepInclude(feed, { title: "Show", items: 1, total: 1 })
    assert.deepInclude(feed.episodes[0], { title: "One", guid: "https://cdn.example/a.mp3" })
    assert.strictEqual(readOne(rss(`<item>${live}${audio}</item>`)).title, null)
  })

  it("an item that was never closed ends where the next one begins", () => {
    const feed = read(
      rss(
        `<item><title>A</title>${audio}<item><title>B</title>${audio}</item><item><title>C</title>${audio}`,
      ),
    )
    assert.deepStrictEqual(
      feed.episodes.map(({ title }) => title),
      ["A", "B", "C"],
    )
  })

  it("an empty item inside an item does not end it", () => {
    const feed = read(rss(`<item><title>A</title><item/>${audio}</item>`))
    assert.deepInclude(feed, { items: 2, total: 1 })
  })

  it("an item of another namespace inside an item is not an episode of its own", () => {
    const foreign = `xmlns:x="https://other.example/ns"`
    const inner = `<title>Inner</title><guid>inner</guid><enclosure url="https://x.example/i.mp3" type="audio/mpeg"/>`
    for (const local of ["item", "entry"]) {
      const written: ReadonlyArray<string> = [
        `<x:${local}/>`,
        `<x:${local}>${inner}</x:${local}>`,
        `<x:list><x:${local}>${inner}</x:${local}><x:${local}/></x:list>`,
        `<x:${local}><x:${local}>${inner}</x:${local}></x:${local}>`,
        `<x:${local}>`,
        `<${local} xmlns="https://other.example/ns">${inner}</${local}>`,
        `<list xmlns="https://other.example/ns"><${local}>${inner}</${local}></list>`,
      ]
      for (const item of written) {
        const one = `<item>${item}<title>A</title><guid>a</guid>${audio}</item>`
        const feed = read(rss(`${one}${one}`, foreign))
        assert.deepInclude(feed, { items: 2, total: 2 }, item)
        for (const episode of feed.episodes) {
          assert.deepInclude(episode, { title: "A", guid: "a", audioUrl: "https://cdn.example/a.mp3" }, item)
        }
        const atom = `<feed xmlns="http://www.w3.org/2005/Atom" ${foreign}><entry>${item}<title>A</title><link rel="enclosure" href="https://cdn.example/a.mp3"/></entry></feed>`
        assert.strictEqual(readOne(atom).title, "A")
      }
    }
  })

  it("items of another namespace beside the items are none", () => {
    const other = `<x:list><x:item>${audio}</x:item></x:list>`
    const feed = read(rss(`${other}<item><title>A</title>${audio}</item>${other}<x:item>${audio}</x:item>`))
    assert.deepInclude(feed, { items: 1, total: 1 })
  })

  it("an element that was never closed costs no other element", () => {
    assert.strictEqual(readOne(oneItem("<br><title>A</title>")).title, "A")
    assert.strictEqual(readOne(oneItem("<title>A<guid>7</guid>")).guid, "7")
    assert.strictEqual(read(rss(`<hr><title>Show</title><item>${audio}</item>`)).title, "Show")
  })

  it("many elements that were never closed cost no item", () => {
    assert.strictEqual(read(rss(`${"<hr>".repeat(9)}<item>${audio}</item><item>${audio}</item>`)).total, 2)
  })

  it("the source of an Atom entry is not the entry", () => {
    const entry = `<entry><source><title>Other</title><id>other</id></source><title>Own</title><id>own</id><link rel="enclosure" type="audio/mpeg" href="https://x.example/a"/></entry>`
    assert.deepInclude(readOne(`<feed xmlns="http://www.w3.org/2005/Atom">${entry}</feed>`), {
      title: "Own",
      guid: "own",
    })
  })
})

describe("texts", () => {
  const titles: ReadonlyArray<readonly [written: string, read: string | null, why: string]> = [
    ["<title>1865</title>", "1865", "a number is a text"],
    [
      "<title> <![CDATA[Salt & ]]>Light &amp;amp; more </title>",
      "Salt & Light &amp; more",
      "CDATA and text, decoded once",
    ],
    [
      "<title>caf&eacute; &unknown; &amp &#8;&#x1F600;&#55357;&#56832;&#xD83D;&#x110000;</title>",
      "café &unknown; &amp 😀😀",
      "references",
    ],
    [
      "<title>&NotEqualTilde; &hellip; &CounterClockwiseContourIntegral;</title>",
      "≂̸ … ∳",
      "every name of HTML",
    ],
    ["<title>It&#146;s</title>", "It’s", "windows-1252 written as a reference"],
    ["<title>AT&T <b>bold</b> 1 < 2</title>", "AT&T bold 1 < 2", "bare marks stay, tags go"],
    [
      "<title></title><itunes:title>Second</itunes:title>",
      "Second",
      "the title of iTunes when there is no other",
    ],
    [
      "<itunes:title>Second</itunes:title><title>First</title>",
      "First",
      "the plain title before that of iTunes",
    ],
    ["<TITLE>Loud</TITLE>", "Loud", "upper case"],
    ["<title/>", null, "nothing"],
  ]
  for (const [item, title, why] of titles) {
    it(`title: ${why}`, () => assert.strictEqual(readOne(oneItem(item)).title, title))
  }

  it("titles of Atom say whether they are HTML", () => {
    const title = (attributes: string, text: string) =>
      readOne(
        `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title${attributes}>${text}</title><link rel="enclosure" href="a.mp3"/></entry></feed>`,
      ).title
    assert.strictEqual(title(` type="html"`, "AT&amp;amp;T &lt;b>x&lt;/b>"), "AT&T x")
    assert.strictEqual(
      title(` type="xhtml"`, "<div xmlns='http://www.w3.org/1999/xhtml'>AT&amp;T <b>x</b></div>"),
      "AT&T x",
    )
    assert.strictEqual(title(` type="text"`, "a &lt; b"), "a < b")
    assert.strictEqual(title("", "1 &lt;b> 2"), "1 <b> 2")
  })

  it("a long title is cut between characters, a long guid counts as missing", () => {
    const title = readOne(oneItem(`<title>${"x".repeat(999)}😀</title>`)).title
    assert.strictEqual(title, "x".repeat(999))
    assert.strictEqual(readOne(oneItem(`<guid>${"g".repeat(2049)}</guid>`)).guid, "https://cdn.example/a.mp3")
    assert.strictEqual(readOne(oneItem(`<guid>${"g".repeat(2048)}</guid>`)).guid.length, 2048)
  })
})

describe("guids and links", () => {
  it("a guid is a text, never a number, never an address of ours", () => {
    for (const guid of ["00123", "1e5", "0x1F", "/relative"]) {
      assert.strictEqual(
        readOne(oneItem(`<guid> ${guid} </guid>`), { baseUrl: "https://x.example/" }).guid,
        guid,
      )
    }
  })

  it("without a guid it is the audio", () => {
    assert.strictEqual(readOne(oneItem("<guid> </guid>")).guid, "https://cdn.example/a.mp3")
  })

  it("the link is the link, else a guid that is a permanent address", () => {
    const guid = "<guid>https://x.example/1</guid>"
    assert.strictEqual(readOne(oneItem(guid)).link, "https://x.example/1")
    assert.strictEqual(
      readOne(oneItem(`${guid}<link>https://x.example/2</link>`)).link,
      "https://x.example/2",
    )
    assert.strictEqual(readOne(oneItem(`<guid isPermaLink="false">https://x.example/1</guid>`)).link, null)
    assert.strictEqual(readOne(oneItem("<guid>abc</guid>")).link, null)
  })
})

describe("dates and lengths", () => {
  const published = (item: string) => {
    const { publishedAt } = readOne(oneItem(item))
    return publishedAt === null ? null : new Date(publishedAt).toISOString().slice(0, 10)
  }

  it("pubDate, published, dc:date, updated, in that order; one that is no date does not count", () => {
    const dates = [
      "<updated>2020-01-04</updated>",
      "<dc:date>2020-01-03</dc:date>",
      "<published>2020-01-02</published>",
      "<pubDate>1 Jan 2020 00:00 GMT</pubDate>",
    ]
    assert.strictEqual(published(dates.slice(0, 1).join("")), "2020-01-04")
    assert.strictEqual(published(dates.slice(0, 2).join("")), "2020-01-03")
    assert.strictEqual(published(dates.slice(0, 3).join("")), "2020-01-02")
    assert.strictEqual(published(dates.join("")), "2020-01-01")
    assert.strictEqual(published(`<pubDate>soon</pubDate>${dates[1]}`), "2020-01-03")
    assert.strictEqual(published(""), null)
  })

  it("the length of iTunes, else that of the media", () => {
    const media = `<media:content url="https://x.example/a.mp3" type="audio/mpeg" duration="90"/>`
    assert.strictEqual(
      readOne(oneItem(`${media}<itunes:duration>1:00</itunes:duration>`)).durationSeconds,
      60,
    )
    assert.strictEqual(readOne(rss(`<item>${media}</item>`)).durationSeconds, 90)
    const same = media.replace("x.example/a.mp3", "op3.dev/e/cdn.example/a.mp3")
    assert.strictEqual(readOne(oneItem(same)).durationSeconds, 90)
    assert.strictEqual(readOne(oneItem("<itunes:duration>long</itunes:duration>")).durationSeconds, null)
  })
})

describe("the length of the media", () => {
  const media = (attributes: string) => `<media:content url="https://x.example/${attributes}/>`
  const lengthOf = (content: string) => readOne(rss(`<item>${content}</item>`)).durationSeconds

  it("is that of the file that was chosen", () => {
    const trailer = media(`t.gif" medium="image" duration="5"`)
    const episode = media(`a.mp3" type="audio/mpeg" duration="90"`)
    assert.strictEqual(lengthOf(trailer + episode), 90)
    assert.strictEqual(lengthOf(`<media:group>${trailer}${episode}</media:group>`), 90)
    assert.strictEqual(lengthOf(trailer + media(`a.mp3" type="audio/mpeg"`)), null)
  })

  it("is not that of another file", () => {
    assert.strictEqual(lengthOf(audio + media(`trailer.mp4" type="video/mp4" duration="30"`)), null)
  })
})
