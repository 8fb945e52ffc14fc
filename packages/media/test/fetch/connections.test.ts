import { Fetcher } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope, Stream } from "effect"
import { resolveByServers } from "../../src/fetch/resolve.js"
import { certificate, privateKey } from "./certificate.js"
import { door, fetchText, reasonFor, requestFor } from "./doors.js"
import { nameServer } from "./nameServer.js"
import { httpServer, rawServer } from "./servers.js"

const tls = { cert: certificate, key: privateKey }

/** Sets variables of the environment for the time of the scope. */
const environment = (values: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => Object.assign(process.env, values)),
    () =>
      Effect.sync(() => {
        for (const name of Object.keys(values)) delete process.env[name]
      }),
  )

const lead = (addresses: Readonly<Record<string, string>>) => async (name: string) => {
  const address = addresses[name]
  return address === undefined ? [] : [address]
}

describe("a connection", () => {
  it.scopedLive("with TLS needs a certificate for this name by an authority that is trusted", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer((_, response) => void response.end("safe"), "127.0.0.1", tls)
      const resolve = lead({ "tls.test": "127.0.0.1", "other.test": "127.0.0.1" })
      const strict = door({ resolve })
      const own = door({ resolve, authorities: [certificate] })
      assert.strictEqual(
        (yield* fetchText(`https://tls.test:${port}/`).pipe(Effect.provide(own))).body,
        "safe",
      )
      assert.strictEqual(
        (yield* fetchText(`https://127.0.0.1:${port}/`).pipe(Effect.provide(own))).body,
        "safe",
      )
      assert.strictEqual(yield* reasonFor(`https://other.test:${port}/`).pipe(Effect.provide(own)), "tls")
      assert.strictEqual(yield* reasonFor(`https://tls.test:${port}/`).pipe(Effect.provide(strict)), "tls")
      yield* environment({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })
      assert.strictEqual(yield* reasonFor(`https://tls.test:${port}/`).pipe(Effect.provide(strict)), "tls")
      const plain = yield* httpServer((_, response) => void response.end("plain"))
      assert.strictEqual(
        yield* reasonFor(`https://127.0.0.1:${plain.port}/`).pipe(Effect.provide(own)),
        "tls",
      )
    }),
  )

  it.scopedLive("is never made to a proxy that the environment names", () =>
    Effect.gen(function* () {
      const proxy = yield* rawServer((socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\nproxied"))
      const { port } = yield* httpServer((_, response) => void response.end("direct"))
      const url = `http://127.0.0.1:${proxy.port}`
      yield* environment({
        HTTP_PROXY: url,
        http_proxy: url,
        HTTPS_PROXY: url,
        https_proxy: url,
        ALL_PROXY: url,
        NODE_USE_ENV_PROXY: "1",
      })
      assert.strictEqual(
        (yield* fetchText(`http://127.0.0.1:${port}/`).pipe(Effect.provide(door()))).body,
        "direct",
      )
      assert.strictEqual(
        (yield* fetchText(`http://127.0.0.1:${port}/`, { trusted: true }).pipe(Effect.provide(door()))).body,
        "direct",
      )
      assert.deepStrictEqual(proxy.hits, [])
    }),
  )

  it.scopedLive("that is refused, or to a name whose server is silent, fails as such", () =>
    Effect.gen(function* () {
      const { address } = yield* nameServer({})
      const doors = door({ resolve: resolveByServers([address]), connectTimeout: 300 })
      assert.strictEqual(yield* reasonFor("http://127.0.0.1:1025/").pipe(Effect.provide(doors)), "refused")
      assert.strictEqual(yield* reasonFor("http://silent.test/").pipe(Effect.provide(doors)), "timeout")
      const mute = yield* rawServer(() => undefined)
      assert.strictEqual(
        yield* reasonFor(`https://127.0.0.1:${mute.port}/`).pipe(Effect.provide(doors)),
        "timeout",
      )
    }),
  )

  it.scopedLive("waits for its own name only: silent name servers keep nobody else waiting", () =>
    Effect.gen(function* () {
      const { address } = yield* nameServer({ "good.test": ["127.0.0.1"] })
      const { port } = yield* httpServer((_, response) => void response.end("quick"))
      yield* Effect.gen(function* () {
        for (let index = 0; index < 40; index++) {
          yield* Effect.fork(reasonFor(`http://silent${index}.test:${port}/`))
        }
        const quick = fetchText(`http://good.test:${port}/`).pipe(Effect.timeout("2 seconds"))
        assert.strictEqual((yield* quick).body, "quick")
        assert.strictEqual(yield* reasonFor(`http://nobody.test:${port}/`), "name_unknown")
      }).pipe(Effect.provide(door({ resolve: resolveByServers([address]) })))
    }),
  )

  it.scopedLive("takes a place: so many to one host, and none by who gave up waiting", () =>
    Effect.gen(function* () {
      const { port } = yield* httpServer((_, response) => void response.end("here"))
      const url = `http://127.0.0.1:${port}/`
      yield* Effect.gen(function* () {
        const fetcher = yield* Fetcher
        const scopes = yield* Effect.all([Scope.make(), Scope.make()])
        for (const scope of scopes) yield* fetcher.fetch(requestFor(url)).pipe(Scope.extend(scope))
        assert.strictEqual(yield* reasonFor(url, { deadline: 200 }), "timeout")
        assert.strictEqual((yield* fetchText(url, { trusted: true })).body, "here")
        for (const scope of scopes) yield* Scope.close(scope, Exit.void)
        for (let index = 0; index < 5; index++) assert.strictEqual((yield* fetchText(url)).body, "here")
      }).pipe(Effect.provide(door({ connectionsPerHost: 2 })))
    }),
  )
})

