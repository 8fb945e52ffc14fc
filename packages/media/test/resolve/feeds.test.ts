import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Schedule, TestClock } from "effect"
import { episodes, mp3, type Reply, rss, said, turn } from "./world.js"

const NOW = Date.UTC(2020, 0, 1)
const today = TestClock.setTime(NOW)
const numbers = (list: { readonly episodes: ReadonlyArray<{ readonly title: string | null }> }) =>
  list.episodes.map(({ title }) => Number(title?.replace("Episode ", "")))
const countOf = (requests: ReadonlyArray<{ readonly path: string }>, path: string) =>
  requests.filter((request) => request.path === path).length

describe("a feed by its address", () => {
  it.effect("gives the newest episode, one by guid, one by place", () =>
    turn({ "/feed": rss(episodes(5)) }, ({ base, resolve }) =>
      Effect.gen(function* () {
        yield* today
        const link = `${base}/feed`
        const newest = yield* resolve(link)
        assert.strictEqual(newest.title, "Episode 5")
        assert.deepInclude(newest.shown, { kind: "episode", feedUrl: link, episodeGuid: "guid-5" })
        assert.strictEqual(newest.mediaUrl, "https://media.example/5.mp3")
        assert.strictEqual(newest.language, "en")
        assert.isTrue(newest.isPublic)
        assert.strictEqual((yield* resolve(link, { guid: "guid-2" })).title, "Episode 2")
        assert.strictEqual((yield* resolve(link, { index: 4 })).title, "Episode 1")
        for (const wrong of [{ guid: "guid-6" }, { index: 5 }]) {
          assert.strictEqual(yield* said(resolve(link, wrong)), "episode_not_found episode_not_found")
        }
      }),
    ),
  )

  it.effect("lists its newest episodes and counts them all", () =>
    turn({ "/feed": rss(episodes(30)) }, ({ base, feed }) =>
      Effect.gen(function* () {
        yield* today
        const list = yield* feed(`${base}/feed`, 3)
        assert.deepStrictEqual(numbers(list), [30, 29, 28])
        assert.deepInclude(list, { total: 30, title: "A Show", feedUrl: `${base}/feed` })
        assert.deepStrictEqual(
          list.episodes.map(({ index }) => index),
          [0, 1, 2],
        )
      }),
    ),
  )

  it.effect("offers the transcripts of its publisher, the best kind first", () => {
    const transcript = (url: string, type: string, more = "") =>
      `<podcast:transcript url="https://media.example/${url}" type="${type}" ${more}/>`
    const more = [
      transcript("a.txt", "text/plain"),
      transcript("a.html", "text/html"),
      transcript("a.srt", "application/x-subrip", 'language="de"'),
      transcript("a.vtt", "text/vtt"),
      transcript("a.json", "application/json"),
    ].join("")
    const reply = rss([{ title: "One", audio: "https://media.example/a.mp3", more }])
    return turn({ "/feed": reply }, ({ base, resolve }) =>
      Effect.gen(function* () {
        const { captions } = yield* resolve(`${base}/feed`)
        assert.deepStrictEqual(
          captions.map(({ url }) => url.replace("https://media.example/a.", "")),
          ["vtt", "json", "srt", "html", "txt"],
        )
        assert.deepStrictEqual(
          captions.map(({ language }) => language),
          ["en", "en", "de", "en", "en"],
        )
        assert.isTrue(captions.every(({ madeBy }) => madeBy === "people"))
      }),
    )
  })

  it.effect("is read in any coat: packed, packed unsaid, in another encoding, cut off", () => {
    const text = rss([{ title: "Grüße", audio: "https://media.example/a.mp3" }])
    const latin = (label: string) => Buffer.from(text.replace('"1.0"', `"1.0" encoding="${label}"`), "latin1")
    const coats: Readonly<Record<string, Reply>> = {
      "/gzip": { headers: { "content-encoding": "gzip" }, body: gzipSync(text) },
      "/gzip-unsaid": gzipSync(text),
      "/declared": latin("ISO-8859-1"),
      "/wrongly-declared": latin("utf-8"),
      "/by-header": {
        headers: { "content-type": "application/xml; charset=iso-8859-1" },
        body: Buffer.from(text, "latin1"),
      },
      "/utf-16": Buffer.from(`\ufeff${text}`, "utf16le"),
      "/cut-off": text.replace("</channel></rss>", "<item><title>Half"),
    }
    return turn(coats, ({ base, resolve }) =>
      Effect.gen(function* () {
        for (const coat of Object.keys(coats)) {
          assert.strictEqual((yield* resolve(base + coat)).title, "Grüße", coat)
        }
      }),
    )
  })

  it.effect("keeps its login to itself", () =>
    turn(
      {
        "/private": (request, response) => {
          const isAllowed =
            request.headers.authorization === `Basic ${Buffer.from("ann:hush").toString("base64")}`
          if (isAllowed) response.writeHead(200).end(rss(episodes(1)))
          else response.writeHead(401).end()
        },
      },
      ({ base, resolve, feed }) =>
        Effect.gen(function* () {
          const link = `${base.replace("http://", "http://ann:hush@")}/private`
          const source = yield* resolve(link)
          assert.isFalse(source.isPublic)
          assert.notInclude(JSON.stringify(source), "hush")
          assert.notInclude(JSON.stringify(yield* feed(link, 5)), "hush")
          // What one may see is not shown to another.
          assert.strictEqual(yield* said(resolve(`${base}/private`)), "unresolvable_link source_forbidden")
        }),
    ),
  )

  it.effect("is asked once a minute, then only whether it changed", () =>
    turn(
      {
        "/feed": (request, response) => {
          const isKnown = request.headers["if-none-match"] === '"1"'
          if (isKnown) response.writeHead(304).end()
          else response.writeHead(200, { etag: '"1"', "last-modified": "yesterday" }).end(rss(episodes(2)))
        },
      },
      ({ base, feed, requests, replies }) =>
        Effect.gen(function* () {
          yield* today
          const link = `${base}/feed`
          for (let round = 0; round < 3; round++) yield* feed(link, 10)
          assert.strictEqual(countOf(requests, "/feed"), 1)
          yield* TestClock.adjust(Duration.minutes(1))
          assert.deepStrictEqual(numbers(yield* feed(link, 10)), [2, 1])
          assert.strictEqual(countOf(requests, "/feed"), 2)
          assert.deepInclude(requests[1]?.headers, {
            "if-none-match": '"1"',
            "if-modified-since": "yesterday",
          })
          replies.set("/feed", rss(episodes(3)))
          yield* TestClock.adjust(Duration.minutes(1))
          assert.deepStrictEqual(numbers(yield* feed(link, 10)), [3, 2, 1])
        }),
    ),
  )

  it.live("is asked once by all who ask at the same time, and nobody's leaving ends it for the others", () =>
    turn(
      { "/feed": (_, response) => setTimeout(() => response.writeHead(200).end(rss(episodes(2))), 200) },
      ({ base, feed, requests }) =>
        Effect.gen(function* () {
          const first = yield* Effect.fork(feed(`${base}/feed`, 10))
          const others = yield* Effect.fork(
            Effect.all(
              Array.from({ length: 9 }, () => feed(`${base}/feed`, 10)),
              { concurrency: 9 },
            ),
          )
          yield* Effect.sleep("50 millis")
          yield* Fiber.interrupt(first)
          assert.lengthOf(yield* Fiber.join(others), 9)
          assert.strictEqual(countOf(requests, "/feed"), 1)
        }),
    ),
  )

  it.live("is let go when the last of those who asked has gone", () => {
    const held: Array<boolean> = []
    return turn(
      {
        "/feed": (_, response) => {
          const at = held.push(true) - 1
          response.on("close", () => {
            held[at] = false
          })
          response.writeHead(200).write("<rss")
        },
      },
      ({ base, feed }) =>
        Effect.gen(function* () {
          const ask = Effect.fork(feed(`${base}/feed`, 10))
          const [first, second] = [yield* ask, yield* ask]
          const seen = (expected: ReadonlyArray<boolean>) =>
            Effect.sync(() => held.join() === expected.join()).pipe(
              Effect.repeat({ until: (isSo) => isSo, schedule: Schedule.spaced("10 millis") }),
            )
          yield* seen([true])
          yield* Fiber.interrupt(first)
          yield* Effect.sleep("100 millis")
          assert.deepStrictEqual(held, [true])
          yield* Fiber.interrupt(second)
          yield* seen([false])
          // Nobody joins what is ending.
          const third = yield* ask
          yield* seen([false, true])
          yield* Fiber.interrupt(third)
          yield* seen([false, false])
        }),
    )
  })

  it.effect("a failure is not remembered", () =>
    turn({ "/feed": { status: 503 } }, ({ base, feed, replies }) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* said(feed(`${base}/feed`, 1)), "unresolvable_link download_failed later")
        replies.set("/feed", rss(episodes(1)))
        assert.strictEqual(yield* said(feed(`${base}/feed`, 1)), "fine")
      }),
    ),
  )
})

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

