import { parseCidrList } from "@earmark/core/links"
import { WebhookSender } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { WebhookSenderHttp } from "../../src/index.js"
import { certificate, privateKey } from "../fetch/certificate.js"
import { httpServer, rawServer } from "../fetch/servers.js"

const allow = Either.getOrThrow(parseCidrList("127.0.0.1"))
const sender = WebhookSenderHttp.layer({ allow })

const post = (url: string, timeoutSeconds = 10) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.post(url, { headers: { "Service-Event-Id": "tr_1.done" }, body: '{"text":"é"}', timeoutSeconds }),
  )

const errorFor = (url: string, timeoutSeconds?: number) =>
  Effect.map(post(url, timeoutSeconds), ({ error }) => error)

describe("a delivery", () => {
  it.scopedLive("arrives as it was signed, over HTTP/1.1, and brings the answer back", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { port } = yield* httpServer((request, response) => {
        const chunks: Array<Buffer> = []
        request
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", () => {
            const { "service-event-id": id, "content-length": length } = request.headers
            seen.push([
              request.method,
              request.httpVersion,
              id,
              length,
              Buffer.concat(chunks).toString("utf8"),
            ])
            response.writeHead(202, { "X-Note": "yes" }).end("got\0it")
          })
      })
      const answer = yield* post(`http://127.0.0.1:${port}/hook`)
      assert.deepStrictEqual(seen, [["POST", "1.1", "tr_1.done", "13", '{"text":"é"}']])
      assert.deepInclude(answer, { status: 202, error: null, body: "got\ufffdit" })
      assert.strictEqual(answer.headers["x-note"], "yes")
    }).pipe(Effect.provide(sender)),
  )

  it.scopedLive("ends in a word for every way to fail", () =>
    Effect.gen(function* () {
      const status = yield* httpServer((request, response) => {
        const code = Number((request.url ?? "").slice(1))
        response.writeHead(code, { location: "/200" }).end("words")
      })
      const base = `http://127.0.0.1:${status.port}`
      assert.deepInclude(yield* post(`${base}/500`), { status: 500, error: "http_status", body: "words" })
      assert.deepInclude(yield* post(`${base}/410`), { status: 410, error: "http_status" })
      assert.deepInclude(yield* post(`${base}/302`), { status: 302, error: "redirect" })
      assert.deepInclude(yield* post(`${base}/307`), { status: 307, error: "redirect" })
      assert.deepStrictEqual(status.hits, ["POST /500", "POST /410", "POST /302", "POST /307"])
      const secure = yield* httpServer(() => undefined, "127.0.0.1", { cert: certificate, key: privateKey })
      const hidden = yield* httpServer(() => undefined, "127.0.0.2")
      const silent = yield* rawServer(() => undefined)
      const rude = yield* rawServer((socket) => socket.destroy())
      assert.strictEqual(yield* errorFor(`https://127.0.0.1:${secure.port}/`), "tls")
      assert.strictEqual(yield* errorFor(`http://127.0.0.2:${hidden.port}/`), "blocked_address")
      assert.strictEqual(yield* errorFor(`http://127.0.0.1:${silent.port}/`, 0.3), "timeout")
      assert.strictEqual(yield* errorFor(`http://127.0.0.1:${rude.port}/`), "refused")
      assert.strictEqual(yield* errorFor("http://127.0.0.1:1025/"), "refused")
      assert.strictEqual(yield* errorFor("http://receiver.invalid/"), "dns")
      assert.strictEqual(yield* errorFor("no address"), "refused")
      assert.deepStrictEqual([...hidden.hits, ...secure.hits], [])
    }).pipe(Effect.provide(sender)),
  )

  it.scopedLive(
    "reads at most 16 kB of an endless answer, and is decided by a status whose body never ends",
    () =>
      Effect.gen(function* () {
        let written = 0
        const endless = yield* rawServer((socket) => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          const write = () => {
            if (socket.destroyed) return
            written += 65_536
            if (socket.write("x".repeat(65_536))) setImmediate(write)
            else socket.once("drain", write)
          }
          write()
        })
        const answer = yield* post(`http://127.0.0.1:${endless.port}/`)
        assert.deepInclude(answer, { status: 200, error: null })
        assert.strictEqual(answer.body.length, 16 * 1024)
        assert.isBelow(written, 16 * 1024 * 1024)
        const hanging = yield* httpServer((_, response) => void response.write("half"))
        assert.deepInclude(yield* post(`http://127.0.0.1:${hanging.port}/`, 0.5), {
          status: 200,
          error: null,
          body: "half",
        })
      }).pipe(Effect.provide(sender)),
  )

  it.scopedLive("speaks plain http only as far as it may", () =>
    Effect.gen(function* () {
      const receiver = yield* httpServer((_, response) => void response.end())
      const url = `http://127.0.0.1:${receiver.port}/`
      const named = `http://hook.test:${receiver.port}/`
      const off = { allow, plainHttp: "off" } as const
      // 3ffe::/16 was given back: public in form, and no one is there.
      const turned = { allow, resolve: async () => ["3ffe::1"] }
      for (const [options, address, expected] of [
        [{ allow }, url, null],
        [off, url, "blocked_address"],
        [{ ...off, resolve: async () => ["127.0.0.1"] }, named, "blocked_address"],
        [{ allow, resolve: async () => ["127.0.0.1"] }, named, null],
        [turned, named, "blocked_address"],
        [{ allow }, "http://[3ffe::1]/", "blocked_address"],
        // With a way to the internet there is nobody to refuse it either.
        [{ ...turned, plainHttp: "on" }, named, "refused or timeout"],
      ] satisfies ReadonlyArray<[WebhookSenderHttp.WebhookSenderOptions, string, string | null]>) {
        const error = yield* errorFor(address, 2).pipe(Effect.provide(WebhookSenderHttp.layer(options)))
        const of = `${address} ${JSON.stringify(options)}`
        if (expected === null) assert.isNull(error, of)
        else assert.include(expected.split(" or "), error, of)
      }
      assert.lengthOf(receiver.hits, 2)
    }),
  )

  it.scopedLive("has a connection of its own", () =>
    Effect.gen(function* () {
      const ports = new Set<number | undefined>()
      const { port } = yield* httpServer((request, response) => {
        ports.add(request.socket.remotePort)
        response.end()
      })
      for (let index = 0; index < 5; index++) yield* post(`http://127.0.0.1:${port}/`)
      assert.strictEqual(ports.size, 5)
    }).pipe(Effect.provide(sender)),
  )
})
