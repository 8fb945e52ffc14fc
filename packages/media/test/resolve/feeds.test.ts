import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Schedule, TestClock } from "effect"
import { countOf, episodes, numbers, type Reply, rss, said, today, turn } from "./world.js"

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
