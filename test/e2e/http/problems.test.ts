import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { assertProblem, JOBS } from "./asking.js"
import { rawAnswer } from "./rawSocket.js"
import { assertAnswered, rubbish } from "./rubbish.js"
import { clientOf } from "./world.js"

const Described = Schema.Struct({
  paths: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      get: Schema.optional(Schema.Struct({ security: Schema.Array(Schema.Unknown) })),
    }),
  }),
})

const APP = "https://app.example.com"

let server: EarmarkServer
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  server = await startEarmark({ EARMARK_CORS_ORIGINS: APP, EARMARK_CONSOLE: "off" })
  call = clientOf(server)
}, 120_000)

afterAll(() => server?.stop(), 60_000)

const raw = (bytes: string) => rawAnswer(server, bytes)

describe("every error is a problem", () => {
  it("a mistyped option is refused with the nearest name", async () => {
    const answer = await call(JOBS, { body: { url: "https://example.com/a.mp3", diarise: true } })
    assertProblem(answer, 400, "unknown_field")
    assert.include(String(answer.body.detail), "diarize")
    assertProblem(await call(`${JOBS}?limt=1`), 400, "unknown_field")
    assertProblem(await call(`${JOBS}?limit=1&limit=2`), 400, "invalid_request")
    assertProblem(await call(`${JOBS}?q=%ff`), 400, "invalid_request")
  })

  it("a field of the query that an operation does not declare is refused by each one", async () => {
    const { body } = await call("/openapi.json", { key: null })
    const { paths } = Schema.decodeUnknownSync(Described)(body)
    const guarded = Object.entries(paths).filter(([, { get }]) => (get?.security ?? []).length > 0)
    assert.isAbove(guarded.length, 10)
    for (const [path] of guarded) {
      const address = path.replaceAll(/\{\w+\}/g, "x")
      for (const field of ["foo=1", "api_key=x"]) {
        const answer = await call(`${address}?${field}`)
        assert.deepStrictEqual([path, answer.status, answer.body.code], [path, 400, "unknown_field"])
      }
    }
  })

  it("routes, methods, content types and sizes have theirs", async () => {
    assertProblem(await call("/api/v1/nothing"), 404, "not_found")
    const wrong = await call("/healthz", { method: "POST" })
    assertProblem(wrong, 405, "method_not_allowed")
    assert.strictEqual(wrong.headers.get("allow"), "GET, HEAD")
    const text = await call(JOBS, { body: {}, headers: { "Content-Type": "text/plain" } })
    assertProblem(text, 415, "unsupported_content_type")
    assertProblem(await call("/api/v1/credits", { headers: { Accept: "text/html" } }), 406, "not_acceptable")
    const large = await call(JOBS, { body: { url: "x".repeat(1024 * 1024) } })
    assertProblem(large, 413, "too_large")
    const cut = await fetch(`${server.baseUrl}${JOBS}`, {
      method: "POST",
      body: '{"url":',
      headers: { Authorization: `Bearer ${server.key}`, "Content-Type": "application/json" },
    })
    assert.strictEqual((await cut.text()).includes('"invalid_json"'), true)
  })

  it("a body that is announced has to be there, where one is read; none at all is an empty object", async () => {
    const headers = { "Content-Type": "application/json" }
    for (const path of ["/api/v1/keys", JOBS, "/api/v1/quotes"])
      assertProblem(await call(path, { method: "POST", headers }), 400, "invalid_json")
    const { body: key, status } = await call("/api/v1/keys", { method: "POST" })
    assert.strictEqual(status, 201)
    assert.strictEqual((await call(`/api/v1/keys/${key.id}`, { method: "DELETE", headers })).status, 204)
    assertProblem(await call(JOBS, { method: "POST" }), 400, "missing_source")
  })

  it("what the parser of Node refuses is answered as a problem too", async () => {
    for (const [bytes, status, code] of [
      ["GET / HTTP/9.9\r\n\r\n", 400, "invalid_request"],
      ["GET /healthz HTTP/1.1\r\n\r\n", 400, "invalid_request"],
      [`GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(16_400)}\r\n\r\n`, 431, "headers_too_large"],
      ["\u0016\u0003\u0001", 400, "invalid_request"],
    ] as const) {
      const text = await raw(
        bytes.replace("healthz HTTP/1.1\r\n", "healthz HTTP/1.1\r\nConnection: close\r\n"),
      )
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 40))
      assert.match(text, /\r\nContent-Type: application\/problem\+json\r\n/i)
      assert.match(text, /\r\nRequest-Id: req_/i)
      assert.match(text, /\r\nX-Content-Type-Options: nosniff\r\n/i)
      assert.include(text, `"code":"${code}"`)
    }
  })

  it("whatever is sent to any operation of the document, it is answered as that says, and never with a 5xx", async () => {
    const { body: document } = await call("/openapi.json", { key: null })
    let sent = 0
    for (const request of rubbish(document, 7)) {
      const answer = await fetch(`${server.baseUrl}${request.path}`, {
        method: request.method,
        headers: { Authorization: `Bearer ${server.key}`, ...request.headers },
        ...(request.body !== undefined && { body: request.body }),
      })
      const { status, headers } = answer
      // The stream of an account never ends.
      const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true
      if (isStream) await answer.body?.cancel()
      assertAnswered(request, { status, headers, text: isStream ? "" : await answer.text() })
      sent += 1
    }
    assert.isAbove(sent, 300)
  }, 120_000)

  it("pages of the origins named may ask and read, others may not", async () => {
    const preflight = (origin: string) =>
      call(JOBS, {
        key: null,
        method: "OPTIONS",
        headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
      })
    const allowed = await preflight(APP)
    assert.strictEqual(allowed.status, 204)
    assert.strictEqual(allowed.headers.get("access-control-allow-origin"), APP)
    assert.match(allowed.headers.get("access-control-allow-headers") ?? "", /Authorization/)
    const other = await preflight("https://evil.example.com")
    assert.isNull(other.headers.get("access-control-allow-origin"))
    const read = await call("/api/v1/credits", { headers: { Origin: APP } })
    assert.strictEqual(read.headers.get("access-control-allow-origin"), APP)
    assert.strictEqual(read.headers.get("vary"), "Origin")
    assert.isNull((await call("/api/v1/credits")).headers.get("access-control-allow-origin"))
  })

  it("two keys in one request are none", async () => {
    const header = `Authorization: Bearer ${server.key}\r\n`
    const text = await raw(
      `GET /api/v1/credits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}${header}\r\n`,
    )
    assert.match(text, /^HTTP\/1.1 401 /)
  })

  it("HEAD is GET without its body", async () => {
    const got = await call("/api/v1/credits")
    const asked = await call("/api/v1/credits", { method: "HEAD" })
    assert.deepStrictEqual([asked.status, asked.text], [200, ""])
    assert.strictEqual(asked.headers.get("content-length"), String(Buffer.byteLength(got.text)))
  })

  it("every answer has its security headers and an id of its own", async () => {
    const answers = await Promise.all(["/healthz", "/nothing", "/docs/problems"].map((path) => call(path)))
    for (const { headers } of answers) {
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'/)
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
    }
    assert.strictEqual(new Set(answers.map(({ headers }) => headers.get("request-id"))).size, 3)
  })
})
