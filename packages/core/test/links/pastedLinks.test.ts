import { describe, it } from "@effect/vitest"
import { check } from "./linkSummary.js"

describe("what comes along when people paste", () => {
  const feed = "feed https://example.com/feed.xml"

  it("is dropped around the link", () =>
    check({
      "  https://example.com/feed.xml \r\n": feed,
      "\ufeffhttps://example.com/feed.xml\u200b": feed,
      "https://exam\u200bple.com/feed.xml": feed,
      "https://example.com/feed.xml)\u0000”": feed,
      "<https://example.com/feed.xml>": feed,
      "“https://example.com/feed.xml”": feed,
      "'https://example.com/feed.xml'": feed,
      "«https://example.com/feed.xml»": feed,
      "`https://example.com/feed.xml`": feed,
      "**https://example.com/feed.xml**": feed,
      "(https://example.com/feed.xml).": feed,
      "https://example.com/feed.xml,": feed,
      "https://example.com/feed.xml…": feed,
      "https://example.com/feed.xml。": feed,
      "[my show](https://example.com/feed.xml)": feed,
      '[my (show)](https://example.com/feed.xml "the title")': feed,
      "[x](<https://example.com/feed.xml>)": feed,
      "![x](https://example.com/feed.xml)": feed,
      '<a class="x" href="https://example.com/feed.xml">feed</a>': feed,
      "My show: https://example.com/feed.xml": feed,
      "Listen to this!\nhttps://example.com/feed.xml\n\nSent from my phone": feed,
      "https://example.com/feed.xml https://example.com/feed.xml": feed,
      "my show example.com/feed.xml please": feed,
      "ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ／ｆｅｅｄ．ｘｍｌ": feed,
    }))

  it("keeps what belongs to the address", () =>
    check({
      "https://example.com/a_(b)": "web https://example.com/a_(b)",
      "(https://example.com/a_(b))": "web https://example.com/a_(b)",
      "https://example.com/a?b=c=": "web https://example.com/a?b=c=",
      "https://example.com/a?b=1&amp;c=2": "web https://example.com/a?b=1&c=2",
      "https://example.com/my episode 1.mp3": "media https://example.com/my%20episode%201.mp3",
      "https://example.com/@ann": "web https://example.com/@ann",
    }))

  it("may lack or misspell the scheme", () =>
    check({
      "example.com/feed.xml": feed,
      "www.example.com": "web https://www.example.com/",
      "//example.com/feed.xml": feed,
      "example.com:8443/feed.xml": "feed https://example.com:8443/feed.xml",
      "localhost:8080/a": "web https://localhost:8080/a",
      "HTTPS://EXAMPLE.COM/feed.xml": feed,
      "https:/example.com/feed.xml": feed,
      "https:example.com/feed.xml": feed,
      "https//example.com/feed.xml": feed,
      "https;//example.com/feed.xml": feed,
      "ttps://example.com/feed.xml": feed,
      "hhttps://example.com/feed.xml": feed,
      "htps://example.com/feed.xml": feed,
      "https://https://example.com/feed.xml": feed,
      "//http//example.com/feed.xml": "feed http://example.com/feed.xml",
      "http://https://example.com/feed.xml": feed,
      "https:\\\\example.com\\feed.xml": feed,
    }))

  it("may have the scheme of a feed reader", () =>
    check({
      "feed://example.com/a": "feed http://example.com/a",
      "feed:https://example.com/a": "feed https://example.com/a",
      "feed://https://example.com/a": "feed https://example.com/a",
      "itpc://example.com/a": "feed http://example.com/a",
      "pcast://example.com/a": "feed http://example.com/a",
      "podcast:example.com/a": "feed http://example.com/a",
      "podcast://example.com/a": "feed http://example.com/a",
      "feed:": "[plain_words]",
      "feed://": "[malformed]",
      "feed:nothing": "[malformed]",
      "podcasts://podcasts.apple.com/us/podcast/id1":
        "apple 1 null us https://podcasts.apple.com/us/podcast/id1",
      "itms-podcasts://itunes.apple.com/podcast/id1":
        "apple 1 null null https://podcasts.apple.com/podcast/id1",
    }))

  it("may have a login, where it is a feed's", () =>
    check({
      "https://ann:s%40cret@example.com/feed.xml": `feed https://example.com/feed.xml Basic ${btoa("ann:s@cret")}`,
      "ann:secret@example.com/feed.xml": `feed https://example.com/feed.xml Basic ${btoa("ann:secret")}`,
      "https://token@example.com/private": `web https://example.com/private Basic ${btoa("token:")}`,
      "https://podcasts.apple.com@example.com/a": `web https://example.com/a Basic ${btoa("podcasts.apple.com:")}`,
      "https://ann:secret@example.com/ep.mp3": "[credentials]",
      "https://ann:secret@podcasts.apple.com/us/podcast/id1": "[credentials]",
      "https://ann@youtu.be/dQw4w9WgXcQ": "[credentials]",
    }))
})
