import { classifyLink, type Link, type LinkRefused, parseCidrList } from "@earmark/core/links"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

/** The kind and what matters of it in one line, or the reason of the refusal in brackets. */
const summary = (text: string, options?: Parameters<typeof classifyLink>[1]): string =>
  Either.match(classifyLink(text, options), {
    onLeft: (refused: LinkRefused) => `[${refused.reason}]`,
    onRight: (link: Link) => {
      switch (link.kind) {
        case "apple":
          return `apple ${link.showId} ${link.episodeId} ${link.storefront} ${link.url}`
        case "social":
          return `${link.site} ${link.url}`
        case "page":
          return `${link.app} page ${link.url} ${link.appleId ?? link.feedUrl}`
        case "upload":
          return `upload of ${link.account} ${link.extension}`
        case "feed":
        case "web":
          return `${link.kind} ${link.url}${link.authorization === null ? "" : ` ${link.authorization}`}`
        default:
          return `${link.kind} ${link.url}`
      }
    },
  })

const check = (table: Readonly<Record<string, string>>) => {
  for (const [text, expected] of Object.entries(table)) assert.strictEqual(summary(text), expected, text)
}

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

describe("Apple links", () => {
  const show = "apple 123 null null https://podcasts.apple.com/podcast/id123"
  it("are read in every form", () =>
    check({
      "https://podcasts.apple.com/us/podcast/the-show/id123":
        "apple 123 null us https://podcasts.apple.com/us/podcast/id123",
      "https://podcasts.apple.com/podcast/the-show/id123": show,
      "https://podcasts.apple.com/podcast/id123": show,
      "podcasts.apple.com/podcast/id123": show,
      "http://itunes.apple.com/podcast/id123?mt=2&uo=4": show,
      "https://embed.podcasts.apple.com/gb/podcast/x/id123?i=1000456&theme=dark":
        "apple 123 1000456 gb https://podcasts.apple.com/gb/podcast/id123?i=1000456",
      "https://geo.itunes.apple.com/DE/podcast/x/id123?i=1":
        "apple 123 1 de https://podcasts.apple.com/de/podcast/id123?i=1",
      "https://podcasts.apple.com/us/podcast/%E6%97%A5%E6%9C%AC/id123?i=77#x":
        "apple 123 77 us https://podcasts.apple.com/us/podcast/id123?i=77",
      "https://podcasts.apple.com/us/podcast/id9/id123":
        "apple 123 null us https://podcasts.apple.com/us/podcast/id123",
      "https://podcasts.apple.com/us/podcast/id123?i=":
        "apple 123 null us https://podcasts.apple.com/us/podcast/id123",
      "https://podcasts.apple.com/us/podcast/id123?i=12ab":
        "apple 123 12 us https://podcasts.apple.com/us/podcast/id123?i=12",
      "https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewPodcast?id=123": show,
    }))

  it("are refused when they are no show", () =>
    check({
      "https://podcasts.apple.com/us/browse": "[not_a_show]",
      "https://podcasts.apple.com/us/channel/x/id123": "[not_a_show]",
      "https://itunes.apple.com/us/album/x/id123": "[not_a_show]",
      "https://podcasts.apple.com/us/podcast/the-show": "[not_a_show]",
    }))
})

