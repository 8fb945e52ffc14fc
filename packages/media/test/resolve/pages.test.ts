import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { episodes, mp3, type Reply, rss, said, today, turn } from "./world.js"

const page = (head: string, body = "") =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
const alternate = (href: string, title = "", type = "application/rss+xml") =>
  `<link rel="alternate" type="${type}" title="${title}" href="${href}">`
const lookup = JSON.stringify({
  resultCount: 1,
  results: [
    { wrapperType: "track", kind: "podcast", trackId: 1234567, feedUrl: "https://show.example/feed" },
  ],
})

/** A publisher's site: pages of episodes, of the show, of something else. */
const site = (more: Readonly<Record<string, Reply>> = {}): Readonly<Record<string, Reply>> => ({
  "/@show.example/feed": rss(
    episodes(5).map((item, index) => ({
      ...item,
      audio: `https://media.example/${index + 1}.mp3`,
      more: `<link>https://show.example/episodes/${index + 1}</link>`,
    })),
  ),
  "/@show.example/comments": rss([{ title: "First!" }]),
  "/@media.example/2.mp3": mp3,
  "/@media.example/other.mp3": mp3,
  ...more,
})
const FEEDS = `${alternate("/comments", "Comments")}${alternate("/feed", "Podcast")}`

describe("a page of the web", () => {
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["of the show: the newest episode of the feed that it names", page(FEEDS), "Episode 5"],
    [
      "of an episode: the one whose page it is",
      page(`${FEEDS}<link rel="canonical" href="https://www.show.example/episodes/2/?utm_source=x">`),
      "Episode 2",
    ],
    [
      "of an episode: the one whose media it plays",
      page(
        FEEDS,
        `<audio controls><source src="https://dts.podtrac.com/redirect.mp3/media.example/3.mp3"></audio>`,
      ),
      "Episode 3",
    ],
    [
      "of an episode: the only one of its title",
      page(`${FEEDS}<meta property="og:title" content="Episode 4">`),
      "Episode 4",
    ],
    [
      "that plays something that is in no feed: that",
      page(`${FEEDS}<title>A special</title>`, `<audio src="https://media.example/other.mp3">`),
      "A special",
    ],
    [
      "without a feed: the media that it names",
      page(`<title>Talk</title><meta property="og:audio" content="https://media.example/2.mp3">`),
      "Talk",
    ],
    [
      "with its data in JSON-LD",
      page(
        `<title>Talk</title><script type="application/ld+json">{"@graph":[{"audio":{"contentUrl":"https://media.example/2.mp3"}}]}</script>`,
      ),
      "Talk",
    ],
    [
      "with a base of its own",
      page(
        `<base href="https://show.example/deep/"><link rel="alternate" type="application/atom+xml" href="../feed">`,
      ),
      "Episode 5",
    ],
    [
      "whose home is nobody's page",
      page(`${FEEDS}<meta property="og:url" content="https://show.example/">`),
      "Episode 5",
    ],
  ]
  for (const [what, html, title] of cases) {
    it.effect(what, () =>
      turn(site({ "/@show.example/here": html }), ({ resolve }) =>
        Effect.gen(function* () {
          yield* today
          assert.strictEqual((yield* resolve("https://show.example/here")).title, title)
        }),
      ),
    )
  }

  it.effect("is a feed too, where a feed is asked for", () =>
    turn(site({ "/@show.example/": page(FEEDS), "/@show.example/none": page("") }), ({ feed, resolve }) =>
      Effect.gen(function* () {
        assert.deepInclude(yield* feed("show.example", 2), { feedUrl: "https://show.example/feed", total: 5 })
        assert.strictEqual((yield* resolve("show.example", { guid: "guid-1" })).title, "Episode 1")
        assert.strictEqual(yield* said(feed("https://show.example/none", 2)), "feed_invalid feed_invalid")
        const none = resolve("https://show.example/none", { index: 0 })
        assert.strictEqual(yield* said(none), "feed_invalid feed_invalid")
      }),
    ),
  )

  it.effect("whose feed does not answer now is tried again later", () =>
    turn(site({ "/@show.example/feed": { status: 503 }, "/@show.example/": page(FEEDS) }), ({ resolve }) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* said(resolve("show.example")), "unresolvable_link download_failed later")
      }),
    ),
  )

  it.effect("leads to few requests, and to none inside", () => {
    const many = Array.from({ length: 50 }, (_, index) => alternate(`/feeds/${index}`)).join("")
    const inside = [
      "http://10.0.0.1/feed",
      "http://127.0.0.2/feed",
      "http://[::1]/x",
      "file:///etc/passwd",
      "javascript:1",
    ]
      .map(
        (href) =>
          `${alternate(href, "podcast")}<meta property="og:audio" content="${href}"><audio src="${href}">`,
      )
      .join("")
    return turn(
      site({ "/@show.example/many": page(many), "/@show.example/inside": page(inside) }),
      ({ resolve, requests }) =>
        Effect.gen(function* () {
          assert.notStrictEqual(yield* said(resolve("https://show.example/many")), "fine")
          assert.isAtMost(requests.length, 4)
          const before = requests.length
          assert.notStrictEqual(yield* said(resolve("https://show.example/inside")), "fine")
          assert.strictEqual(requests.length, before + 1)
        }),
    )
  })

  it.effect("that is endless or broken is read in no time", () => {
    const broken = ['<a href="', "<script>", "<!--", "<link rel=alternate type='", "<meta ".repeat(3), "<"]
    const replies = Object.fromEntries(
      broken.map((piece, index) => [`/@show.example/${index}`, `<!doctype html>${piece.repeat(200_000)}`]),
    )
    return turn(replies, ({ resolve }) =>
      Effect.gen(function* () {
        const start = process.cpuUsage().user
        for (const index of broken.keys()) yield* said(resolve(`https://show.example/${index}`))
        assert.isBelow((process.cpuUsage().user - start) / 1000, 3000)
      }),
    )
  })
})

