import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { Fetcher } from "@earmark/service"
import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { door, fetchText, reasonFor, requestFor } from "./doors.js"
import { httpServer, rawServer } from "./servers.js"

const megabyte = 1024 * 1024
const text = "<rss>".repeat(50_000)

const failureFor = (url: string, more = {}) => Effect.flip(fetchText(url, more))

describe("an answer", () => {
  it.scopedLive("is decoded, in every encoding and in those that servers only claim", () =>
    Effect.gen(function* () {
      const bodies: Readonly<Record<string, readonly [string, Buffer]>> = {
        "/gzip": ["gzip", gzipSync(text)],
        "/xgzip": ["X-GZIP", gzipSync(text)],
        "/deflate": ["deflate", deflateSync(text)],
        "/raw": ["deflate", deflateRawSync(text)],
        "/br": ["br", brotliCompressSync(text)],
        "/twice": ["gzip, br", brotliCompressSync(gzipSync(text))],
        "/claimed": ["gzip", Buffer.from(text)],
        "/odd": ["utf-8", Buffer.from(text)],
        "/one": ["gzip", Buffer.from("x")],
        "/empty": ["gzip", Buffer.alloc(0)],
      }
      const { port } = yield* httpServer((request, response) => {
        const [encoding, body] = bodies[request.url ?? ""] ?? ["", Buffer.alloc(0)]
        response.writeHead(200, { "content-encoding": encoding }).end(body)
      })
      for (const path of Object.keys(bodies)) {
        const wanted = path === "/one" ? "x" : path === "/empty" ? "" : text
        assert.strictEqual((yield* fetchText(`http://127.0.0.1:${port}${path}`)).body, wanted, path)
      }
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive(
    "that is a bomb is cut off, with little memory and time",
    () =>
      Effect.gen(function* () {
        const zeros = Buffer.alloc(300 * megabyte)
        const gzip = gzipSync(zeros)
        const brotli = brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
        const { port } = yield* httpServer((request, response) => {
          const [encoding, body] =
            request.url === "/br" ? (["br", brotli] as const) : (["gzip", gzip] as const)
          response.writeHead(200, { "content-encoding": encoding }).end(body)
        })
        const before = process.memoryUsage().rss
        const started = cpuMilliseconds()
        for (const path of ["/gzip", "/br"]) {
          const url = `http://127.0.0.1:${port}${path}`
          assert.strictEqual(yield* drainReason(url, 50 * megabyte), "too_large")
          // A large limit does not help: the ratio gives it away.
          assert.strictEqual(yield* drainReason(url, 2000 * megabyte), "too_large")
        }
        assert.isBelow(cpuMilliseconds() - started, 3000)
        assert.isBelow(process.memoryUsage().rss - before, 150 * megabyte)
      }).pipe(Effect.provide(door())),
    120_000,
  )

  it.scopedLive("that lies about its length, breaks off or is no HTTP fails", () =>
    Effect.gen(function* () {
      const head = "HTTP/1.1 200 OK\r\n"
      const answers: ReadonlyArray<readonly [string, string, "end" | "reset"]> = [
        ["a body that is too short", `${head}Content-Length: 100\r\n\r\nshort`, "end"],
        ["chunks that break off", `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n9\r\nwor`, "end"],
        ["a reset in the body", `${head}Content-Length: 100\r\n\r\nshort`, "reset"],
        [
          "a broken gzip",
          `${head}Content-Encoding: gzip\r\n\r\n${gzipSync(text).subarray(0, 90).toString("latin1")}`,
          "end",
        ],
        ["nothing at all", "", "end"],
        ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "end"],
        ["bad chunk sizes", `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n`, "end"],
      ]
      for (const [name, answer, ending] of answers) {
        const { port } = yield* rawServer((socket) => {
          socket.write(Buffer.from(answer, "latin1"), () =>
            ending === "end" ? socket.end() : socket.resetAndDestroy(),
          )
        })
        const failure = yield* failureFor(`http://127.0.0.1:${port}/a?token=s3cret`)
        assert.deepInclude(failure, { reason: "interrupted" }, name)
        assert.notInclude(failure.message, "s3cret")
      }
      const { port } = yield* rawServer((socket) => {
        socket.write(`${head}X: ${"x".repeat(40_000)}\r\n\r\n`)
      })
      assert.strictEqual(yield* reasonFor(`http://127.0.0.1:${port}/`), "too_large")
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("in chunks is whole, though its end comes in pieces and with trailers", () =>
    Effect.gen(function* () {
      const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
      for (const end of [["0\r", "\n\r\n"], ["0\r\nX-Sum: 1\r\n\r\n"], ["0;last\r\n", "\r\n"]]) {
        const { port } = yield* rawServer((socket) => {
          socket.write(head)
          for (const [index, piece] of end.entries()) setTimeout(() => socket.write(piece), 20 * (index + 1))
          setTimeout(() => socket.end(), 20 * (end.length + 1))
        })
        const body = yield* Effect.gen(function* () {
          const fetcher = yield* Fetcher
          const answer = yield* fetcher.fetch(requestFor(`http://127.0.0.1:${port}/`))
          // A reader that is slower than the server.
          yield* Effect.sleep("150 millis")
          return yield* answer.body.pipe(Stream.decodeText(), Stream.mkString)
        }).pipe(Effect.scoped)
        assert.strictEqual(body, "hello", JSON.stringify(end))
      }
    }).pipe(Effect.provide(door())),
  )

  it.scopedLive("that never comes, never ends or stands still is given up", () =>
    Effect.gen(function* () {
      const silent = yield* rawServer(() => undefined)
      const drip = yield* rawServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        const timer = setInterval(() => socket.write("X-A: b\r\n"), 20)
        socket.on("close", () => clearInterval(timer))
      })
      const endless = yield* httpServer((_, response) => {
        const write = () => {
          while (response.write(Buffer.alloc(65_536)));
          response.once("drain", write)
        }
        write()
      })
      const stalled = yield* httpServer((_, response) => void response.write("<rss>"))
      const soon = { deadline: 400 }
      assert.strictEqual(yield* reasonFor(`http://127.0.0.1:${silent.port}/`, soon), "timeout")
      assert.strictEqual(yield* reasonFor(`http://127.0.0.1:${drip.port}/`, soon), "timeout")
      assert.strictEqual(yield* reasonFor(`http://127.0.0.1:${stalled.port}/`, soon), "timeout")
      assert.strictEqual(yield* reasonFor(`http://127.0.0.1:${stalled.port}/`), "timeout")
      assert.strictEqual(yield* reasonFor(`http://127.0.0.1:${endless.port}/`), "too_large")
      assert.deepInclude(yield* failureFor(`http://127.0.0.1:${stalled.port}/`), {
        status: 200,
        isTransient: true,
      })
    }).pipe(Effect.provide(door({ idleTimeout: 300 }))),
  )

  it.scopedLive("is let go when nobody wants it any more", () =>
    Effect.gen(function* () {
      const gone = yield* Deferred.make<void>()
      const { port } = yield* httpServer((request, response) => {
        response.write("beginning")
        request.socket.once("close", () => Effect.runSync(Deferred.succeed(gone, undefined)))
      })
      const fiber = yield* Effect.fork(fetchText(`http://127.0.0.1:${port}/`))
      yield* Effect.sleep("50 millis")
      yield* Fiber.interrupt(fiber)
      yield* Effect.timeout(Deferred.await(gone), "5 seconds")
      const fetcher = yield* Fetcher
      const unread = yield* Effect.scoped(fetcher.fetch(requestFor(`http://127.0.0.1:${port}/`)))
      assert.strictEqual(unread.status, 200)
    }).pipe(Effect.provide(door())),
  )
})

const drainReason = (url: string, maxBytes: number) =>
  Effect.gen(function* () {
    const fetcher = yield* Fetcher
    const answer = yield* fetcher.fetch(requestFor(url, { maxBytes }))
    const failure = yield* Effect.flip(Stream.runDrain(answer.body))
    return failure.reason
  }).pipe(Effect.scoped)