describe("a redirect", () => {
  it.scopedLive("to another origin gets none of the credentials, one to the same gets all", () =>
    Effect.gen(function* () {
      const seen: Array<readonly [string, string | undefined, string | undefined, string | undefined]> = []
      const { port } = yield* httpServer((request, response) => {
        const { host = "", authorization, cookie, "x-api-key": key } = request.headers
        seen.push([`${host.split(":")[0]}${request.url}`, authorization, cookie, String(key)])
        if (request.url === "/same") response.writeHead(302, { location: "/other" }).end()
        else if (request.url === "/other") {
          response.writeHead(302, { location: `http://b.test:${port}/end` }).end()
        } else response.end()
      })
      const headers = { Authorization: "Basic abc", Cookie: "a=b", "X-Api-Key": "key" }
      const resolve = lead({ "a.test": "127.0.0.1", "b.test": "127.0.0.1" })
      yield* fetchText(`http://a.test:${port}/same`, { headers }).pipe(Effect.provide(door({ resolve })))
      assert.deepStrictEqual(seen, [
        ["a.test/same", "Basic abc", "a=b", "key"],
        ["a.test/other", "Basic abc", "a=b", "key"],
        ["b.test/end", undefined, undefined, "undefined"],
      ])
    }),
  )

  it.scopedLive(
    "is counted, followed only as far as asked, and known for good only as far as it is permanent",
    () =>
      Effect.gen(function* () {
        const { port } = yield* httpServer((request, response) => {
          const [kind, count] = (request.url ?? "").slice(1).split("/")
          const left = Number(count)
          if (left === 0) response.end("end")
          else {
            const status = kind === "mixed" && left === 1 ? 302 : 301
            response.writeHead(status, { location: `/${kind}/${left - 1}#part` }).end("moved")
          }
        })
        const base = `http://127.0.0.1:${port}`
        assert.strictEqual((yield* fetchText(`${base}/for-good/8`)).movedTo, `${base}/for-good/0`)
        assert.strictEqual((yield* fetchText(`${base}/mixed/3`)).movedTo, `${base}/mixed/1`)
        assert.strictEqual((yield* fetchText(`${base}/mixed/1`)).movedTo, undefined)
        assert.strictEqual(yield* reasonFor(`${base}/for-good/9`), "too_many_redirects")
        const answer = yield* fetchText(`${base}/for-good/3`, { redirects: 0 })
        assert.deepInclude(answer, { status: 301, body: "moved", url: `${base}/for-good/3` })
      }).pipe(Effect.provide(door())),
  )

  it.scopedLive("makes a GET of a POST where the standard says so, and takes no body to another origin", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { port } = yield* httpServer((request, response) => {
        const status = Number((request.url ?? "").slice(1))
        request.setEncoding("utf8").on("data", (body: string) => seen.push(`body ${body}`))
        request.on("end", () => {
          seen.push(`${request.method} ${request.headers.host?.split(":")[0]}`)
          if (status > 0) response.writeHead(status, { location: `http://b.test:${port}/0` }).end()
          else response.end()
        })
      })
      const post = { method: "POST", body: Buffer.from("secret") } as const
      const resolve = lead({ "a.test": "127.0.0.1", "b.test": "127.0.0.1" })
      yield* Effect.gen(function* () {
        yield* fetchText(`http://a.test:${port}/303`, post)
        assert.deepStrictEqual(seen.splice(0), ["body secret", "POST a.test", "GET b.test"])
        assert.strictEqual(yield* reasonFor(`http://a.test:${port}/307`, post), "refused")
        assert.deepStrictEqual(seen.splice(0), ["body secret", "POST a.test"])
        yield* fetchText(`http://b.test:${port}/307`, post)
        assert.deepStrictEqual(seen.splice(0), ["body secret", "POST b.test", "body secret", "POST b.test"])
      }).pipe(Effect.provide(door({ resolve })))
    }),
  )
})

describe("an answer to HEAD", () => {
  it.scopedLive("has no body, though it announces one", () =>
    Effect.gen(function* () {
      const { port, hits } = yield* httpServer(
        (_, response) => void response.writeHead(200, { "content-length": "9" }).end(),
      )
      const fetcher = yield* Fetcher
      const answer = yield* fetcher.fetch(
        requestFor(`http://127.0.0.1:${port}/`, { method: "HEAD", maxBytes: 0 }),
      )
      assert.strictEqual(answer.headers["content-length"], "9")
      assert.deepStrictEqual([...(yield* Stream.runCollect(answer.body))], [])
      assert.deepStrictEqual(hits, ["HEAD /"])
    }).pipe(Effect.provide(door())),
  )
})
