import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, TestClock } from "effect"
import { episodes, type Reply, rss, said, today, turn, type World } from "./world.js"

const SHOW = "1200361736"
const link = (episode?: number, store = "de") =>
  `https://podcasts.apple.com/${store}/podcast/a-show/id${SHOW}${episode === undefined ? "" : `?i=${episode}`}`

interface Row {
  readonly id: number
  readonly guid?: string
  readonly url?: string
  readonly title?: string
  readonly date?: string
  readonly seconds?: number
}

/** An answer in the shape that the directory documents: the show first, then its episodes. */
const lookup = (rows: ReadonlyArray<Row>, feedUrl: string | undefined = "https://show.example/feed") =>
  JSON.stringify({
    resultCount: rows.length + 1,
    results: [
      {
        wrapperType: "track",
        kind: "podcast",
        collectionId: Number(SHOW),
        trackId: Number(SHOW),
        collectionName: "A Show",
        ...(feedUrl !== "" && { feedUrl }),
      },
      ...rows.map(({ id, guid, url, title, date, seconds }) => ({
        wrapperType: "podcastEpisode",
        kind: "podcast-episode",
        trackId: id,
        collectionId: Number(SHOW),
        trackName: title,
        episodeGuid: guid,
        episodeUrl: url,
        releaseDate: date,
        trackTimeMillis: seconds === undefined ? undefined : seconds * 1000,
      })),
    ],
  })

const directory = (rows: ReadonlyArray<Row>, more: Readonly<Record<string, Reply>> = {}) => ({
  "/@itunes.apple.com/lookup": {
    headers: { "content-type": "text/javascript; charset=utf-8" },
    body: lookup(rows),
  },
  "/@show.example/feed": rss(episodes(5)),
  ...more,
})

const asked = ({ requests }: World) =>
  requests
    .filter(({ path }) => path.includes("/lookup"))
    .map(({ path }) => new URL(path, "http://a").searchParams.get("country"))

