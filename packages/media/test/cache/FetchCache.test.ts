import { readdir, readFile, utimes, writeFile } from "node:fs/promises"
import type { RequestListener } from "node:http"
import { gzipSync } from "node:zlib"
import type { FetchRequest } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { FetchCache, type FetchCacheOptions } from "../../src/index.js"
import { door, requestFor } from "../fetch/doors.js"
import { temporaryDirectory } from "../fetch/files.js"
import { httpServer } from "../fetch/servers.js"

const places = {
  "in memory": (options: FetchCacheOptions) => FetchCache.layerMemory(options),
  "on disk": (options: FetchCacheOptions) =>
    Layer.unwrapScoped(
      Effect.map(temporaryDirectory, (directory) =>
        FetchCache.layerDisk({ ...options, directory: `${directory}/kept` }),
      ),
    ),
}

/** Everything is asked for again at once. */
const impatient: FetchCacheOptions = { askAgainAfter: 0, keptAtMost: 0 }

const get = (url: string, more: Partial<FetchRequest> = {}) =>
  Effect.gen(function* () {
    const cache = yield* FetchCache
    const answer = yield* cache.fetch(requestFor(url, more))
    const body = yield* answer.body.pipe(Stream.decodeText(), Stream.mkString)
    return { ...answer, body }
  }).pipe(Effect.scoped)

const short = ({ origin, body }: { readonly origin: string; readonly body: string }) => `${origin} ${body}`