describe("social links", () => {
  const video = "youtube https://www.youtube.com/watch?v=dQw4w9WgXcQ"
  it("have one form for each post", () =>
    check({
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL123456789012&t=3s": video,
      "youtube.com/watch?feature=x&v=dQw4w9WgXcQ": video,
      "https://m.youtube.com/watch?v=dQw4w9WgXcQ": video,
      "https://music.youtube.com/watch?v=dQw4w9WgXcQ": video,
      "https://youtu.be/dQw4w9WgXcQ?si=abc": video,
      "https://www.youtube.com/shorts/dQw4w9WgXcQ": video,
      "https://www.youtube.com/live/dQw4w9WgXcQ": video,
      "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ": video,
      "https://www.tiktok.com/@ann/video/7123?lang=de": "tiktok https://www.tiktok.com/@ann/video/7123",
      "https://m.tiktok.com/v/7123.html": "tiktok https://www.tiktok.com/@/video/7123",
      "https://vm.tiktok.com/ZMabc/": "tiktok https://vm.tiktok.com/ZMabc",
      "https://www.tiktok.com/t/ZMabc": "tiktok https://www.tiktok.com/t/ZMabc",
      "https://www.instagram.com/reel/Cabc_123/?igsh=x": "instagram https://www.instagram.com/reel/Cabc_123/",
      "https://instagram.com/ann/reel/Cabc_123": "instagram https://www.instagram.com/reel/Cabc_123/",
      "https://www.instagram.com/p/Cabc_123/": "instagram https://www.instagram.com/p/Cabc_123/",
      "https://www.instagram.com/share/reel/Babc_123/":
        "instagram https://www.instagram.com/share/reel/Babc_123/",
      "https://www.facebook.com/story.php?story_fbid=12&id=34&x=y":
        "facebook https://www.facebook.com/permalink.php?story_fbid=12&id=34",
      "https://www.facebook.com/groups/x/permalink/12/":
        "facebook https://www.facebook.com/groups/x/permalink/12",
      "https://vimeo.com/showcase/1/video/123": "vimeo https://vimeo.com/123",
      "https://vimeo.com/groups/2/videos/123": "vimeo https://vimeo.com/123",
      "https://twitter.com/ann/status/123?s=20": "x https://x.com/i/status/123",
      "https://mobile.twitter.com/ann/status/123/video/1": "x https://x.com/i/status/123",
      "https://x.com/i/web/status/123": "x https://x.com/i/status/123",
      "https://x.com/i/spaces/1abc": "x https://x.com/i/spaces/1abc",
      "https://www.facebook.com/watch/?v=123&ref=share": "facebook https://www.facebook.com/watch/?v=123",
      "https://m.facebook.com/ann/videos/title/123/": "facebook https://www.facebook.com/watch/?v=123",
      "https://de-de.facebook.com/video.php?v=123": "facebook https://www.facebook.com/watch/?v=123",
      "https://www.facebook.com/reel/123": "facebook https://www.facebook.com/reel/123",
      "https://www.facebook.com/share/v/abc/": "facebook https://www.facebook.com/share/v/abc",
      "https://fb.watch/abc/": "facebook https://fb.watch/abc/",
      "https://old.reddit.com/r/x/comments/abc/title/": "reddit https://www.reddit.com/comments/abc",
      "https://redd.it/abc": "reddit https://www.reddit.com/comments/abc",
      "https://v.redd.it/abc": "reddit https://v.redd.it/abc",
      "https://www.reddit.com/r/x/s/abc": "reddit https://www.reddit.com/r/x/s/abc",
      "https://vimeo.com/123": "vimeo https://vimeo.com/123",
      "https://vimeo.com/channels/x/123": "vimeo https://vimeo.com/123",
      "https://player.vimeo.com/video/123?h=0a1b2c3d": "vimeo https://vimeo.com/123/0a1b2c3d",
      "https://vimeo.com/123/0a1b2c3d": "vimeo https://vimeo.com/123/0a1b2c3d",
      "https://clips.twitch.tv/Abc-def": "twitch https://clips.twitch.tv/Abc-def",
      "https://clips.twitch.tv/embed?clip=Abc": "twitch https://clips.twitch.tv/Abc",
      "https://m.twitch.tv/ann/clip/Abc": "twitch https://clips.twitch.tv/Abc",
      "https://bsky.app/profile/ann.example/post/3k": "bluesky https://bsky.app/profile/ann.example/post/3k",
      "https://de.linkedin.com/posts/ann_activity-1?utm_source=x":
        "linkedin https://www.linkedin.com/posts/ann_activity-1",
      "https://www.linkedin.com/feed/update/urn:li:activity:1/":
        "linkedin https://www.linkedin.com/feed/update/urn:li:activity:1",
      "https://soundcloud.com/ann/track?in=x": "soundcloud https://soundcloud.com/ann/track",
      "https://m.soundcloud.com/ann/track/s-key": "soundcloud https://soundcloud.com/ann/track/s-key",
      "https://on.soundcloud.com/abc": "soundcloud https://on.soundcloud.com/abc",
    }))

  it("keep their form when they are read again", () => {
    for (const url of [
      "https://www.tiktok.com/@/video/7123",
      "https://www.tiktok.com/t/ZMabc",
      "https://vm.tiktok.com/ZMabc",
      "https://www.instagram.com/share/reel/Babc_123/",
      "https://www.instagram.com/p/Cabc_123/",
      "https://x.com/i/status/123",
      "https://www.facebook.com/watch/?v=123",
      "https://www.facebook.com/permalink.php?story_fbid=12&id=34",
      "https://fb.watch/abc/",
      "https://www.reddit.com/comments/abc",
      "https://v.redd.it/abc",
      "https://vimeo.com/123/0a1b2c3d",
      "https://clips.twitch.tv/Abc",
      "https://soundcloud.com/ann/track/s-key",
      "https://on.soundcloud.com/abc",
    ]) {
      assert.strictEqual(Either.getOrThrow(classifyLink(url)).kind, "social")
      assert.include(summary(url), ` ${url}`)
    }
  })

  it("are refused when they are no single post", () => {
    const overviews = [
      "https://www.youtube.com/",
      "https://www.youtube.com/@:/videos",
      "https://www.youtube.com/results?search_query=x",
      "https://www.youtube.com/watch?v=short",
      "https://www.tiktok.com/@ann",
      "https://www.instagram.com/ann/",
      "https://x.com/ann",
      "https://www.facebook.com/ann",
      "https://www.reddit.com/r/x/",
      "https://vimeo.com/ann",
      "https://vimeo.com/event/123",
      "https://www.twitch.tv/ann",
      "https://www.twitch.tv/videos/123",
      "https://bsky.app/profile/ann.example",
      "https://www.linkedin.com/in/ann",
      "https://soundcloud.com/ann",
      "https://soundcloud.com/ann/sets/x",
    ]
    for (const text of overviews) assert.strictEqual(summary(text), "[not_a_post]", text)
  })

  it("are not taken for those of a look-alike", () => {
    for (const host of [
      "youtube.com.example",
      "xyoutube.com",
      "help.x.com",
      "fb.watch.example",
      "about.linkedin.com",
    ]) {
      assert.match(summary(`https://${host}/watch?v=dQw4w9WgXcQ`), /^web /, host)
    }
  })
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

describe("refusals", () => {
  it("carry the code of the wire and one sentence", () => {
    const refusal = (text: string) => Either.getOrThrow(Either.flip(classifyLink(text)))
    assert.strictEqual(refusal("").code, "missing_source")
    assert.strictEqual(refusal("ftp://example.com/").code, "invalid_request")
    assert.strictEqual(refusal("http://127.0.0.1/").code, "blocked_address")
    assert.strictEqual(refusal("https://example.com:22/").code, "blocked_address")
    assert.strictEqual(refusal("https://open.spotify.com/show/a").code, "source_not_supported")
    assert.include(refusal("https://open.spotify.com/show/a").message, "paste the RSS or Apple link")
  })

  const piece = FastCheck.oneof(
    FastCheck.fullUnicodeString({ maxLength: 5 }),
    FastCheck.constantFrom(
      "http",
      "https",
      ":",
      "//",
      "feed:",
      "@",
      ".",
      "www.",
      "example.com",
      "[",
      "](",
      ")",
      "<",
      ">",
    ),
    FastCheck.constantFrom(
      " ",
      "\n",
      "?",
      "#",
      "&",
      "=",
      "%",
      "\\",
      "127.0.0.1",
      "podcasts.apple.com",
      "/podcast/id1",
    ),
    FastCheck.constantFrom(
      "youtube.com/",
      "watch?v=",
      "uploads/",
      ".mp3",
      "“",
      "\ud800",
      "\u0000",
      "ｈ",
      "C:",
      "spotify:",
    ),
  )
  const pasted = FastCheck.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""))

  it.prop(
    "any text gets an answer, and no refusal repeats it",
    { text: pasted },
    ({ text }) => {
      Either.match(classifyLink(text), {
        onLeft: (refused) => assert.match(refused.message, /^[A-Z].*\.$/),
        onRight: (link) => {
          if (link.kind === "upload") return
          const url = new URL(link.url)
          assert.include(["http:", "https:"], url.protocol)
          assert.strictEqual(url.username + url.password, "")
        },
      })
    },
    { fastCheck: { numRuns: 3000 } },
  )

  it.prop(
    "the address of a link is a link of the same kind",
    { text: pasted },
    ({ text }) => {
      const link = classifyLink(text)
      if (Either.isLeft(link) || link.right.kind === "upload") return
      const again = Either.getOrThrow(classifyLink(link.right.url))
      const isFeedByScheme = link.right.kind === "feed" && again.kind !== "feed"
      if (!isFeedByScheme)
        assert.deepStrictEqual({ ...again, authorization: null }, { ...link.right, authorization: null })
    },
    { fastCheck: { numRuns: 3000 } },
  )

  it("take linear time", () => {
    const pieces = [
      "](",
      "[",
      "<a href",
      "https://",
      "a.",
      "@a.",
      "(",
      "http:",
      "：",
      "= ",
      "a b.c/ ",
      "\u200b",
      ")",
      "&amp;",
    ]
    for (const text of pieces) {
      const started = performance.now()
      for (const around of [text, `[${text}`, `https://${text}`, `a@${text}`, `${text})`]) {
        classifyLink(around.repeat(Math.floor(32_768 / around.length)))
        classifyLink(around + text.repeat(Math.floor(32_000 / text.length)))
        classifyLink(around + text.repeat(Math.floor(8000 / text.length)))
      }
      assert.isBelow(performance.now() - started, 1000, text)
    }
  })
})
