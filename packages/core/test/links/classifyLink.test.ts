import { parseCidrList } from "@earmark/core/links"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { check, summary } from "./linkSummary.js"

describe("a link by its path", () => {
  it("is media by the extension", () =>
    check({
      "https://cdn.example.com/a/ep1.mp3": "media https://cdn.example.com/a/ep1.mp3",
      "https://cdn.example.com/ep.M4A?updated=1": "media https://cdn.example.com/ep.M4A?updated=1",
      "http://example.com:8080/talk.webm": "media http://example.com:8080/talk.webm",
      "https://dts.podtrac.com/redirect.mp3/host.example/ep.ogg":
        "media https://dts.podtrac.com/redirect.mp3/host.example/ep.ogg",
      "https://example.com/a%2Fb%20c.mp3": "media https://example.com/a%2Fb%20c.mp3",
      "https://example.com/page?file=x.mp3": "web https://example.com/page?file=x.mp3",
      "https://example.com/ep.mp3/": "media https://example.com/ep.mp3/",
      "https://example.com/mp3": "web https://example.com/mp3",
      "https://example.com/redirect.mp3/episode": "web https://example.com/redirect.mp3/episode",
    }))

  it("is a feed by its extension or name", () =>
    check({
      "https://example.com/show.rss": "feed https://example.com/show.rss",
      "https://example.com/podcast.xml?format=mp3": "feed https://example.com/podcast.xml?format=mp3",
      "https://example.com/feed": "feed https://example.com/feed",
      "https://example.com/blog/feed/": "feed https://example.com/blog/feed/",
      "https://example.com/feed.json": "feed https://example.com/feed.json",
      "https://feeds.soundcloud.com/users/soundcloud:users:1/sounds.rss":
        "feed https://feeds.soundcloud.com/users/soundcloud:users:1/sounds.rss",
      "https://anchor.fm/s/1a2b/podcast/rss": "feed https://anchor.fm/s/1a2b/podcast/rss",
    }))

  it("is an object of a store by the host", () =>
    check({
      "https://b.s3.eu-west-1.amazonaws.com/k?X-Amz-Signature=a%2Bb":
        "blob https://b.s3.eu-west-1.amazonaws.com/k?X-Amz-Signature=a%2Bb",
      "https://x.public.blob.vercel-storage.com/k": "blob https://x.public.blob.vercel-storage.com/k",
      "https://a.blob.core.windows.net/c/k?sig=x": "blob https://a.blob.core.windows.net/c/k?sig=x",
      "https://b.s3.amazonaws.com/ep.mp3": "media https://b.s3.amazonaws.com/ep.mp3",
      "https://notamazonaws.com/k": "web https://notamazonaws.com/k",
    }))

  it("is an upload by its exact form", () =>
    check({
      "uploads/acct_1/0b8e1f5e-0000-4000-8000-000000000001.mp3": "upload of acct_1 mp3",
      " uploads/acct_1/0b8e1f5e-0000-4000-8000-000000000001.mp3\n": "upload of acct_1 mp3",
      "uploads/acct_1/../0b8e1f5e-0000-4000-8000-000000000001.mp3": "[relative]",
      "uploads/acct_1/0b8e1f5e.mp3": "[relative]",
      "uploads/acct_1/0b8e1f5e-0000-4000-8000-000000000001.mp3/x": "[relative]",
    }))

  it("is to be fetched and sniffed otherwise", () =>
    check({
      "https://example.com": "web https://example.com/",
      "https://example.com/show/12?x=1#t": "web https://example.com/show/12?x=1#t",
      "https://xn--bcher-kva.example/": "web https://xn--bcher-kva.example/",
      "https://bücher.example/": "web https://xn--bcher-kva.example/",
      "https://example.com./a": "web https://example.com./a",
      "https://intranet/a": "web https://intranet/a",
      "https://apple.co/abc": "web https://apple.co/abc",
      "https://evil.example/podcasts.apple.com/us/podcast/id1":
        "web https://evil.example/podcasts.apple.com/us/podcast/id1",
      "https://notyoutube.com/watch?v=dQw4w9WgXcQ": "web https://notyoutube.com/watch?v=dQw4w9WgXcQ",
    }))

  it("is no source when it is a list of streams", () =>
    check({
      "https://example.com/live.m3u8": "[live_stream]",
      "https://example.com/radio.pls": "[live_stream]",
      "rtmp://example.com/live": "[live_stream]",
    }))
})

describe("pages of podcast apps", () => {
  it("give away what they can", () =>
    check({
      "https://overcast.fm/+AbCd": "overcast page https://overcast.fm/+AbCd null",
      "https://overcast.fm/itunes123456/title": "overcast page https://overcast.fm/itunes123456/title 123456",
      "https://pca.st/episode/0b8e": "pocketcasts page https://pca.st/episode/0b8e null",
      "https://pca.st/itunes/123456": "pocketcasts page https://pca.st/itunes/123456 123456",
      "https://play.pocketcasts.com/podcasts/x":
        "pocketcasts page https://play.pocketcasts.com/podcasts/x null",
      "https://castro.fm/episode/abc": "castro page https://castro.fm/episode/abc null",
      "https://pod.link/123456/episode/abc": "podlink page https://pod.link/123456/episode/abc 123456",
      "https://pod.link/the-show": "podlink page https://pod.link/the-show null",
      "https://podcastindex.org/podcast/920666":
        "podcastindex page https://podcastindex.org/podcast/920666 null",
      "https://www.youtube.com/channel/UC0123456789012345678901":
        "youtube page https://www.youtube.com/channel/UC0123456789012345678901 https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789012345678901",
      "https://www.youtube.com/playlist?list=PL0123456789":
        "youtube page https://www.youtube.com/playlist?list=PL0123456789 https://www.youtube.com/feeds/videos.xml?playlist_id=PL0123456789",
      "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789012345678901":
        "youtube page https://www.youtube.com/channel/UC0123456789012345678901 https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789012345678901",
      "https://www.youtube.com/@ann/videos": "youtube page https://www.youtube.com/@ann null",
      "https://www.youtube.com/c/ann": "youtube page https://www.youtube.com/c/ann null",
    }))

  it("of closed services are refused", () =>
    check({
      "https://open.spotify.com/episode/abc?si=x": "[no_public_audio]",
      "https://open.spotify.com/intl-de/show/abc": "[no_public_audio]",
      "spotify:show:abc": "[no_public_audio]",
      "https://spotify.link/abc": "[no_public_audio]",
      "https://music.amazon.co.uk/podcasts/x": "[no_public_audio]",
      "https://www.audible.de/podcast/x": "[no_public_audio]",
      "https://creators.spotify.com/pod/show/x": "web https://creators.spotify.com/pod/show/x",
    }))
})