describe("a page of a podcast app", () => {
  const apps = site({ "/@itunes.apple.com/lookup": lookup })
  const overcast = (audio: string, title = "") =>
    page(
      `<meta property="og:title" content="${title}">`,
      `<a href="/itunes1234567/a-show">A Show</a><audio><source src="${audio}#t=0"></audio>`,
    )

  it.effect("Overcast: the episode whose media it plays, in the feed that Apple knows", () =>
    turn({ ...apps, "/@overcast.fm/+AbC": overcast("https://media.example/2.mp3?x=1") }, ({ resolve }) =>
      Effect.gen(function* () {
        const source = yield* resolve("https://overcast.fm/+AbC")
        assert.strictEqual(source.title, "Episode 2")
        assert.strictEqual(source.shown.feedUrl, "https://show.example/feed")
      }),
    ),
  )

  it.effect("the media itself, when the feed does not have it", () =>
    turn(
      { ...apps, "/@overcast.fm/+AbC": overcast("https://media.example/other.mp3", "Lost") },
      ({ resolve }) =>
        Effect.gen(function* () {
          const source = yield* resolve("https://overcast.fm/+AbC")
          assert.deepInclude(source, { title: "Lost", mediaUrl: "https://media.example/other.mp3" })
        }),
    ),
  )

  it.effect("pod.link: the show by its id; an episode by its title, or not at all", () =>
    turn(
      {
        ...apps,
        "/@pod.link/1234567/episode/abc": page(`<meta property="og:title" content="Episode 3">`),
        "/@pod.link/1234567/episode/def": page(`<meta property="og:title" content="A Show">`),
      },
      ({ resolve, feed }) =>
        Effect.gen(function* () {
          yield* today
          assert.strictEqual((yield* resolve("https://pod.link/1234567")).title, "Episode 5")
          assert.strictEqual((yield* resolve("https://pod.link/1234567/episode/abc")).title, "Episode 3")
          const unknown = resolve("https://pod.link/1234567/episode/def")
          assert.strictEqual(yield* said(unknown), "episode_not_found episode_not_found")
          assert.strictEqual((yield* feed("https://pod.link/1234567", 1)).total, 5)
        }),
    ),
  )

  it.effect("that gives nothing away says what to paste instead", () =>
    turn({ "/@podcastindex.org/podcast/1": page("<title>App</title>") }, ({ resolve, feed }) =>
      Effect.gen(function* () {
        const link = "https://podcastindex.org/podcast/1"
        assert.strictEqual(yield* said(resolve(link)), "source_not_supported source_unresolvable")
        assert.strictEqual(yield* said(feed(link, 1)), "source_not_supported source_unresolvable")
        assert.match((yield* Effect.flip(resolve(link))).detail, /RSS or Apple link/)
      }),
    ),
  )
})

describe("a channel", () => {
  const id = "UCabcdefghijklmnopqrstuv"
  const entry = (video: string, title: string, day: number) =>
    `<entry><yt:videoId>${video}</yt:videoId><title>${title}</title><published>2019-01-0${day}T00:00:00+00:00</published></entry>`
  const feed = `<?xml version="1.0"?><feed xmlns:yt="http://www.youtube.com/xml/schemas/2015"><title>Channel</title>${entry("aaaaaaaaaaa", "One &amp; only", 2)}${entry("bbbbbbbbbbb", "Two", 1)}<entry><yt:videoId>../../etc</yt:videoId></entry></feed>`

  it.effect("lists its videos as clips, also by its handle", () =>
    turn(
      {
        "/@www.youtube.com/feeds/videos.xml": feed,
        "/@www.youtube.com/@handle": page(
          `<link rel="canonical" href="https://www.youtube.com/channel/${id}">`,
        ),
      },
      ({ feed: list }) =>
        Effect.gen(function* () {
          for (const link of [`https://www.youtube.com/channel/${id}`, "https://youtube.com/@handle"]) {
            const { total, episodes: found } = yield* list(link, 1)
            assert.strictEqual(total, 2)
            assert.deepInclude(found[0], {
              title: "One & only",
              mediaUrl: "https://www.youtube.com/watch?v=aaaaaaaaaaa",
              publishedAt: Date.UTC(2019, 0, 2),
            })
            assert.strictEqual(found[0]?.shown.kind, "social")
          }
        }),
    ),
  )
})