/** A feed that can change, from a server that knows conditions. */
const feedOf =
  (state: { text: string }, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (request, response) => {
    const etag = `"${state.text}"`
    const isSame = request.headers["if-none-match"] === etag
    response.writeHead(isSame ? 304 : 200, {
      etag,
      ...(isSame ? {} : { "content-encoding": "gzip" }),
      ...headers,
    })
    response.end(isSame ? undefined : gzipSync(state.text))
  }

for (const [place, layerOf] of Object.entries(places)) {
  const with_ = (options: FetchCacheOptions) => layerOf(options).pipe(Layer.provide(door()))

  describe(`answers kept ${place}`, () => {
    it.scopedLive("are asked for once a minute at most, by however many at once", () =>
      Effect.gen(function* () {
        const { port, hits } = yield* httpServer(feedOf({ text: "one" }))
        const url = `http://127.0.0.1:${port}/feed`
        const answers = yield* Effect.all(
          Array.from({ length: 10 }, () => get(url)),
          { concurrency: 10 },
        )
        assert.deepStrictEqual(answers.map(short).sort(), [
          "fetched one",
          ...Array<string>(9).fill("kept one"),
        ])
        assert.strictEqual(hits.length, 1)
        assert.strictEqual((yield* get(url, { headers: { Authorization: "Basic eA==" } })).origin, "fetched")
        assert.strictEqual((yield* get(`${url}?other`)).origin, "fetched")
        assert.strictEqual(hits.length, 3)
      }).pipe(Effect.provide(with_({}))),
    )

    it.scopedLive("are asked for under conditions, and given again when they still hold", () =>
      Effect.gen(function* () {
        const state = { text: "one" }
        const { port } = yield* httpServer((request, response) => {
          if (request.url === "/moved") response.writeHead(301, { location: "/feed" }).end()
          else feedOf(state)(request, response)
        })
        const url = `http://127.0.0.1:${port}/moved`
        const first = yield* get(url)
        const second = yield* get(url)
        state.text = "two"
        const third = yield* get(url)
        assert.deepStrictEqual([first, second, third].map(short), [
          "fetched one",
          "unchanged one",
          "fetched two",
        ])
        assert.strictEqual(first.sha256, second.sha256)
        assert.notStrictEqual(first.sha256, third.sha256)
        assert.deepInclude(second, {
          status: 200,
          url: `http://127.0.0.1:${port}/feed`,
          movedTo: `http://127.0.0.1:${port}/feed`,
        })
        assert.strictEqual(short(yield* get(url)), "unchanged two")
      }).pipe(Effect.provide(with_(impatient))),
    )

    it.scopedLive("of a server that knows no conditions are seen to be the same by their hash", () =>
      Effect.gen(function* () {
        const { port } = yield* httpServer((_, response) => void response.end("same"))
        const url = `http://127.0.0.1:${port}/`
        const [first, second] = [yield* get(url), yield* get(url)]
        assert.deepStrictEqual([first, second].map(short), ["fetched same", "fetched same"])
        assert.strictEqual(first.sha256, second.sha256)
      }).pipe(Effect.provide(with_(impatient))),
    )

    it.scopedLive("last as long as the server says, within bounds", () =>
      Effect.gen(function* () {
        const headers = { "cache-control": "public, max-age=3600" }
        const { port, hits } = yield* httpServer(feedOf({ text: "one" }, headers))
        const url = `http://127.0.0.1:${port}/`
        yield* get(url)
        assert.strictEqual((yield* get(url)).origin, "kept")
        yield* Effect.sleep("400 millis")
        assert.strictEqual((yield* get(url)).origin, "unchanged")
        assert.strictEqual(hits.length, 2)
      }).pipe(Effect.provide(with_({ askAgainAfter: 0, keptAtMost: "300 millis" }))),
    )

    it.scopedLive("are those that may be kept; all the others pass", () =>
      Effect.gen(function* () {
        const { port, hits } = yield* httpServer((request, response) => {
          const status = Number((request.url ?? "").slice(1))
          response.writeHead(status, { "cache-control": status === 200 ? "no-store" : "max-age=60" }).end("x")
        })
        for (const status of [200, 404, 503]) {
          for (const _ of [1, 2]) {
            const answer = yield* get(`http://127.0.0.1:${port}/${status}`)
            assert.deepInclude(answer, { status, origin: "fetched", sha256: null, body: "x" })
          }
        }
        yield* get(`http://127.0.0.1:${port}/201`, { method: "POST", body: Buffer.from("x") })
        yield* get(`http://127.0.0.1:${port}/206`, { headers: { Range: "bytes=0-1" } })
        assert.strictEqual(hits.length, 8)
      }).pipe(Effect.provide(with_({}))),
    )

    it.scopedLive("are bounded: what is too large passes, and what was used least goes first", () =>
      Effect.gen(function* () {
        const { port, hits } = yield* httpServer((request, response) => {
          response.end("x".repeat(request.url === "/large" ? 2001 : 1000))
        })
        const at = (path: string) => Effect.delay(get(`http://127.0.0.1:${port}${path}`), "20 millis")
        assert.strictEqual((yield* at("/large")).body.length, 2001)
        for (const path of ["/a", "/b", "/a", "/c", "/a", "/d"])
          assert.strictEqual((yield* at(path)).body.length, 1000)
        const before = hits.length
        assert.deepStrictEqual((yield* at("/a")).origin, "kept")
        assert.deepStrictEqual((yield* at("/d")).origin, "kept")
        assert.deepStrictEqual((yield* at("/b")).origin, "fetched")
        assert.strictEqual(hits.length, before + 1)
        const failure = yield* Effect.flip(get(`http://127.0.0.1:${port}/b`, { maxBytes: 999 }))
        assert.deepInclude(failure, { reason: "too_large" })
      }).pipe(Effect.provide(with_({ maxBytes: 3000, maxEntryBytes: 2000 }))),
    )

    it.scopedLive("are whole: a body that breaks off fails, and the next one is asked for", () =>
      Effect.gen(function* () {
        const state = { breaks: true }
        const { port } = yield* httpServer((_, response) => {
          response.writeHead(200, { "content-length": 10 }).write("01234")
          if (state.breaks) setTimeout(() => response.destroy(), 20)
          else response.end("56789")
        })
        const url = `http://127.0.0.1:${port}/`
        assert.deepInclude(yield* Effect.flip(get(url)), { reason: "interrupted" })
        state.breaks = false
        assert.strictEqual(short(yield* get(url)), "fetched 0123456789")
      }).pipe(Effect.provide(with_({}))),
    )
  })
}

describe("a folder of kept answers", () => {
  it.scopedLive("is there for the next process, and loses only what is broken in it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { port } = yield* httpServer(feedOf({ text: "one" }))
      const url = `http://127.0.0.1:${port}/feed?token=s3cret`
      const again = get(url).pipe(
        Effect.provide(FetchCache.layerDisk({ directory }).pipe(Layer.provide(door()))),
      )
      assert.strictEqual(short(yield* again), "fetched one")
      assert.strictEqual(short(yield* again), "kept one")
      const [facts = ""] = (yield* Effect.promise(() => readdir(directory))).filter((name) =>
        name.endsWith(".json"),
      )
      assert.notInclude(facts, "s3cret")
      const text = yield* Effect.promise(() => readFile(`${directory}/${facts}`, "utf8"))
      for (const broken of [text.slice(0, 40), "{}", text.replace(/"bytes":\d+/, '"bytes":999')]) {
        yield* Effect.promise(() => writeFile(`${directory}/${facts}`, broken))
        assert.strictEqual(short(yield* again), "fetched one")
      }
      // What a killed process left is taken away, what another one is just writing is not.
      yield* Effect.promise(() => writeFile(`${directory}/left.body`, "x"))
      yield* Effect.promise(() => utimes(`${directory}/left.body`, 1, 1))
      yield* Effect.promise(() => writeFile(`${directory}/young.body`, "x"))
      yield* get(`${url}&more`).pipe(
        Effect.provide(FetchCache.layerDisk({ directory }).pipe(Layer.provide(door()))),
      )
      const names = yield* Effect.promise(() => readdir(directory))
      assert.include(names, "young.body")
      assert.notInclude(names, "left.body")
    }),
  )
})