describe("what is no link", () => {
  it("is refused with its own reason", () =>
    check({
      "": "[empty]",
      " \n\u200b": "[empty]",
      "...": "[plain_words]",
      hello: "[plain_words]",
      "constructor:hello": "[scheme]",
      "3.5": "[plain_words]",
      "8.8.8.8": "web https://8.8.8.8/",
      "the daily podcast": "[plain_words]",
      "Episode 5: the return": "[plain_words]",
      "ann@example.com": "[email_address]",
      "mailto:ann@example.com": "[email_address]",
      "/home/ann/ep.mp3": "[local_file]",
      "C:\\Users\\ann\\ep.mp3": "[local_file]",
      "C:/Users/ann/my ep.mp3": "[local_file]",
      "\\\\server\\share\\ep.mp3": "[local_file]",
      "~/ep.mp3": "[local_file]",
      "./ep.mp3": "[local_file]",
      "episode.mp3": "[local_file]",
      "my episode.mp3": "[local_file]",
      "file:///home/ann/ep.mp3": "[local_file]",
      "content://media/external/audio/1": "[local_file]",
      "blob:https://example.com/0b8e": "[browser_only]",
      "data:audio/mpeg;base64,AAAA": "[browser_only]",
      "javascript:alert(1)": "[browser_only]",
      "about:blank": "[browser_only]",
      "ftp://example.com/a.mp3": "[scheme]",
      "magnet:?xt=urn:btih:abc": "[scheme]",
      "s3://bucket/key": "[scheme]",
      "tel:+123": "[scheme]",
      "/api/v1/transcriptions/tr_1": "[relative]",
      "../feed.xml": "[relative]",
      "audio/ep": "[relative]",
      "https://": "[malformed]",
      "https://exa mple.com/": "web https://exa/",
      "https://example..com/": "[malformed]",
      "https://[::1": "[malformed]",
      "https://example.com:99999/": "[malformed]",
      "https://a%00b.example/": "[malformed]",
      "https://a.example/x https://b.example/y": "[several_links]",
      "a.example/x and b.example/y": "[several_links]",
    }))

  it("may be too long", () => {
    const long = (length: number) => `https://example.com/${"a".repeat(length - 20)}`
    assert.match(summary(long(8192)), /^web /)
    assert.strictEqual(summary(long(8193)), "[too_long]")
    assert.strictEqual(summary("x".repeat(10_000_000)), "[too_long]")
  })
})

describe("literal addresses", () => {
  it("are refused when they are not public, in all their disguises", () => {
    const hosts = [
      "127.0.0.1",
      "2130706433",
      "0x7f000001",
      "0177.0.0.1",
      "0x7f.1",
      "127.1",
      "１２７.０.０.１",
      "127。0。0。1",
      "①②⑦.⓪.⓪.①",
      "%31%32%37.0.0.1",
      "127.0.0.1.",
      "10.0.0.1",
      "169.254.169.254",
      "192.168.0.1",
      "0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "[fe80::1]",
      "[fd00::1]",
      "[2001:db8::1]",
    ]
    for (const host of hosts) {
      assert.strictEqual(summary(`http://${host}/a.mp3`), "[blocked_address]", host)
    }
    assert.strictEqual(summary("127.0.0.1:8080/a.mp3"), "[blocked_address]")
    assert.strictEqual(summary("feed://10.0.0.1/a"), "[blocked_address]")
  })

  it("pass when they are public or allowed", () => {
    assert.strictEqual(summary("http://8.8.8.8/a.mp3"), "media http://8.8.8.8/a.mp3")
    assert.strictEqual(summary("http://[2606:4700::1]/a"), "web http://[2606:4700::1]/a")
    const allow = Either.getOrThrow(parseCidrList("127.0.0.0/8, ::1"))
    assert.strictEqual(summary("http://127.0.0.1:8080/a.mp3", { allow }), "media http://127.0.0.1:8080/a.mp3")
    assert.strictEqual(summary("http://[::1]:8080/", { allow }), "web http://[::1]:8080/")
    assert.strictEqual(summary("http://10.0.0.1/", { allow }), "[blocked_address]")
  })

  it("may not name the port of a system service", () => {
    for (const port of [1, 22, 25, 81, 1023]) {
      assert.strictEqual(summary(`https://example.com:${port}/`), "[blocked_port]", String(port))
    }
    for (const port of [1024, 8080, 65535]) {
      assert.match(summary(`https://example.com:${port}/`), /^web /, String(port))
    }
  })
})