describe("a hostile feed", () => {
  it.live("is refused past each limit, soon", () => {
    const endless: Reply = (_, response) => {
      response.writeHead(200, { "content-type": "application/rss+xml" })
      response.write(rss([]).replace("</channel></rss>", ""))
      const piece = `<item><title>x</title>${"<a>b</a>".repeat(2000)}</item>`.repeat(4)
      const more = () => {
        while (response.write(piece));
      }
      response.on("drain", more)
      more()
    }
    return turn(
      {
        "/endless": endless,
        "/bomb": {
          headers: { "content-encoding": "gzip" },
          body: gzipSync(Buffer.alloc(300_000_000, "<rss>")),
        },
        "/bomb-unsaid": gzipSync(Buffer.alloc(300_000_000, "<rss> ")),
        "/items": rss(Array.from({ length: 21 }, () => ({ title: "x" }))),
        "/entities": `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>${rss(
          [{ title: "&b;&x;", audio: "https://media.example/a.mp3" }],
        ).replace('<?xml version="1.0"?>', "")}`,
      },
      ({ base, resolve }) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* said(resolve(`${base}/endless`)), "feed_invalid feed_invalid")
          assert.notStrictEqual(yield* said(resolve(`${base}/bomb`)), "fine")
          assert.notStrictEqual(yield* said(resolve(`${base}/bomb-unsaid`)), "fine")
          assert.strictEqual(yield* said(resolve(`${base}/items`)), "feed_invalid feed_invalid")
          assert.strictEqual((yield* resolve(`${base}/entities`)).title, "&b;&x;")
        }),
      { feedBytes: 4 * 1024 * 1024, feedItems: 20 },
    )
  })

  it.live("that trickles is left at the deadline, and tried again later", () =>
    turn(
      {
        "/slow": (_, response) => {
          response.writeHead(200)
          const timer = setInterval(() => response.write("<rss><channel>"), 20)
          response.on("close", () => clearInterval(timer))
        },
        "/silent": () => undefined,
      },
      ({ base, resolve }) =>
        Effect.gen(function* () {
          const outcomes = yield* Effect.all(
            [said(resolve(`${base}/slow`)), said(resolve(`${base}/silent`))],
            { concurrency: 2 },
          )
          assert.deepStrictEqual(new Set(outcomes), new Set(["unresolvable_link download_timeout later"]))
        }),
      { deadline: 300 },
    ),
  )

  it.live("that breaks off is tried again later", () =>
    turn(
      {
        "/broken": (_, response) => {
          response.writeHead(200, { "content-length": "100000" })
          response.write(rss(episodes(2)).slice(0, 200), () => response.destroy())
        },
      },
      ({ base, resolve }) =>
        Effect.map(said(resolve(`${base}/broken`)), (says) =>
          assert.strictEqual(says, "unresolvable_link download_failed later"),
        ),
    ),
  )

  it.live("lets others have their turn while it is read", () => {
    const text = rss(
      Array.from({ length: 15_000 }, (_, index) => ({
        title: `Episode ${index}`,
        audio: `https://media.example/${index}.mp3`,
        more: `<description>${"<p>Notes</p> &amp; ".repeat(60)}</description>`,
      })),
    )
    return turn({ "/large": text }, ({ base, feed }) =>
      Effect.gen(function* () {
        let longest = 0
        let ticks = 0
        let last = performance.now()
        const timer = setInterval(() => {
          const now = performance.now()
          longest = Math.max(longest, now - last)
          last = now
          ticks++
        }, 1)
        const list = yield* feed(`${base}/large`, 1)
        clearInterval(timer)
        assert.strictEqual(list.total, 15_000)
        assert.isAbove(text.length, 10_000_000)
        assert.isAbove(ticks, 20)
        assert.isBelow(longest, 1000)
      }),
    )
  })

  it.effect("gives no address that is not one, and no text that a store refuses", () => {
    const items = [
      { title: "A\u0000B", guid: "g\u0000", audio: "https://media.example/a.mp3" },
      { title: "script", audio: "javascript:alert(1)" },
      { title: "file", audio: "file:///etc/passwd" },
    ]
    const json = JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: "\ud800",
      items: [
        {
          id: "\udc00\u0000",
          title: "x\u0000\ud83d",
          attachments: [{ url: "https://media.example/a.mp3", mime_type: "audio/mpeg" }],
        },
      ],
    })
    return turn(
      { "/feed": rss(items, `<description>${"x".repeat(2000)}</description>`), "/json": json },
      (world) =>
        Effect.gen(function* () {
          const { base, feed, resolve } = world
          for (const path of ["/feed", "/json"]) {
            const list = yield* feed(base + path, 10)
            assert.notMatch(JSON.stringify(list), /\\u0000|\\ud[89a-f]/)
            const guid = list.episodes[0]?.guid ?? ""
            assert.strictEqual((yield* resolve(base + path, { guid })).title, list.episodes[0]?.title)
          }
          for (const guid of ["script", "file"]) {
            assert.notStrictEqual(yield* said(resolve(`${base}/feed`, { guid })), "fine")
          }
        }),
    )
  })

  it.effect("media in a private network is shown, and refused when it is fetched", () =>
    turn(
      { "/feed": rss([{ title: "x", audio: "http://10.0.0.1/a.mp3" }]), "/a.mp3": mp3 },
      ({ base, resolve }) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* said(resolve(`${base}/feed`)), "blocked_address source_blocked")
        }),
    ),
  )
})
