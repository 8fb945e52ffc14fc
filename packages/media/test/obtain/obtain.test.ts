import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { type JobSource, ObjectStore, ObjectStoreMemory } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { FetcherNode, obtain, SocialVideo, YtDlp } from "../../src/index.js"
import { httpServer } from "../fetch/servers.js"
import { loopback, mp3 } from "../resolve/world.js"

const REF = "uploads/acct_01k00000000000000000000000/0f8fad5b-d9cb-469f-a165-70867728950e.mp3"
const POST = "https://vimeo.com/12345678"

const source = (mediaUrl: string | null, more: Partial<JobSource> = {}): JobSource => ({
  shown: { kind: "media" },
  mediaUrl,
  link: mediaUrl,
  identity: null,
  ...more,
})
const upload = source(null, { shown: { kind: "upload", mediaRef: REF } })

const site = httpServer((request, response) => {
  const allowed = `Basic ${Buffer.from("ann:hush").toString("base64")}`
  switch (request.url) {
    case "/talk.mp3":
      return response.writeHead(200, { "content-length": mp3.length }).end(mp3)
    case "/private.mp3":
      return response.writeHead(request.headers.authorization === allowed ? 200 : 401).end(mp3)
    case "/short.mp3":
      response.writeHead(200, { "content-length": mp3.length + 1 })
      return response.write(mp3, () => response.destroy())
    case "/inside.mp3":
      return response.writeHead(302, { location: "http://10.0.0.1/" }).end()
    default:
      return response.writeHead(Number(request.url?.slice(1)) || 404).end()
  }
})

const world = (social: Layer.Layer<SocialVideo> = YtDlp.none) =>
  Layer.mergeAll(FetcherNode.layer({ allow: loopback }), ObjectStoreMemory.layer, social)

const outcome = (from: JobSource, maxBytes = 100_000) =>
  Effect.scoped(obtain(from, { maxBytes })).pipe(
    Effect.match({
      onFailure: ({ code, isTransient }) => `${code}${isTransient ? " again" : ""}`,
      onSuccess: () => "fine",
    }),
  )

