import { type Episode, type FeedOptions, feedReader, parseFeedDate, readFeed } from "@earmark/core/feeds"
import {
  atomFeed,
  jsonFeed,
  type PodcastEpisode,
  podcastEpisodes,
  rdfFeed,
  rssFeed,
  seededRandom,
} from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { bytesOf, inPieces, now, read } from "./reading.js"

const made = Array.from(podcastEpisodes(12, 3))
const written = (pieces: Iterable<string>) => bytesOf(Array.from(pieces).join(""))
const generated = written(rssFeed(made))

/** What a reader should find of a generated episode. */
const expected = (episode: PodcastEpisode, index: number): Episode => ({
  index,
  title: episode.title,
  guid: episode.guid,
  publishedAt: episode.publishedAt,
  durationSeconds: episode.durationSeconds,
  audioUrl: episode.audioUrl,
  link: episode.link,
  image: episode.image,
  transcripts: [{ url: episode.transcriptUrl, type: "text/vtt", language: "en", rel: null }],
  details: null,
})

const readPieces = (pieces: Iterable<Uint8Array>, options: Partial<FeedOptions> = {}) =>
  Either.getOrThrow(readFeed(pieces, { now, ...options }))

describe("every way to write the same show", () => {
  it("RSS with CDATA and with escaped notes", () => {
    assert.deepStrictEqual(read(generated).episodes, made.map(expected))
    assert.deepStrictEqual(read(written(rssFeed(made, { notes: "escaped" }))).episodes, made.map(expected))
  })

  it("Atom, RDF and JSON Feed", () => {
    const bare = (episode: PodcastEpisode, index: number) => ({
      ...expected(episode, index),
      durationSeconds: null,
      image: null,
      transcripts: [],
    })
    assert.deepStrictEqual(read(written(atomFeed(made))).episodes, made.map(bare))
    assert.deepStrictEqual(read(written(rdfFeed(made))).episodes, made.map(bare))
    const fromJson = read(jsonFeed(made))
    assert.deepStrictEqual(
      fromJson.episodes,
      made.map((episode, index) => ({ ...expected(episode, index), transcripts: [] })),
    )
    assert.deepInclude(fromJson, { format: "json", total: 12, items: 12, title: "The Generated Show" })
  })

  it.prop(
    "any prefixes, swapped ones too",
    { prefixes: fc.shuffledSubarray(["itunes", "podcast", "content", "x", "media"], { minLength: 3 }) },
    ({ prefixes: [itunes = "", podcast = "", content = ""] }) => {
      const feed = written(rssFeed(made, { prefixes: { itunes, podcast, content } }))
      assert.deepStrictEqual(read(feed, { details: true }), read(generated, { details: true }))
    },
  )

  it("any encoding, declared, marked or announced", () => {
    const text = Array.from(rssFeed(made, { encoding: "utf-16" })).join("")
    const littleEndian = Buffer.from(`\ufeff${text}`, "utf16le")
    const bigEndian = Buffer.from(littleEndian).swap16()
    assert.deepStrictEqual(read(littleEndian), read(generated))
    assert.deepStrictEqual(read(bigEndian), read(generated))
    // Without its mark the first "<" tells.
    assert.deepStrictEqual(read(littleEndian.subarray(2)), read(generated))
    assert.deepStrictEqual(read(bigEndian.subarray(2)), read(generated))
    assert.deepStrictEqual(read(Buffer.concat([Buffer.from("\ufeff"), generated])), read(generated))
  })
})

describe("callers without types", () => {
  it("may give a text, whatever encoding it declares", () => {
    const text = `<?xml version="1.0" encoding="iso-8859-1"?><rss><channel><title>é 日</title></channel></rss>`
    assert.strictEqual(Either.getOrThrow(readFeed(text, { now })).title, "é 日")
    assert.strictEqual(Either.getOrThrow(readFeed(`\ufeff${text}`, { now })).title, "é 日")
    assert.strictEqual(Either.getOrThrow(Either.flip(readFeed("", { now }))).reason, "empty")
  })

  it("hear that now is missing", () => {
    // @ts-expect-error The types refuse it, too.
    assert.throws(() => readFeed(generated), /\{ now \}: milliseconds/)
    // @ts-expect-error The types refuse it, too.
    assert.throws(() => feedReader({}), TypeError)
  })

  it("get no episode when they ask for less than one", () => {
    for (const newest of [-1, 0, 0.5, Number.NaN, Number.NEGATIVE_INFINITY]) {
      assert.deepInclude(read(generated, { newest }), { total: 12, episodes: [] })
    }
    assert.strictEqual(read(generated, { newest: 1.5 }).episodes.length, 1)
  })
})

