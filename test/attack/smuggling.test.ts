import { spawnSync } from "node:child_process"
import { request } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { assertProblem, JOBS } from "../e2e/http/asking.js"
import { rawAnswer } from "../e2e/http/rawSocket.js"
import { clientOf } from "../e2e/http/world.js"
import { type EarmarkServer, startEarmark } from "../servers/earmarkServer.js"

let server: EarmarkServer
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  server = await startEarmark()
  call = clientOf(server)
}, 120_000)

afterAll(() => server?.stop(), 60_000)

/** A request whose head is as given. */
const ask = (line: string, headers = "", body = "") =>
  rawAnswer(
    server,
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n${headers}\r\n${body}`,
  )

const CLOSE = "Connection: close\r\n"
const JSON_TYPE = "Content-Type: application/json\r\n"
const CHUNKED = `${JSON_TYPE}Transfer-Encoding: chunked\r\n`

const assertRaw = (text: string, status: number, code: string) => {
  assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), text.slice(0, 200))
  assert.match(text, /\r\nContent-Type: application\/problem\+json\r\n/i)
  assert.match(text, /\r\nRequest-Id: req_/i)
  assert.include(text, `"code":"${code}"`)
  assert.notInclude(text, "(still open)")
}

describe("bytes that no client would send", () => {
  it("a body that is not framed as it says is a problem, and the end of its connection", async () => {
    const post = `POST ${JOBS}`
    for (const [headers, body] of [
      [CHUNKED, "zz\r\n{}\r\n0\r\n\r\n"],
      [CHUNKED, "FFFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n"],
      [CHUNKED, `2;${"a".repeat(50_000)}\r\n{}\r\n0\r\n\r\n`],
      [`${JSON_TYPE}Transfer-Encoding: identity\r\n`, "{}"],
      [`${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n`, "{}x"],
      [`${CHUNKED}Content-Length: 2\r\n`, "0\r\n\r\n"],
    ] as const)
      assertRaw(await ask(post, headers, body), 400, "invalid_request")
    const many = await ask(post, CHUNKED, `2\r\n{}\r\n0\r\nx: ${"y".repeat(70_000)}\r\n\r\n`)
    assertRaw(many, 431, "headers_too_large")
    const coded = `${CLOSE}${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n`
    assertRaw(await ask(post, coded, "2\r\n{}\r\n0\r\n\r\n"), 415, "unsupported_content_type")
  })

  it("a request that is whole has its answer, whatever comes behind it, and then the connection is closed", async () => {
    const text = await ask("POST /api/v1/keys", `${JSON_TYPE}Content-Length: 2\r\n`, "{}garbage\r\n\r\n")
    assert.match(text, /^HTTP\/1\.1 201 /)
    assert.strictEqual(text.split("HTTP/1.1 ").length, 2)
    assert.notInclude(text, "(still open)")
  })

  it("nobody is waited for whose body nobody reads", async () => {
    const text = await ask("POST /nothing", "Transfer-Encoding: chunked\r\n", "1\r\n{\r\n")
    assertRaw(text, 404, "not_found")
  })

  it("is no proxy, and echoes nothing", async () => {
    assertRaw(await ask("CONNECT example.com:443"), 400, "invalid_request")
    assertRaw(await ask(`TRACE ${JOBS}`, CLOSE), 405, "method_not_allowed")
    assertRaw(await ask("GET http://example.com/api/v2", CLOSE), 404, "not_found")
    assert.match(await ask("GET http://example.com/healthz", CLOSE), /^HTTP\/1\.1 200 /)
  })

  it("an address is what it says, letter by letter", async () => {
    for (const path of [
      "/api%2Fv1%2Fcredits",
      `${JOBS}/tr_%2F..%2Fcredits`,
      `${JOBS}/../credits`,
      `${JOBS}/%2e%2e/credits`,
      "/docs/../../etc/passwd",
      "/docs/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
      `${JOBS}/%zz`,
      `${JOBS}/%ff`,
      `${JOBS}/`,
      "//api/v1/credits",
      "/API/V1/credits",
      "/api/v1/credits;x=1",
    ])
      assertRaw(await ask(`GET ${path}`, CLOSE), 404, "not_found")
    assertRaw(await ask(`GET ${JOBS}/tr_%00`, CLOSE), 400, "invalid_request")
    assertRaw(await ask(`GET ${JOBS}/tr_\u0000`, CLOSE), 400, "invalid_request")
  })

  it("a client that leaves in the middle of its request is no error of the service", async () => {
    const head = `Content-Length: 100\r\nContent-Type: application/x-www-form-urlencoded\r\n`
    // A connection that is shut down half way, as curl does when it is interrupted.
    const leave = `const s = require("net").connect(${server.port}, "127.0.0.1", () => { s.write(${JSON.stringify(
      `POST /oauth/register HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${head}\r\na`,
    )}); setTimeout(() => s.resetAndDestroy(), 700) })`
    spawnSync(process.execPath, ["-e", leave])
    // What came first is in the log when what comes later is answered.
    assert.strictEqual((await call("/oauth/jwks", { key: null })).status, 200)
    assert.notInclude(server.log(), "A request of an app failed")
  })
})

/** A second request, hidden in what another parser would take for the body of the first. */
const HIDDEN = `POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n${JSON_TYPE}Content-Length: 2\r\n\r\n{}`

/** Frames that two parsers may read differently: head of the request, and its body up to the hidden request. */
const FRAMES: Readonly<Record<string, readonly [head: string, body?: string]>> = {
  "a length and chunks": ["Content-Length: 6\r\nTransfer-Encoding: chunked", "0\r\n\r\n"],
  "chunks and a length": ["Transfer-Encoding: chunked\r\nContent-Length: 6", "0\r\n\r\n"],
  "a space before the colon": ["Transfer-Encoding : chunked", "0\r\n\r\n"],
  "a tab before the colon": ["Content-Length\t: 2", "{}"],
  "chunks of a name that is almost theirs": ["Transfer-Encoding: xchunked", "0\r\n\r\n"],
  "a vertical tab before the coding": ["Transfer-Encoding:\vchunked", "0\r\n\r\n"],
  "chunks, and then another coding": ["Transfer-Encoding: chunked, identity", "0\r\n\r\n"],
  "codings in two fields": ["Transfer-Encoding: chunked\r\nTransfer-Encoding: x", "0\r\n\r\n"],
  "a folded field": ["Transfer-Encoding:\r\n chunked", "0\r\n\r\n"],
  "a folded length": ["X: a\r\n Content-Length: 100", "{}"],
  "two lengths": ["Content-Length: 2\r\nContent-Length: 200", "{}"],
  "a list of lengths": ["Content-Length: 2, 200", "{}"],
  "a length with a sign": ["Content-Length: +2", "{}"],
  "a negative length": ["Content-Length: -1", "{}"],
  "a length in hex": ["Content-Length: 0x2", "{}"],
  "a length that is too large for a number": ["Content-Length: 18446744073709551618", "{}"],
  "an empty length": ["Content-Length: ", "{}"],
  "fields that end in a line feed alone": ["X: a\nContent-Length: 200", "{}"],
  "fields that end in a carriage return alone": ["X: a\rContent-Length: 200", "{}"],
  "a NUL in a field": ["X: a\0b\r\nContent-Length: 2", "{}"],
  "a field without a name": [": a\r\nContent-Length: 2", "{}"],
  "a chunk whose size is signed": ["Transfer-Encoding: chunked", "+2\r\n{}\r\n0\r\n\r\n"],
  "a chunk whose size has a prefix": ["Transfer-Encoding: chunked", "0x2\r\n{}\r\n0\r\n\r\n"],
  "a chunk whose size ends in a line feed alone": ["Transfer-Encoding: chunked", "2\n{}\r\n0\r\n\r\n"],
  "a chunk that is longer than it says": ["Transfer-Encoding: chunked", "2\r\n{}x\r\n0\r\n\r\n"],
  "an extension with a line feed": ["Transfer-Encoding: chunked", "2;a\nb\r\n{}\r\n0\r\n\r\n"],
  "a trailer with a line feed": ["Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\nX: a\nb\r\n\r\n"],
}

describe("a request inside another", () => {
  it("is never answered, however the first one is framed", async () => {
    const before = (await call("/api/v1/keys?limit=100")).body.data
    for (const [what, [head, body = ""]] of Object.entries(FRAMES)) {
      const hidden = HIDDEN.replace("KEY", server.key)
      const text = await ask(`POST ${JOBS}`, `${JSON_TYPE}${head}\r\n`, `${body}${hidden}`)
      assert.match(text, /^HTTP\/1\.1 4\d\d /, what)
      assert.lengthOf(text.split(/HTTP\/1\.1 \d/), 2, what)
      assert.notInclude(text, "(still open)", what)
    }
    assert.deepStrictEqual((await call("/api/v1/keys?limit=100")).body.data, before)
  })

  it("comes through no extension, no trailer and no second Host", async () => {
    const chunks = `2;a="${HIDDEN.slice(0, 4)}"\r\n{}\r\n0\r\nAuthorization: Bearer ${server.key}\r\n\r\n`
    const anonymous = `POST ${JOBS} HTTP/1.1\r\nHost: x\r\n${CLOSE}${CHUNKED}\r\n${chunks}`
    // What stands in a trailer is no field of the request.
    assertRaw(await rawAnswer(server, anonymous), 401, "unauthorized")
    const none = `GET ${JOBS} HTTP/1.1\r\nAuthorization: Bearer ${server.key}\r\n${CLOSE}\r\n`
    assertRaw(await rawAnswer(server, none), 400, "invalid_request")
    for (const first of ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\r\n\r\n"])
      assertRaw(await rawAnswer(server, first), 400, "invalid_request")
  })
})

describe("a line end where text belongs", () => {
  const BREAK = "%0d%0aX-Injected:%20yes%0d%0aSet-Cookie:%20a=b"

  it("comes back in no field of an answer", async () => {
    const title = "a\r\nX-Injected: yes"
    const made = await call(JOBS, { body: { url: "http://127.0.0.1:1/a.mp3", title } })
    const id = String(made.body.id ?? "tr_none")
    const asked = [
      await ask(`GET /${BREAK}`, CLOSE),
      await ask(`GET /docs?${BREAK}=${BREAK}`, CLOSE),
      await ask(`GET ${JOBS}/${id}/export?format=${BREAK}`, CLOSE),
      await ask(`GET ${JOBS}/${id}/export?format=txt`, CLOSE),
      await ask(`GET ${JOBS}?cursor=${BREAK}`, CLOSE),
      await ask(`GET /oauth/authorize?client_id=x&redirect_uri=http://a/${BREAK}&state=${BREAK}`, CLOSE),
      await ask(`GET ${JOBS}`, `${CLOSE}Request-Id: a${BREAK}\r\nOrigin: http://a${BREAK}\r\n`),
      await ask(`POST ${JOBS}`, `${CLOSE}Idempotency-Key: a${BREAK}\r\nContent-Length: 0\r\n`),
    ]
    for (const text of asked) {
      const [head = ""] = text.split("\r\n\r\n")
      assert.match(head, /^HTTP\/1\.1 \d{3} /)
      assert.notMatch(head, /^(?:x-injected|set-cookie:\s*a=b)/im, head)
    }
  })

  it("writes no line of the log", async () => {
    await ask(`GET /${BREAK}%1b%5b2J`, `${CLOSE}User-Agent: a\x9b2J\r\nRequest-Id: \x9b2J\r\n`)
    assert.strictEqual((await call("/healthz", { key: null })).status, 200)
    assert.notMatch(server.log(), /^X-Injected/m)
    assert.notMatch(server.log(), /[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
  })
})

