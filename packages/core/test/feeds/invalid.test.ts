import { EpisodeNotFound, FeedInvalid, type FeedLimits, readFeed, selectEpisode } from "@earmark/core/feeds"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { audio, now, oneItem, read, reasonOf, rss } from "./reading.js"

describe("what is no feed", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["", "empty"],
    [" \n\t", "empty"],
    ["<!DOCTYPE html><html><body></body></html>", "web-page"],
    ["\n<html lang='en'>", "web-page"],
    ["<opml><body/></opml>", "not-a-feed"],
    ["Not found", "not-a-feed"],
    ["{}", "not-a-feed"],
    [`{"items": [`, "not-a-feed"],
    [`{"items": {}}`, "not-a-feed"],
    ["ID3\u0004", "not-a-feed"],
  ]
  for (const [text, reason] of cases) {
    it(`${JSON.stringify(text.slice(0, 30))}: ${reason}`, () => assert.strictEqual(reasonOf(text), reason))
  }

  it("blanks, comments, a document type and the warnings of a server may come first", () => {
    const before = `\n <br />\n<b>Warning</b>: x.php <?xml version="1.0"?><!-- <html> --><!DOCTYPE rss [<!ENTITY e "<html>">]>`
    assert.strictEqual(read(before + rss("<title>&e;</title>")).title, "&e;")
  })

  it("says in one sentence what is wrong", () => {
    const error = Either.getOrThrow(Either.flip(readFeed(new Uint8Array(), { now })))
    assert.instanceOf(error, FeedInvalid)
    assert.strictEqual(error.message, "This is empty. Look whether the download of the feed went through.")
  })
})

describe("limits", () => {
  const sentence = (feed: string, limits: Partial<FeedLimits>) =>
    Either.match(readFeed(feed, { now, limits }), {
      onLeft: (error) => error.message,
      onRight: () => "no error",
    })

  it("are named by the sentence", () => {
    const items = rss("<item/>".repeat(1001))
    assert.match(sentence(items, { items: 1000 }), /more than 1,000 items\./)
    assert.match(sentence(items, { feedBytes: 5000 }), /feed has more than 5,000 bytes\./)
    assert.match(sentence(oneItem("x".repeat(3000)), { itemBytes: 2000 }), /item .* more than 2,000 bytes\./)
    assert.match(sentence(`{"items":[]}${" ".repeat(2000)}`, { jsonBytes: 1500 }), /more than 1,500 bytes\./)
  })

  const item = `<item><title>${"x".repeat(100)}</title>${audio}</item>`

  it("on the feed, an item, their number, and JSON", () => {
    const feed = rss(item.repeat(10))
    assert.strictEqual(reasonOf(feed, { limits: { feedBytes: 1500 } }), "feed-too-large")
    assert.strictEqual(reasonOf(feed, { limits: { itemBytes: 100 } }), "item-too-large")
    assert.strictEqual(reasonOf(feed, { limits: { items: 9 } }), "too-many-items")
    assert.strictEqual(reasonOf(feed, { limits: { items: 10 } }), "no error")
    const json = JSON.stringify({ items: [{ id: "x".repeat(3000) }] })
    assert.strictEqual(reasonOf(json, { limits: { jsonBytes: 2000 } }), "feed-too-large")
    assert.strictEqual(reasonOf(`{"items":[{},{}]}`, { limits: { items: 1 } }), "too-many-items")
  })
})

describe("choosing an episode", () => {
  const feed = read(
    rss(
      ["2020-01-01", "2020-01-03", "2020-01-02"]
        .map(
          (date, place) =>
            `<item><title>${date}</title><guid>${place % 2}</guid><pubDate>${date}</pubDate>${audio}</item>`,
        )
        .join(""),
    ),
  )
  const title = (selector: Parameters<typeof selectEpisode>[1]) =>
    Either.match(selectEpisode(feed, selector), {
      onLeft: (error) => error.reason,
      onRight: (episode) => episode.title,
    })

  it("the newest, by place, and by guid, the newer of two", () => {
    assert.strictEqual(title({}), "2020-01-03")
    assert.strictEqual(title({ index: 2 }), "2020-01-01")
    assert.strictEqual(title({ guid: "0" }), "2020-01-02")
  })

  it("says what is missing", () => {
    assert.strictEqual(title({ guid: "7" }), "unknown-guid")
    assert.strictEqual(title({ index: 3 }), "index-past-end")
    const none = Either.flip(selectEpisode(read(rss("")), {}))
    const error = Either.getOrThrow(none)
    assert.instanceOf(error, EpisodeNotFound)
    assert.strictEqual(error.message, "The feed has no episode with playable media.")
  })
})
