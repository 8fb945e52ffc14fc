import { assert, describe, it } from "@effect/vitest"
import { audio, oneItem, read, readOne, rss } from "./reading.js"

const ITUNES = `xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"`

describe("the case of attributes", () => {
  it("does not matter", () => {
    const item = `<GUID ISPERMALINK="false">https://x.example/1</GUID><Enclosure URL="https://x.example/a.mp3" TYPE="audio/mpeg" Length="7"/><media:content URL="https://x.example/a.mp3" filesize="9" Duration="90"/><podcast:soundbite starttime="1" DURATION="2"/>`
    const episode = readOne(rss(`<item>${item}</item>`), { details: true })
    assert.deepInclude(episode, { link: null, audioUrl: "https://x.example/a.mp3", durationSeconds: 90 })
    assert.deepInclude(episode.details?.enclosure, { type: "audio/mpeg", length: 7 })
    assert.deepInclude(episode.details?.soundbites[0], { start: 1000, duration: 2000 })
  })

  it("nor that of namespaces and bases", () => {
    const item = `<it:duration>7</it:duration><enclosure url="a.mp3" type="audio/mpeg"/>`
    const attributes = `XMLNS:it="http://www.itunes.com/dtds/podcast-1.0.dtd" XML:BASE="https://x.example/"`
    assert.deepInclude(readOne(rss(`<item>${item}</item>`, attributes)), {
      durationSeconds: 7,
      audioUrl: "https://x.example/a.mp3",
    })
    const own = `<item><Duration XMLNS="http://www.itunes.com/dtds/podcast-1.0.dtd">8</Duration>${audio}</item>`
    assert.strictEqual(readOne(rss(own)).durationSeconds, 8)
  })
})

describe("addresses written as text", () => {
  it("are those of a picture and of an enclosure", () => {
    const picture = "<itunes:image> https://x.example/a.jpg </itunes:image>"
    const feed = read(rss(`${picture}<item>${picture}${audio}</item>`))
    assert.strictEqual(feed.image, "https://x.example/a.jpg")
    assert.strictEqual(feed.episodes[0]?.image, "https://x.example/a.jpg")
    const inside = "<itunes:image><url>https://x.example/b.jpg</url></itunes:image>"
    assert.strictEqual(readOne(oneItem(inside)).image, "https://x.example/b.jpg")
    const enclosure = "<enclosure>https://x.example/a.mp3</enclosure>"
    assert.strictEqual(readOne(rss(`<item>${enclosure}</item>`)).audioUrl, "https://x.example/a.mp3")
    assert.strictEqual(readOne(oneItem("<itunes:image>our picture</itunes:image>")).image, null)
  })
})

describe("relations of Atom", () => {
  const IANA = "http://www.iana.org/assignments/relation/"

  it("may be addresses of the registry, in any case", () => {
    for (const prefix of [IANA, IANA.replace("http:", "https:"), ""]) {
      const link = (rel: string, href: string) =>
        `<link rel="${prefix}${rel}" href="https://x.example/${href}"/>`
      const feed = read(
        `<feed xmlns="http://www.w3.org/2005/Atom">${link("self", "feed")}${link("next", "2")}<entry>${link("alternate", "page")}${link(prefix === "" ? "Enclosure" : "enclosure", "a.mp3")}</entry></feed>`,
      )
      assert.deepInclude(feed, { selfUrl: "https://x.example/feed", nextPageUrl: "https://x.example/2" })
      assert.deepInclude(feed.episodes[0], {
        audioUrl: "https://x.example/a.mp3",
        link: "https://x.example/page",
      })
    }
  })

  it("are several words in one attribute", () => {
    const entry = `<entry><link rel="related enclosure" href="https://x.example/a.mp3"/></entry>`
    assert.strictEqual(
      readOne(`<feed xmlns="http://www.w3.org/2005/Atom">${entry}</feed>`).audioUrl,
      "https://x.example/a.mp3",
    )
  })
})

describe("namespaces", () => {
  const duration = (item: string, attributes = "") => readOne(oneItem(item, attributes)).durationSeconds
  const spellings = [
    "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "https://www.itunes.com/dtds/podcast-1.0.dtd/",
    "HTTP://WWW.ITUNES.COM/DTDs/Podcast-1.0.dtd",
    "http://itunes.com/dtds/podcast-1.0.dtd",
  ]
  for (const uri of spellings) {
    it(`by address: ${uri}`, () => {
      assert.strictEqual(duration("<it:duration>7</it:duration>", `xmlns:it="${uri}"`), 7)
    })
  }

  it("declared on the item, on the element, as the default, or not at all", () => {
    const uri = spellings[0]
    assert.strictEqual(duration(`<it:duration xmlns:it="${uri}">7</it:duration>`), 7)
    assert.strictEqual(duration(`<duration xmlns="${uri}">7</duration>`), 7)
    assert.strictEqual(duration("<itunes:duration>7</itunes:duration>"), 7)
    const item = rss(`<item xmlns:it="${uri}"><it:duration>7</it:duration>${audio}</item>`)
    assert.strictEqual(readOne(item).durationSeconds, 7)
    assert.strictEqual(duration("<duration>7</duration>"), null)
    assert.strictEqual(duration("<it:duration>7</it:duration>"), null)
  })

  it("a declaration inside one item ends with it", () => {
    const first = `<item xmlns:it="${spellings[0]}"><it:duration>7</it:duration>${audio}</item>`
    const feed = read(rss(`${first}<item><it:duration>8</it:duration>${audio}</item>`))
    assert.deepStrictEqual(
      feed.episodes.map(({ durationSeconds }) => durationSeconds),
      [7, null],
    )
  })

  it("an undeclared title of another namespace is not the title", () => {
    assert.strictEqual(
      readOne(oneItem("<media:title>M</media:title><x:title>X</x:title><title>T</title>", ITUNES)).title,
      "T",
    )
  })

  it("both addresses of the podcast namespace", () => {
    for (const uri of [
      "https://podcastindex.org/namespace/1.0",
      "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ]) {
      const { transcripts } = readOne(
        oneItem(
          `<p:transcript url="/t.vtt" type="text/vtt" language="en" rel="captions"/>`,
          `xmlns:p="${uri}"`,
        ),
        { baseUrl: "https://x.example/feed" },
      )
      assert.deepStrictEqual(transcripts, [
        { url: "https://x.example/t.vtt", type: "text/vtt", language: "en", rel: "captions" },
      ])
    }
  })
})
