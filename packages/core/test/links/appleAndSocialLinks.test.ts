import { classifyLink } from "@earmark/core/links"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { check, summary } from "./linkSummary.js"

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