describe("an Apple link", () => {
  it.effect("of a show: its newest episode, or the one that is asked for", () =>
    turn(directory([]), (world) =>
      Effect.gen(function* () {
        const { resolve, feed, requests } = world
        yield* today
        assert.strictEqual((yield* resolve(link())).title, "Episode 5")
        assert.strictEqual((yield* resolve(link(7), { guid: "guid-2" })).title, "Episode 2")
        const list = yield* feed(link(), 2)
        assert.deepInclude(list, { feedUrl: "https://show.example/feed", total: 5 })
        assert.deepStrictEqual(asked(world), ["de"])
        const query = new URL(requests[0]?.path ?? "", "http://a").searchParams
        assert.deepStrictEqual(Object.fromEntries(query), {
          id: SHOW,
          entity: "podcastEpisode",
          limit: "200",
          country: "de",
        })
      }),
    ),
  )

  const matches: ReadonlyArray<readonly [string, Row, string]> = [
    ["by its guid", { id: 7, guid: "guid-3", url: "https://media.example/1.mp3" }, "Episode 3"],
    [
      "by its media, whatever counts downloads before it",
      {
        id: 7,
        guid: "other",
        url: "https://dts.podtrac.com/redirect.mp3/chrt.fm/track/X/media.example/2.mp3?d=1",
      },
      "Episode 2",
    ],
    [
      "by title, day and length",
      { id: 7, title: "  EPISODE 4! ", date: "2000-01-05T23:59:00Z", seconds: 100 },
      "Episode 4",
    ],
  ]
  for (const [how, row, title] of matches) {
    it.effect(`of an episode finds it in the feed ${how}`, () =>
      turn(directory([{ id: 6, guid: "guid-5" }, row]), ({ resolve }) =>
        Effect.gen(function* () {
          const source = yield* resolve(link(7))
          assert.strictEqual(source.title, title)
          assert.deepInclude(source.shown, { kind: "episode", feedUrl: "https://show.example/feed" })
        }),
      ),
    )
  }

  it.effect("does not take a title of another day, nor choose between equals", () => {
    const twins = [
      { title: "Same", guid: "a", audio: "https://media.example/a.mp3" },
      { title: "Same", guid: "b", audio: "https://media.example/b.mp3" },
    ]
    const rows = [
      { id: 7, title: "Episode 4", date: "2000-03-01T10:00:00Z" },
      { id: 8, title: "Same" },
    ]
    return turn(directory(rows, { "/@show.example/feed": rss([...episodes(5), ...twins]) }), ({ resolve }) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* said(resolve(link(7))), "episode_not_found episode_not_found")
        assert.strictEqual(yield* said(resolve(link(8))), "episode_not_found episode_not_found")
        assert.match((yield* Effect.flip(resolve(link(8)))).detail, /Several episodes/)
      }),
    )
  })

  it.effect("looks at the later pages of a feed", () => {
    const more = `<atom:link rel="next" href="https://show.example/2"/>`
    return turn(
      directory([{ id: 7, guid: "guid-1" }], {
        "/@show.example/feed": rss(episodes(2, 4), more),
        "/@show.example/2": rss(episodes(3)),
      }),
      ({ resolve }) => Effect.map(resolve(link(7)), ({ title }) => assert.strictEqual(title, "Episode 1")),
    )
  })

  it.effect("is found on its own page where the directory does not list it any more", () => {
    const data = JSON.stringify([
      {
        data: {
          shelves: [
            { items: [{ contentId: "9", title: "Another", streamUrl: "https://media.example/1.mp3" }] },
          ],
        },
      },
      {
        data: {
          header: {
            adamId: "7",
            title: "An old one",
            releaseDate: "2000-01-03T10:00:00Z",
            episodeOffer: { streamUrl: "https://media.example/2.mp3?from=apple", guid: "?" },
          },
        },
      },
    ])
    const page = `<html><head><meta property="og:title" content="Episode 1"></head><script type="application/json" id="serialized-server-data">${data}</script></html>`
    const path = `/@podcasts.apple.com/de/podcast/id${SHOW}`
    return turn(directory([], { [path]: page }), ({ resolve, replies }) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* resolve(link(7))).title, "Episode 2")
        // Without its data the page has a title still.
        replies.set(path, page.replace(/<script.*script>/s, ""))
        assert.strictEqual((yield* resolve(link(7))).title, "Episode 1")
        replies.set(path, { status: 500 })
        assert.strictEqual(yield* said(resolve(link(7))), "episode_not_found episode_not_found")
      }),
    )
  })

  it.effect("is transcribed from Apple's own address when the feed does not have it", () =>
    turn(
      directory([{ id: 7, guid: "x", url: "https://elsewhere.example/x.mp3", title: "Bonus", seconds: 61 }]),
      ({ resolve }) =>
        Effect.gen(function* () {
          const source = yield* resolve(link(7))
          assert.deepInclude(source, {
            title: "Bonus",
            mediaUrl: "https://elsewhere.example/x.mp3",
            durationSeconds: 61,
          })
        }),
    ),
  )

  it.effect("never leads into a private network, nor to a file", () =>
    turn(
      directory([
        { id: 7, guid: "x", url: "http://10.0.0.1/x.mp3", title: "Inside" },
        { id: 8, guid: "x", url: "file:///etc/passwd", title: "File" },
      ]),
      ({ resolve }) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* said(resolve(link(7))), "blocked_address source_blocked")
          assert.strictEqual(yield* said(resolve(link(8))), "unresolvable_link source_unresolvable")
        }),
    ),
  )

  it.effect("is asked for in the stores that know more when its own answers nothing", () =>
    turn(
      {
        "/@show.example/feed": rss(episodes(1)),
        "/@itunes.apple.com/lookup": (request, response) => {
          const isBritish = request.url?.includes("country=gb") === true
          response.writeHead(200).end(isBritish ? lookup([]) : `{"resultCount":0,"results":[]}`)
        },
      },
      (world) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* world.resolve(link())).title, "Episode 1")
          assert.deepStrictEqual(asked(world), ["de", "us", "gb"])
        }),
    ),
  )

  it.effect("that nobody knows is refused, and asked for again after five minutes", () =>
    turn({ "/@itunes.apple.com/lookup": `{"resultCount":0,"results":[]}` }, (world) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* said(world.resolve(link())), "unresolvable_link source_unresolvable")
        assert.strictEqual(yield* said(world.resolve(link())), "unresolvable_link source_unresolvable")
        assert.lengthOf(asked(world), 3)
        yield* TestClock.adjust(Duration.minutes(6))
        yield* said(world.resolve(link()))
        assert.lengthOf(asked(world), 6)
      }),
    ),
  )

  it.effect("of a show without a public feed says so", () =>
    turn(directory([], { "/@itunes.apple.com/lookup": lookup([], "") }), ({ resolve, feed }) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* said(resolve(link())), "source_not_supported source_forbidden")
        assert.strictEqual(yield* said(resolve(link(3))), "source_not_supported source_forbidden")
        assert.strictEqual(yield* said(feed(link(), 3)), "source_not_supported source_forbidden")
      }),
    ),
  )

  const troubles: ReadonlyArray<readonly [string, Reply, string]> = [
    ["asked too often", { status: 403 }, "unresolvable_link download_failed later"],
    ["out of order", { status: 502 }, "unresolvable_link download_failed later"],
    ["no JSON", "<html>Sorry</html>", "unresolvable_link source_unresolvable"],
    [
      "rubbish",
      `{"results":[null,3,{"wrapperType":{}},[],{"kind":"podcast","feedUrl":7}]}`,
      "unresolvable_link source_unresolvable",
    ],
    ["a private feed", lookup([], "http://10.0.0.1/feed"), "blocked_address source_blocked"],
    [
      "a feed on this machine's disk",
      lookup([], "file:///etc/passwd"),
      "unresolvable_link source_unresolvable",
    ],
  ]
  for (const [what, reply, outcome] of troubles) {
    it.effect(`when the directory answers with ${what}: ${outcome}`, () =>
      turn({ "/@itunes.apple.com/lookup": reply }, ({ resolve }) =>
        Effect.map(said(resolve(link())), (says) => assert.strictEqual(says, outcome)),
      ),
    )
  }

  it.effect("goes to the directory of the settings, which may be private", () =>
    turn({ "/my/lookup": lookup([]), "/@show.example/feed": rss(episodes(1)) }, ({ base, requests }) =>
      turn(
        { "/@show.example/feed": rss(episodes(1)) },
        ({ resolve }) =>
          Effect.gen(function* () {
            assert.strictEqual((yield* resolve(link())).title, "Episode 1")
            assert.lengthOf(requests, 1)
          }),
        { appleLookup: `${base}/my/lookup`, allow: [] },
      ),
    ),
  )
})
