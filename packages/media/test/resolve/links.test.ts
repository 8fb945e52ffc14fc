import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { episodes, mp3, type Reply, rss, said, turn } from "./world.js"

const png = Buffer.from("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "latin1")
const page = (head: string, body = "") =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

/** One world in which every link of the tables leads somewhere. */
const replies: Readonly<Record<string, Reply>> = {
  "/talk.mp3": mp3,
  "/stream": { headers: { "content-type": "text/html" }, body: mp3 },
  "/named": {
    headers: { "content-disposition": `attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20an%20alle.mp3` },
    body: mp3,
  },
  "/odd.mp3": Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9]),
  "/odd": Buffer.from([1, 2, 3, 4, 5, 6, 7, 8, 9]),
  "/odd-audio": { headers: { "content-type": "audio/mpeg" }, body: Buffer.from([1, 2, 3, 4, 5]) },
  "/picture": png,
  "/paper.mp3": "%PDF-1.7\n%âãÏÓ\n",
  "/captions": "WEBVTT\n\n00:00.000 --> 00:01.000\nHello",
  "/list": "#EXTM3U\n#EXT-X-VERSION:3\nhttp://169.254.169.254/latest\n",
  "/empty": "",
  "/words": "Just some words, nothing else at all.",
  "/page.mp3": page("<title>Not found</title>"),
  "/page": page("<title>About\n us &amp;\u202e them</title>"),
  "/feed": { headers: { "content-type": "text/html" }, body: rss(episodes(3)) },
  "/no-media": rss([{ title: "Words only" }]),
  "/not-a-feed.xml": "<?xml version='1.0'?><catalogue><book/></catalogue>",
  "/gone": { status: 410 },
  "/secret": { status: 403 },
  "/login": { status: 401 },
  "/busy": { status: 429 },
  "/broken": { status: 503 },
  "/teapot": { status: 418 },
  "/around": { status: 302, headers: { location: "/around" } },
  "/inside": { status: 302, headers: { location: "http://10.0.0.1/talk.mp3" } },
  "/to-file": { status: 302, headers: { location: "file:///etc/passwd" } },
}

describe("what a link leads to", () => {
  const table: ReadonlyArray<readonly [string, string]> = [
    ["/talk.mp3", "fine"],
    ["/stream", "fine"],
    ["/odd.mp3", "fine"],
    ["/odd-audio", "fine"],
    ["/feed", "fine"],
    ["/odd", "unresolvable_link source_unresolvable"],
    ["/picture", "unsupported_media unsupported_media"],
    ["/paper.mp3", "unsupported_media unsupported_media"],
    ["/captions", "unsupported_media unsupported_media"],
    ["/list", "source_not_supported source_unresolvable"],
    ["/empty", "unresolvable_link source_unresolvable"],
    ["/words", "unresolvable_link source_unresolvable"],
    ["/page.mp3", "unsupported_media unsupported_media"],
    ["/page", "unresolvable_link source_unresolvable"],
    ["/no-media", "episode_not_found episode_not_found"],
    ["/not-a-feed.xml", "feed_invalid feed_invalid"],
    ["/missing.mp3", "unresolvable_link source_not_found"],
    ["/gone", "unresolvable_link source_not_found"],
    ["/secret", "unresolvable_link source_forbidden"],
    ["/login", "unresolvable_link source_forbidden"],
    ["/busy", "unresolvable_link download_failed later"],
    ["/broken", "unresolvable_link download_failed later"],
    ["/teapot", "unresolvable_link source_unresolvable"],
    ["/around", "unresolvable_link source_unresolvable"],
    ["/inside", "blocked_address source_blocked"],
    ["/to-file", "unresolvable_link source_unresolvable"],
  ]
  for (const [path, outcome] of table) {
    it.effect(`${path}: ${outcome}`, () =>
      turn(replies, ({ base, resolve }) =>
        Effect.map(said(resolve(base + path)), (says) => assert.strictEqual(says, outcome)),
      ),
    )
  }

  const elsewhere: ReadonlyArray<readonly [string, string]> = [
    ["", "missing_source source_unresolvable"],
    ["not a link", "invalid_request source_unresolvable"],
    ["file:///etc/passwd", "invalid_request source_unresolvable"],
    ["http://10.0.0.1/a.mp3", "blocked_address source_blocked"],
    ["http://[::1]/a.mp3", "blocked_address source_blocked"],
    ["http://2130706434/a.mp3", "blocked_address source_blocked"],
    ["https://open.spotify.com/episode/4rOoJ6Egrf8K2IrywzwOMk", "source_not_supported source_unresolvable"],
    ["https://www.youtube.com/", "source_not_supported source_unresolvable"],
    ["https://live.example/stream.m3u8", "source_not_supported source_unresolvable"],
    ["uploads/acct_1/0f8fad5b-d9cb-469f-a165-70867728950e.mp3", "invalid_request source_unresolvable"],
  ]
  for (const [link, outcome] of elsewhere) {
    it.effect(`${link === "" ? "nothing" : link}: ${outcome}, without a request`, () =>
      turn({}, ({ resolve, feed, requests }) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* said(resolve(link)), outcome)
          const refusedAsFeed = yield* said(feed(link, 10))
          assert.notStrictEqual(refusedAsFeed, "fine")
          assert.deepStrictEqual(requests, [])
        }),
      ),
    )
  }

  it.effect("Spotify: the refusal says what to paste instead", () =>
    turn({}, ({ resolve }) =>
      Effect.gen(function* () {
        const { detail } = yield* Effect.flip(resolve("https://open.spotify.com/show/2MAi0BvDc6GTFvKFPXnkCL"))
        assert.match(detail, /RSS or Apple link/)
      }),
    ),
  )
})