const source = { url: "https://example.com/a.mp3" }

describe("a client that asks before it sends its body", () => {
  const EXPECTS = `${CLOSE}Expect: 100-continue\r\nContent-Length: 4\r\n`

  const begin = async (content_type: string) => {
    const request = { filename: "a.webm", content_type, bytes: 4 }
    const { status, body } = await call("/api/v1/uploads", { body: request })
    assert.strictEqual(status, 201)
    const address = new URL(String(body.upload_url))
    return { target: `${address.pathname}${address.search}`, wrong: `${address.pathname}?type=audio%2Fwebm` }
  }

  it("is refused without it", async () => {
    const { target, wrong } = await begin("audio/webm")
    const webm = "Content-Type: audio/webm\r\n"
    assertRaw(await ask(`PUT ${wrong}`, `${EXPECTS}${webm}`), 403, "signature_invalid")
    const other = await ask(`PUT ${target}`, `${EXPECTS}Content-Type: audio/wav\r\n`)
    assertRaw(other, 400, "invalid_request")
    assert.include(other, "Content-Type has to be what the upload was announced with: audio/webm")
    const large = EXPECTS.replace("Length: 4", "Length: 2000000")
    assertRaw(await ask(`POST ${JOBS}`, `${large}${JSON_TYPE}`), 413, "too_large")
  })

  it("is asked for it, once, where it is read", async () => {
    const { target } = await begin("Audio/WebM; codecs=opus")
    const answer = await new Promise<{ status: number | undefined; asked: number }>((resolve, reject) => {
      let asked = 0
      const headers = {
        "Content-Type": "audio/webm;codecs=opus",
        "Content-Length": 4,
        Expect: "100-continue",
      }
      const put = request(`${server.baseUrl}${target}`, { method: "PUT", headers })
      put.on("error", reject).on("continue", () => {
        asked += 1
        put.end("RIFF")
      })
      put.on("response", (response) => resolve({ status: response.resume().statusCode, asked }))
      put.flushHeaders()
    })
    assert.deepStrictEqual(answer, { status: 200, asked: 1 })
    const typed = `${EXPECTS}Content-Type: audio/webm;codecs=opus\r\n`
    assertRaw(await ask(`PUT ${target}`, typed), 409, "invalid_state")
  })
})

