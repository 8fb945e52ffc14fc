import { assert, it } from "@effect/vitest"
import { audio, oneItem, readOne, rss } from "./reading.js"

it("reads all that a podcast app shows of an episode", () => {
  const item = `<description>Short &lt;b></description>
    <content:encoded><![CDATA[<p>Long &amp; rich</p>]]></content:encoded>
    <itunes:summary>Summary</itunes:summary><itunes:subtitle>Subtitle</itunes:subtitle>
    <itunes:author>Ann</itunes:author><itunes:explicit>true</itunes:explicit>
    <itunes:season>3</itunes:season><itunes:episode>12</itunes:episode><itunes:episodeType>bonus</itunes:episodeType>
    <itunes:keywords>one, two,,three </itunes:keywords><category>Talk</category>
    <podcast:chapters url="https://x.example/c.json" type="application/json+chapters"/>
    <psc:chapters version="1.2"><psc:chapter start="0:00" title="Start"/><psc:chapter start="00:01:02.500" title="Next" href="https://x.example/n" image="https://x.example/n.jpg"/><psc:chapter title="No start"/></psc:chapters>
    <podcast:person role="guest" group="cast" img="https://x.example/b.jpg">Bob</podcast:person>
    <podcast:soundbite startTime="73.0" duration="60.5">Best</podcast:soundbite>
    <podcast:transcript url="https://x.example/t.srt" type="application/srt" language="de" rel="captions"/>
    <podcast:transcript url="https://x.example/t.html" type="text/html"/>
    <podcast:alternateEnclosure type="audio/opus" length="5" bitrate="64000.5" default="true" title="Small" lang="de"><podcast:source uri="https://x.example/a.opus" contentType="audio/opus"/><podcast:source uri="ipfs://x"/><podcast:integrity type="sri" value="sha384-x"/></podcast:alternateEnclosure>
    <updated>2020-01-02</updated>`
  const episode = readOne(oneItem(item), { details: true })
  assert.deepStrictEqual(episode.transcripts, [
    { url: "https://x.example/t.srt", type: "application/srt", language: "de", rel: "captions" },
    { url: "https://x.example/t.html", type: "text/html", language: null, rel: null },
  ])
  assert.deepStrictEqual(episode.details, {
    description: "<p>Long &amp; rich</p>",
    summary: "Summary",
    subtitle: "Subtitle",
    author: "Ann",
    explicit: true,
    season: 3,
    episode: 12,
    episodeType: "bonus",
    keywords: ["one", "two", "three"],
    categories: ["Talk"],
    updatedAt: Date.UTC(2020, 0, 2),
    enclosure: { url: "https://cdn.example/a.mp3", type: "audio/mpeg", length: 123 },
    alternateEnclosures: [
      {
        type: "audio/opus",
        length: 5,
        bitrate: 64000.5,
        height: null,
        language: "de",
        title: "Small",
        rel: null,
        isDefault: true,
        integrity: { type: "sri", value: "sha384-x" },
        sources: [
          { uri: "https://x.example/a.opus", contentType: "audio/opus" },
          { uri: "ipfs://x", contentType: null },
        ],
      },
    ],
    chaptersFile: { url: "https://x.example/c.json", type: "application/json+chapters" },
    chapters: [
      { start: 0, title: "Start", link: null, image: null },
      { start: 62_500, title: "Next", link: "https://x.example/n", image: "https://x.example/n.jpg" },
    ],
    persons: [{ name: "Bob", role: "guest", group: "cast", image: "https://x.example/b.jpg", link: null }],
    soundbites: [{ start: 73_000, duration: 60_500, title: "Best" }],
  })
})

it("reads notes as they were meant: escaped, as CDATA, or as elements", () => {
  const notes = (description: string) => readOne(oneItem(description), { details: true }).details?.description
  assert.strictEqual(notes("<description>&lt;p>A &amp;amp; B&lt;/p></description>"), "<p>A &amp; B</p>")
  assert.strictEqual(notes("<description><![CDATA[<p>A &amp; B</p>]]></description>"), "<p>A &amp; B</p>")
  assert.strictEqual(notes("<description><p>A &amp; B</p></description>"), "<p>A &amp; B</p>")
  assert.strictEqual(notes("<itunes:summary>Plain</itunes:summary>"), "Plain")
  assert.strictEqual(notes("<description/>"), null)
})

it("reads none of it unless asked", () => {
  assert.strictEqual(readOne(rss(`<item><description>D</description>${audio}</item>`)).details, null)
})
