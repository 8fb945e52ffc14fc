import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { countOf, episodes, numbers, type Reply, rss, said, today, turn } from "./world.js"

describe("a feed that moved", () => {
  const moved = (address: string) => `<itunes:new-feed-url>${address}</itunes:new-feed-url>`

  it.effect("lives where permanent redirects lead, not where passing ones do", () =>
    turn(
      {
        "/old": { status: 301, headers: { location: "/for-now" } },
        "/for-now": { status: 302, headers: { location: "/feed" } },
        "/feed": rss(episodes(1)),
      },
      ({ base, feed }) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* feed(`${base}/old`, 1)).feedUrl, `${base}/for-now`)
          assert.strictEqual((yield* feed(`${base}/for-now`, 1)).feedUrl, `${base}/for-now`)
        }),
    ),
  )

  it.effect("is followed to its new address once", () =>
    turn({}, ({ base, feed, replies, requests }) =>
      Effect.gen(function* () {
        replies.set("/a", rss(episodes(1), moved(`${base}/b`)))
        replies.set("/b", rss(episodes(2), moved(`${base}/c`)))
        replies.set("/c", rss(episodes(3), moved(`${base}/a`)))
        const list = yield* feed(`${base}/a`, 10)
        assert.deepInclude(list, { feedUrl: `${base}/b`, total: 2 })
        assert.strictEqual(countOf(requests, "/c"), 0)
      }),
    ),
  )

  it.effect("stays where it is when nothing is at its new address", () =>
    turn({ "/broken": { status: 500 }, "/empty": rss([]), "/page": "<html></html>" }, (world) =>
      Effect.gen(function* () {
        const { base, feed, replies } = world
        for (const next of [
          `${base}/none`,
          `${base}/broken`,
          `${base}/empty`,
          `${base}/page`,
          "no address",
          "",
        ]) {
          replies.set("/feed", rss(episodes(1), moved(next)))
          assert.deepInclude(yield* feed(`${base}/feed?${encodeURIComponent(next)}`, 10), { total: 1 })
        }
      }),
    ),
  )

  it.effect("never leads into a private network", () =>
    turn({}, ({ base, feed, replies }) =>
      Effect.gen(function* () {
        for (const next of ["http://10.1.2.3/feed", "http://169.254.169.254/latest", "http://[fd00::1]/"]) {
          replies.set("/feed", rss(episodes(1), moved(next)))
          const outcome = yield* said(feed(`${base}/feed?${encodeURIComponent(next)}`, 1))
          assert.strictEqual(outcome, "blocked_address source_blocked")
        }
      }),
    ),
  )
})

describe("a feed in pages", () => {
  const next = (address: string, relation = "next") => `<atom:link rel="${relation}" href="${address}"/>`
  const pages = (base: string) =>
    new Map<string, Reply>([
      ["/feed", rss(episodes(3, 7), next(`${base}/2`))],
      ["/2", rss([...episodes(3, 4), ...episodes(1, 7)], next(`${base}/3`, "prev-archive"))],
      ["/3", rss(episodes(3, 1), next(`${base}/feed`))],
    ])

  it.effect("is paged only for what the first page does not have", () =>
    turn({}, ({ base, feed, resolve, replies, requests }) =>
      Effect.gen(function* () {
        yield* today
        for (const [path, reply] of pages(base)) replies.set(path, reply)
        const link = `${base}/feed`
        assert.deepStrictEqual(numbers(yield* feed(link, 3)), [9, 8, 7])
        assert.strictEqual((yield* resolve(link)).title, "Episode 9")
        assert.strictEqual((yield* resolve(link, { guid: "guid-7" })).title, "Episode 7")
        assert.strictEqual(countOf(requests, "/2"), 0)
        assert.strictEqual((yield* resolve(link, { guid: "guid-2" })).title, "Episode 2")
        assert.strictEqual((yield* resolve(link, { index: 8 })).title, "Episode 1")
        const all = yield* feed(link, 1000)
        assert.deepStrictEqual(numbers(all), [9, 8, 7, 6, 5, 4, 3, 2, 1])
        assert.strictEqual(all.total, 9)
        assert.strictEqual(yield* said(resolve(link, { guid: "x" })), "episode_not_found episode_not_found")
      }),
    ),
  )

  it.effect("that go round in a circle are each asked for once", () =>
    turn(
      {},
      ({ base, feed, replies, requests }) =>
        Effect.gen(function* () {
          for (const [path, reply] of pages(base)) replies.set(path, reply)
          assert.strictEqual((yield* feed(`${base}/feed`, 1000)).total, 9)
          assert.lengthOf(requests, 3)
        }),
      { feedFreshFor: 0 },
    ),
  )

  it.effect("ends where a page is gone, and fails where one does not answer now", () =>
    turn({ "/busy": { status: 503 } }, ({ base, feed, replies }) =>
      Effect.gen(function* () {
        yield* today
        replies.set("/short", rss(episodes(2), next("/none")))
        replies.set("/torn", rss(episodes(2), next("/busy")))
        assert.strictEqual((yield* feed(`${base}/short`, 10)).total, 2)
        assert.strictEqual(yield* said(feed(`${base}/torn`, 10)), "unresolvable_link download_failed later")
      }),
    ),
  )

  it.effect("without end is left after the pages that are allowed", () =>
    turn(
      {
        "/page": (request, response) => {
          const number = Number(new URL(request.url ?? "", "http://a").searchParams.get("n") ?? 0)
          response.writeHead(200).end(rss(episodes(1, number + 1), next(`/page?n=${number + 1}`)))
        },
      },
      ({ base, feed, requests }) =>
        Effect.gen(function* () {
          yield* today
          assert.strictEqual((yield* feed(`${base}/page`, 1000)).total, 7)
          assert.lengthOf(requests, 7)
        }),
      { feedPages: 7 },
    ),
  )
})