describe("what is written as JSON, and is not meant well", () => {
  const post = async (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) => {
    const sent = { Authorization: `Bearer ${server.key}`, "Content-Type": "application/json", ...headers }
    const answer = await fetch(`${server.baseUrl}${JOBS}`, { method: "POST", headers: sent, body })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: JSON.parse(text), text }
  }

  it("is refused by its code, and told where", async () => {
    const fields = (text: string) => `{"url": "https://example.com/a.mp3", ${text}}`
    for (const [body, status, code] of [
      [fields('"start_at": 1e999'), 400, "invalid_request"],
      [fields('"start_at": -1e999'), 400, "invalid_request"],
      [fields('"episode_index": 99999999999999999999999'), 400, "invalid_request"],
      [fields('"episode_index": 1.5'), 400, "invalid_request"],
      [fields('"__proto__": {"x": 1}'), 400, "unknown_field"],
      [fields('"metadata": {"__proto__": "x"}'), 400, "unknown_field"],
      [fields('"title": "\\ud800"'), 400, "invalid_request"],
      [fields('"title": "a\\u0000b"'), 400, "invalid_request"],
      [fields(`"metadata": {"a": "${"x".repeat(17_000)}"}`), 400, "invalid_request"],
      [fields(`"metadata": {"a": ${"[".repeat(500)}${"]".repeat(500)}}`), 400, "invalid_request"],
      [fields('"diarize": "true"'), 400, "invalid_request"],
      [fields('"quality": "best"'), 400, "invalid_request"],
      [fields('"language": "klingon"'), 400, "invalid_request"],
      ["[".repeat(100_000), 400, "invalid_json"],
      [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, 400, "invalid_request"],
      ["null", 400, "invalid_request"],
      ['"x"', 400, "invalid_request"],
      ["\ufeff{}", 400, "invalid_json"],
      [Buffer.from([0x7b, 0xff, 0x7d]), 400, "invalid_json"],
      [Buffer.from("{}", "utf16le"), 400, "invalid_json"],
    ] as const)
      assertProblem(await post(body), status, code)
  })

  it("has to be JSON in UTF-8, as it is", async () => {
    for (const headers of [
      { "Content-Type": "application/json; charset=latin1" },
      { "Content-Type": "application/vnd.api+json" },
      { "Content-Encoding": "gzip" },
    ])
      assertProblem(await post(JSON.stringify(source), headers), 415, "unsupported_content_type")
    const quoted = { "Content-Type": 'Application/JSON; charset="UTF-8"' }
    assertProblem(await post("{}", quoted), 400, "missing_source")
  })

  it("numbers, times and cursors of a query are what they say", async () => {
    const bad = ["abc", "", "0", "101", "1.5", "1e1", "%2B5", "%205", "-1", "99999999999999999999"]
    for (const query of [
      ...bad.map((limit) => `limit=${limit}`),
      "order=up",
      "status=running",
      "phase=foo",
      "cursor=abc",
      "cursor=%00",
      "created_after=yesterday",
      "created_after=2026-02-30T00:00:00Z",
      "q=%00",
    ])
      assertProblem(await call(`${JOBS}?${query}`), 400, "invalid_request")
    for (const wait of ["abc", "", "-1", "61", "1.5", "60s"])
      assertProblem(await call(`${JOBS}/tr_0?wait=${wait}`), 400, "invalid_request")
  })
})
