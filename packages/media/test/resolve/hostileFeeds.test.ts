import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { episodes, mp3, type Reply, rss, said, turn } from "./world.js"

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
