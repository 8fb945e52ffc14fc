import { assert, describe, it } from "@effect/vitest"
import { audio, read, rss } from "./reading.js"

describe("what a feed says about the show", () => {
  it("RSS with iTunes and Podcasting 2.0", () => {
    const feed = read(
      rss(`<atom:link rel="self" href="https://x.example/feed"/>
        <atom:link rel="next" href="/feed?page=2"/>
        <title>Show &amp; Tell</title><link>https://x.example</link><language>en-us</language>
        <description><![CDATA[<p>About</p>]]></description><copyright>Us</copyright>
        <image><url>https://x.example/small.jpg</url><title>Not the show</title><link>https://not.example</link></image>
        <itunes:image href="https://x.example/large.jpg"/><itunes:author>Ann</itunes:author>
        <itunes:explicit>no</itunes:explicit><itunes:type>serial</itunes:type><itunes:complete>Yes</itunes:complete>
        <itunes:category text="Arts"><itunes:category text="Design"/></itunes:category>
        <itunes:category text="News"/>
        <itunes:new-feed-url>https://new.example/feed</itunes:new-feed-url>
        <podcast:guid>917393e3</podcast:guid><podcast:medium>podcast</podcast:medium>
        <podcast:locked owner="a@x.example">yes</podcast:locked>
        <podcast:funding url="https://x.example/give">Support</podcast:funding>
        <podcast:person role="host" href="https://x.example/ann">Ann</podcast:person>
        <item><title>One</title>${audio}</item>`),
      { baseUrl: "https://x.example/feed" },
    )
    const { episodes: _, ...facts } = feed
    assert.deepStrictEqual(facts, {
      format: "rss",
      isCutOff: false,
      title: "Show & Tell",
      link: "https://x.example",
      language: "en-us",
      image: "https://x.example/large.jpg",
      author: "Ann",
      description: "<p>About</p>",
      copyright: "Us",
      explicit: false,
      type: "serial",
      categories: ["Arts", "Design", "News"],
      podcastGuid: "917393e3",
      medium: "podcast",
      locked: { locked: true, owner: "a@x.example" },
      funding: [{ url: "https://x.example/give", text: "Support" }],
      persons: [{ name: "Ann", role: "host", group: null, image: null, link: "https://x.example/ann" }],
      complete: true,
      selfUrl: "https://x.example/feed",
      newFeedUrl: "https://new.example/feed",
      nextPageUrl: "https://x.example/feed?page=2",
      total: 1,
      items: 1,
    })
  })

  it("Atom", () => {
    const feed = read(`<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &amp;amp; B</title>
      <link href="https://x.example/"/><link rel="prev-archive" href="https://x.example/old"/>
      <subtitle>Sub</subtitle><logo>https://x.example/l.png</logo><author><name>Ann</name><uri>u</uri></author></feed>`)
    assert.deepInclude(feed, {
      format: "atom",
      title: "A & B",
      link: "https://x.example/",
      description: "Sub",
      image: "https://x.example/l.png",
      author: "Ann",
      nextPageUrl: "https://x.example/old",
      total: 0,
    })
  })

  it("what stands after the items counts as well, what stands in items does not", () => {
    const feed = read(
      rss(`<item><title>One</title><link>https://one.example</link>${audio}</item><title>Show</title>
        <itunes:new-feed-url>https://new.example/</itunes:new-feed-url>`),
    )
    assert.deepInclude(feed, { title: "Show", link: null, newFeedUrl: "https://new.example/" })
  })

  it("a document that only says where the feed went", () => {
    const feed = read("<redirect><newLocation> https://new.example/feed </newLocation></redirect>")
    assert.deepInclude(feed, { newFeedUrl: "https://new.example/feed", total: 0 })
    assert.strictEqual(
      read(rss("<redirect><newLocation>https://new.example/</newLocation></redirect>")).newFeedUrl,
      "https://new.example/",
    )
  })
})