describe("the media of a job", () => {
  it.live("is in a file of its own for as long as it is needed", () =>
    Effect.gen(function* () {
      const { port } = yield* site
      const path = yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* obtain(source(`http://127.0.0.1:${port}/talk.mp3`), { maxBytes: 100_000 })
          assert.deepInclude(file, { bytes: mp3.length, longest: null })
          assert.isTrue(readFileSync(file.path).equals(mp3))
          const modes = [dirname(file.path), file.path].map((path) => statSync(path).mode & 0o777)
          assert.deepStrictEqual(modes, [0o700, 0o600])
          return file.path
        }),
      )
      assert.isFalse(existsSync(dirname(path)))
    }).pipe(Effect.provide(world()), Effect.scoped),
  )

  const table: ReadonlyArray<readonly [string, string]> = [
    ["talk.mp3", "fine"],
    ["404", "source_not_found"],
    ["410", "source_not_found"],
    ["401", "source_forbidden"],
    ["403", "source_forbidden"],
    ["451", "source_forbidden"],
    ["429", "download_failed again"],
    ["503", "download_failed again"],
    ["504", "download_timeout again"],
    ["418", "source_unresolvable"],
    ["short.mp3", "download_failed again"],
    ["inside.mp3", "source_blocked"],
  ]
  for (const [path, expected] of table) {
    it.live(`${path}: ${expected}`, () =>
      Effect.gen(function* () {
        const { port } = yield* site
        assert.strictEqual(yield* outcome(source(`http://127.0.0.1:${port}/${path}`)), expected)
      }).pipe(Effect.provide(world()), Effect.scoped),
    )
  }

  it.live("of an episode that is gone is not said of the feed that lists it", () =>
    Effect.gen(function* () {
      const { port } = yield* site
      const at = (path: string): JobSource => {
        const url = `http://127.0.0.1:${port}/${path}`
        const feedUrl = `http://127.0.0.1:${port}/feed`
        return source(url, { link: feedUrl, shown: { kind: "episode", url, feedUrl, episodeGuid: "g" } })
      }
      const said = (path: string) =>
        Effect.scoped(obtain(at(path), { maxBytes: 100_000 })).pipe(
          Effect.flip,
          Effect.map(({ message }) => message),
        )
      assert.strictEqual(
        yield* said("404"),
        "The feed lists this episode, but its media is gone: 127.0.0.1 answered with status 404. Choose another episode, or tell the publisher.",
      )
      assert.strictEqual(
        yield* said("403"),
        "The feed lists this episode, but its media is not handed out: 127.0.0.1 answered with status 403. Choose another episode, or upload the file.",
      )
      assert.match(yield* said("503"), /^The media could not be downloaded completely;/)
    }).pipe(Effect.provide(world()), Effect.scoped),
  )

  it.live("past its size, inside a network, or nowhere is refused", () =>
    Effect.gen(function* () {
      const { port } = yield* site
      const address = `http://127.0.0.1:${port}/talk.mp3`
      assert.strictEqual(yield* outcome(source(address), 100), "media_too_large")
      assert.strictEqual(yield* outcome(source("http://127.0.0.2/a.mp3")), "source_blocked")
      assert.strictEqual(yield* outcome(source("file:///etc/passwd")), "source_unresolvable")
      assert.strictEqual(yield* outcome(source("nonsense")), "source_unresolvable")
      assert.strictEqual(yield* outcome(source(null)), "source_unresolvable")
    }).pipe(Effect.provide(world()), Effect.scoped),
  )

  it.live("is asked for with the login of its own address or its feed, and no other's", () =>
    Effect.gen(function* () {
      const { port } = yield* site
      const other = yield* site
      const address = (login: string, at = port) => `http://${login}127.0.0.1:${at}/private.mp3`
      assert.strictEqual(yield* outcome(source(address("ann:hush@"))), "fine")
      const feed = { link: `http://ann:hush@127.0.0.1:${port}/feed` }
      assert.strictEqual(yield* outcome(source(address(""), feed)), "fine")
      assert.strictEqual(yield* outcome(source(address("", other.port), feed)), "source_forbidden")
      assert.strictEqual(yield* outcome(source(address(""))), "source_forbidden")
    }).pipe(Effect.provide(world()), Effect.scoped),
  )

  it.live("may be an upload", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      assert.strictEqual(yield* outcome(upload), "upload_missing")
      const object = { key: REF, contentType: "audio/mpeg", bytes: mp3.length }
      yield* store.put(object, Stream.make(mp3.subarray(0, 100), mp3.subarray(100)))
      const file = yield* obtain(upload, { maxBytes: 100_000 })
      assert.isTrue(readFileSync(file.path).equals(mp3))
      assert.strictEqual(file.bytes, mp3.length)
      assert.strictEqual(statSync(file.path).mode & 0o777, 0o600)
      assert.strictEqual(yield* outcome(upload, 100), "media_too_large")
    }).pipe(Effect.provide(world()), Effect.scoped),
  )

  it.live("of a social site is a clip, wherever its bytes come from", () => {
    const asked: Array<string> = []
    const social = Layer.succeed(SocialVideo, {
      missing: Effect.succeed(null),
      describe: () => Effect.dieMessage("not asked"),
      download: (post, folder) => {
        asked.push(post)
        return Effect.succeed({ path: `${folder}/clip`, bytes: 3 })
      },
    })
    return Effect.gen(function* () {
      const { port } = yield* site
      const shown = { kind: "social", url: POST } as const
      const bySite = yield* obtain(source(POST, { shown }), { maxBytes: 10 })
      assert.deepInclude(bySite, { bytes: 3, longest: 90_000 })
      const direct = source(`http://127.0.0.1:${port}/talk.mp3`, { shown })
      assert.strictEqual((yield* obtain(direct, { maxBytes: 100_000 })).longest, 90_000)
      // A feed that names a clip for its media does not get around the cap.
      const named = yield* obtain(source(POST, { shown: { kind: "episode" } }), { maxBytes: 10 })
      assert.strictEqual(named.longest, 90_000)
      assert.deepStrictEqual(asked, [POST, POST])
    }).pipe(Effect.provide(world(social)), Effect.scoped)
  })
})