describe("direct media", () => {
  it.effect("is named by its server, else by its address", () =>
    turn(replies, ({ base, resolve }) =>
      Effect.gen(function* () {
        const named = yield* resolve(`${base}/named`)
        assert.strictEqual(named.title, "Grüße an alle")
        const plain = yield* resolve(`${base}/talk.mp3?utm_source=x`)
        assert.strictEqual(plain.title, "talk")
        assert.deepStrictEqual(plain.shown, { kind: "media", url: `${base}/talk.mp3?utm_source=x` })
        assert.strictEqual(plain.identity, `${base}/talk.mp3`)
        assert.isNull(plain.durationSeconds)
      }),
    ),
  )

  it.effect("inside somebody's own network is shared with nobody", () =>
    turn(replies, ({ base, resolve }) =>
      Effect.gen(function* () {
        assert.isFalse((yield* resolve(`${base}/talk.mp3`)).isPublic)
      }),
    ),
  )

  it.effect("is only looked at: a server that never ends is left after the first bytes", () =>
    turn(
      {
        "/endless.mp3": (_, response) => {
          response.writeHead(200)
          response.write(mp3)
          const timer = setInterval(() => response.write(mp3), 1)
          response.on("close", () => clearInterval(timer))
        },
      },
      ({ base, resolve }) =>
        Effect.map(resolve(`${base}/endless.mp3`), ({ mediaUrl }) =>
          assert.strictEqual(mediaUrl, `${base}/endless.mp3`),
        ),
    ),
  )

  it.effect("has no episodes", () =>
    turn(replies, ({ base, resolve }) =>
      Effect.gen(function* () {
        const link = `${base}/talk.mp3`
        assert.strictEqual(yield* said(resolve(link, { index: 0 })), "feed_invalid feed_invalid")
      }),
    ),
  )

  it.effect("a blob is a file and nothing else, and a signed one is nobody else's", () =>
    turn(
      { ...replies, "/@public.blob.vercel-storage.com/a": mp3, "/@bucket.s3.amazonaws.com/a": mp3 },
      ({ base, ask }) =>
        Effect.gen(function* () {
          const plain = yield* ask({ type: "blob", url: "https://public.blob.vercel-storage.com/a" })
          assert.deepStrictEqual([plain.shown.kind, plain.isPublic], ["blob", true])
          const url = "https://bucket.s3.amazonaws.com/a?X-Amz-Signature=abc"
          const signed = yield* ask({ type: "blob", url })
          assert.deepStrictEqual([signed.mediaUrl, signed.isPublic], [url, false])
          for (const path of ["/feed", "/page"]) {
            const refused = yield* said(ask({ type: "blob", url: base + path }))
            assert.match(refused, /^un(?:supported_media|resolvable_link)/)
          }
        }),
    ),
  )

  it.effect("what a refusal says never carries a path, a query or a login", () =>
    turn(replies, ({ base, resolve }) =>
      Effect.gen(function* () {
        for (const path of ["/gone", "/secret", "/busy", "/around", "/inside"]) {
          const { detail } = yield* Effect.flip(resolve(`${base}${path}?token=hush`))
          assert.notInclude(detail, "hush")
          assert.notInclude(detail, path.slice(1))
        }
        const { detail } = yield* Effect.flip(resolve(`${base}/page`))
        assert.include(detail, "“About us & them”")
      }),
    ),
  )
})