describe("laws of reading", () => {
  it.prop(
    "any split gives the same feed",
    { cuts: fc.array(fc.nat(generated.length), { maxLength: 30 }) },
    ({ cuts }) => {
      const places = [0, ...cuts.sort((left, right) => left - right), generated.length]
      const pieces = places.slice(1).map((place, index) => generated.subarray(places[index], place))
      assert.deepStrictEqual(readPieces(pieces, { details: true }), read(generated, { details: true }))
    },
  )

  it("a reader that has ended says the same again", () => {
    const reader = feedReader({ now })
    reader.push(generated)
    const outcome = reader.end()
    reader.push(generated)
    assert.deepStrictEqual(reader.end(), outcome)
    assert.deepStrictEqual(Either.getOrThrow(outcome), read(generated))
  })

  /** Blanks that put the end of what is looked at first, after 1,024 bytes, at a place of the feed. */
  const withCutAt = (feed: Uint8Array, place: number) => [
    Buffer.concat([Buffer.alloc(1024 - place, " "), feed.subarray(0, place)]),
    feed.subarray(place),
  ]

  it("a first look that ends within the name of the root does not mistake it", () => {
    const outcome = readFeed(withCutAt(bytesOf("<feeds><item/></feeds>"), 5), { now })
    assert.isTrue(Either.isLeft(outcome))
  })

  it("a first look that ends at any byte changes nothing", () => {
    const feed = bytesOf(`<?xml version="1.0"?><!-- <item> --><!DOCTYPE rss [<!ENTITY a "b">]>
      <rss xmlns:it="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><!-- <item><enclosure url="n.mp3"/></item> --><title><![CDATA[<item>é]]></title>
      <hr><podcast:liveItem><enclosure url="l.mp3"/></podcast:liveItem><!-- <item><enclosure url="n.mp3"/></item> </channel> -->
      <item xml:base="https://x.example/"><title>A &amp; é<b>c</b></title><it:duration>1:00</it:duration><!-- </item> --><item/>
      <description><![CDATA[</item>]]></description><enclosure url='a.mp3' title=">"/><br><guid>1</guid></item>
      <item><enclosure url="b.mp3"/><guid>2</guid><item><enclosure url="c.mp3"/><guid>3</guid></item></channel></rss>`)
    const whole = read(feed, { details: true })
    assert.deepStrictEqual(
      whole.episodes.map(({ guid }) => guid),
      ["1", "2", "3"],
    )
    for (let place = 0; place < Math.min(feed.length, 1024); place++) {
      assert.deepStrictEqual(readPieces(withCutAt(feed, place), { details: true }), whole, `cut at ${place}`)
    }
  })

  it("one byte at a time, from a buffer that is used again", () => {
    const buffer = new Uint8Array(1)
    function* bytes() {
      for (const byte of generated) {
        buffer[0] = byte
        yield buffer
      }
    }
    assert.deepStrictEqual(readPieces(bytes()), read(generated))
  })

  it.prop(
    "a feed cut at any byte lists the items before the cut",
    { cut: fc.nat(generated.length), newest: fc.constantFrom(undefined, 3) },
    ({ cut, newest }) => {
      const outcome = readFeed(generated.subarray(0, cut), { now, newest })
      if (Either.isLeft(outcome)) return assert.isTrue(cut < 200)
      const complete = Buffer.from(generated.subarray(0, cut)).toString("latin1").split("</item>").length - 1
      assert.strictEqual(outcome.right.total, complete)
      assert.deepStrictEqual(
        outcome.right.episodes,
        made.slice(0, Math.min(complete, newest ?? complete)).map(expected),
      )
    },
  )

  const few = Array.from(podcastEpisodes(2, 3))
  const shows = { rss: rssFeed(few), atom: atomFeed(few), rdf: rdfFeed(few) }
  for (const [format, pieces] of Object.entries(shows)) {
    const feed = Buffer.concat([written(pieces), Buffer.from("\n<!-- the end -->\n")])
    const end = feed.lastIndexOf(">", feed.lastIndexOf("<!--")) + 1
    it(`every prefix of ${format} knows that it was cut off, until its root is closed`, () => {
      for (let cut = 0; cut <= feed.length; cut++) {
        const outcome = readFeed(feed.subarray(0, cut), { now, newest: 1 })
        if (Either.isRight(outcome)) assert.strictEqual(outcome.right.isCutOff, cut < end, `cut at ${cut}`)
        else assert.isBelow(cut, 200)
      }
    })
  }

  it("what was cut off in an item, in a comment, or in JSON", () => {
    assert.isTrue(read("<rss><channel><item><enclosure url='a.mp3'/></item>").isCutOff)
    assert.isTrue(read("<rss><channel></channel><!-- </rss>").isCutOff)
    assert.isTrue(read("<rss><channel><![CDATA[</channel></rss>").isCutOff)
    assert.isFalse(read("<rss><channel><item></channel></rss><!-- ").isCutOff)
    assert.isFalse(read("<rss/>").isCutOff)
    assert.isFalse(read("<Redirect><newLocation>https://x.example/</newLocation></Redirect>").isCutOff)
    assert.isTrue(read("<redirect><newLocation>https://x.example/</newLocation>").isCutOff)
    const json = jsonFeed(made)
    assert.isFalse(read(json).isCutOff)
    for (let cut = 1; cut < json.length; cut += 97) {
      assert.isTrue(Either.isLeft(readFeed(bytesOf(json.slice(0, cut)), { now })), `cut at ${cut}`)
    }
  })

  it.prop(
    "shuffled items give the same list, and the newest N are the first N of it",
    { seed: fc.nat(), newest: fc.nat(15), size: fc.integer({ min: 1, max: 20_000 }) },
    ({ seed, newest, size }) => {
      const random = seededRandom(seed)
      const shuffled = written(
        rssFeed(
          made
            .map((episode) => [random(), episode] as const)
            .sort(([a], [b]) => a - b)
            .map(([, episode]) => episode),
        ),
      )
      const all = read(shuffled)
      assert.deepStrictEqual(all.episodes, made.map(expected))
      const few = readPieces(inPieces(shuffled, size), { newest })
      assert.deepStrictEqual(few, { ...all, episodes: all.episodes.slice(0, newest) })
    },
  )

  it.prop(
    "ties keep the order of the feed, undated and far future ones come last",
    { days: fc.array(fc.constantFrom(1, 2, 3, null, 400), { maxLength: 40 }), newest: fc.nat(10) },
    ({ days, newest }) => {
      const date = (day: number) => new Date(now + (day - 3) * 86_400_000).toUTCString()
      const items = days.map(
        (day, place) =>
          `<item><guid>${place}</guid>${day === null ? "" : `<pubDate>${date(day)}</pubDate>`}<enclosure url="a.mp3"/></item>`,
      )
      const feed = `<rss>${items.join("")}</rss>`
      const rank = (day: number | null | undefined) =>
        day === null || day === undefined || day === 400 ? -1 : day
      const order = days.map((_, place) => place).sort((left, right) => rank(days[right]) - rank(days[left]))
      const all = read(feed)
      assert.deepStrictEqual(
        all.episodes.map(({ guid }) => Number(guid)),
        order,
      )
      for (const { guid, publishedAt } of all.episodes) {
        const day = days[Number(guid)] ?? null
        assert.strictEqual(publishedAt, day === null ? null : parseFeedDate(date(day)))
      }
      assert.deepStrictEqual(read(feed, { newest }).episodes, all.episodes.slice(0, newest))
    },
  )

  const scrap = fc.constantFrom(
    "<item>",
    "</item>",
    "<item/>",
    "<title>",
    "</title>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<enclosure url='a.mp3'/>",
    "<",
    ">",
    "&",
    "&amp;",
    "&#x1f600;",
    "é",
    "\ud800",
    '"',
    "'",
    " xmlns:a='b'",
    "<media:group>",
    "</channel>",
    "<channel>",
    "<?x",
    "<!DOCTYPE [",
    "]>",
    "<link href='",
    "<pubDate>1 Jan 2020</pubDate>",
  )

  it.prop(
    "rubbish never throws, and reads the same at every split",
    { scraps: fc.array(scrap, { maxLength: 60 }), size: fc.integer({ min: 1, max: 40 }), cut: fc.nat(1000) },
    ({ scraps, size, cut }) => {
      const feed = Buffer.from(`<rss><channel>${scraps.join("")}`)
      const whole = readFeed(feed, { now, details: true })
      const place = Math.min(feed.length, cut)
      assert.deepStrictEqual(readFeed(withCutAt(feed, place), { now, details: true }), whole)
      assert.deepStrictEqual(readFeed(inPieces(feed, size), { now, details: true }), whole)
      const few = readFeed(feed, { now, details: true, newest: 2 })
      if (Either.isRight(whole) && Either.isRight(few)) {
        assert.deepStrictEqual(few.right, { ...whole.right, episodes: whole.right.episodes.slice(0, 2) })
      }
    },
  )

  it.prop(
    "bytes of any kind never throw",
    {
      bytes: fc.uint8Array({ maxLength: 3000 }),
      head: fc.constantFrom("", "<rss>", "{", "<feed>", "\ufeff<rss>"),
    },
    ({ bytes, head }) => {
      readFeed([Buffer.from(head), bytes], { now, details: true })
    },
  )
})
