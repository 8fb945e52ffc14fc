import { FetchFailed } from "@earmark/service"
import { HttpBody, HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import { layer } from "../../src/http-client/index.js"
import { door } from "./doors.js"
import { httpServer } from "./servers.js"

const client = (options: Parameters<typeof layer>[0] = {}) => layer(options).pipe(Layer.provide(door()))

/** Answers with what was asked. */
const echo = httpServer((request, response) => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    if (request.url === "/moved") return response.writeHead(302, { location: "/?to" }).end()
    if (request.url === "/none") return response.writeHead(204).end()
    if (request.url === "/private") return response.writeHead(302, { location: "http://127.0.0.2:9/" }).end()
    if (request.url === "/large") return response.writeHead(200).end(Buffer.alloc(2_000_000, "x"))
    return response
      .writeHead(request.url === "/missing" ? 404 : 200, { "content-type": "application/json" })
      .end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          type: request.headers["content-type"] ?? null,
          key: request.headers.authorization ?? null,
          body: Buffer.concat(parts).toString(),
        }),
      )
  })
})

const Echoed = Schema.Struct({
  method: Schema.String,
  url: Schema.String,
  type: Schema.NullOr(Schema.String),
  key: Schema.NullOr(Schema.String),
  body: Schema.String,
})

const told = <E, R>(sent: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
  Effect.flatMap(sent, HttpClientResponse.schemaBodyJson(Echoed))

describe("HttpClient over the guarded fetch", () => {
  it.scopedLive("sends requests with their parameters, headers and bodies", () =>
    Effect.gen(function* () {
      const base = `http://127.0.0.1:${(yield* echo).port}`
      assert.strictEqual(
        (yield* told(HttpClient.get(`${base}/a`, { urlParams: { q: "x y" } }))).url,
        "/a?q=x+y",
      )
      assert.strictEqual((yield* told(HttpClient.get(`${base}/moved`))).url, "/?to")
      const post = HttpClientRequest.post(base).pipe(HttpClientRequest.bearerToken("k"))
      const json = yield* told(HttpClient.execute(HttpClientRequest.bodyUnsafeJson(post, { a: 1 })))
      assert.deepInclude(json, { method: "POST", type: "application/json", key: "Bearer k", body: '{"a":1}' })
      const form = new FormData()
      form.set("name", "Ann")
      const sent = yield* told(HttpClient.execute(HttpClientRequest.bodyFormData(post, form)))
      assert.match(sent.type ?? "", /^multipart\/form-data; boundary=/)
      assert.include(sent.body, "Ann")
      const parts = Stream.make("one, ", "two").pipe(Stream.encodeText)
      assert.strictEqual(
        (yield* told(HttpClient.execute(HttpClientRequest.bodyStream(post, parts)))).body,
        "one, two",
      )
      const raw = HttpClientRequest.setBody(post, HttpBody.raw("raw"))
      assert.strictEqual((yield* told(HttpClient.execute(raw))).body, "raw")
      assert.strictEqual((yield* HttpClient.get(`${base}/none`)).status, 204)
      const missing = yield* HttpClient.get(`${base}/missing`)
      assert.strictEqual(missing.status, 404)
      assert.strictEqual((yield* HttpClientResponse.schemaBodyJson(Echoed)(missing)).url, "/missing")
    }).pipe(Effect.provide(client())),
  )

  it.scopedLive("blocks private addresses, also behind a redirect, and names the reason", () =>
    Effect.gen(function* () {
      const { port } = yield* echo
      for (const url of [
        "http://127.0.0.2:9/",
        `http://127.0.0.1:${port}/private`,
        "http://169.254.169.254/",
      ]) {
        const failure = yield* Effect.flip(HttpClient.get(url))
        assert.strictEqual(failure._tag, "RequestError")
        assert.instanceOf(failure.cause, FetchFailed)
        assert.propertyVal(failure.cause, "reason", "address_blocked")
      }
      const failure = yield* Effect.flip(HttpClient.get("ftp://127.0.0.1/"))
      assert.strictEqual(failure.reason, "InvalidUrl")
    }).pipe(Effect.provide(client())),
  )

  it.scopedLive("stops a response that is too large, and a body that cannot be sent", () =>
    Effect.gen(function* () {
      const { port } = yield* echo
      const failure = yield* Effect.flip(
        Effect.flatMap(HttpClient.get(`http://127.0.0.1:${port}/large`), ({ text }) => text),
      )
      assert.strictEqual(failure.reason, "Decode")
      const post = HttpClientRequest.post(`http://127.0.0.1:${port}/`)
      const raw = HttpClientRequest.setBody(post, HttpBody.raw(7))
      assert.strictEqual((yield* Effect.flip(HttpClient.execute(raw))).reason, "Encode")
    }).pipe(Effect.provide(client({ maxBytes: 1_000_000 }))),
  )

  it.scopedLive("gives up the connection of a body that is not read to its end", () =>
    Effect.gen(function* () {
      const { port } = yield* echo
      // As many as one host may have at a time, and some more: each must have been let go.
      for (let round = 0; round < 12; round++) {
        const { stream } = yield* HttpClient.get(`http://127.0.0.1:${port}/large`)
        yield* Stream.runDrain(Stream.take(stream, 1))
      }
    }).pipe(Effect.provide(client())),
  )
})
