import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { earmark } from "../earmark.js"
import { clientOf } from "./world.js"

const JOBS = "/api/v1/transcriptions"
const DEFAULT_ACCOUNT = `acct_${"0".repeat(26)}`

let server: EarmarkServer
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  server = await startEarmark()
  call = clientOf(server)
}, 60_000)

afterAll(() => server?.stop(), 60_000)

/** What the server says to bytes that no client would send. */
const raw = (bytes: string) =>
  new Promise<string>((resolve) => {
    let text = ""
    const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes))
    socket.setTimeout(5000, () => socket.destroy())
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
    })
    socket.on("close", () => resolve(text))
    socket.on("error", () => {})
  })

const assertProblem = (answer: Awaited<ReturnType<typeof call>>, status: number, code: string) => {
  const { body, headers } = answer
  assert.deepStrictEqual([answer.status, body.status, body.code], [status, status, code])
  assert.strictEqual(headers.get("content-type"), "application/problem+json")
  assert.strictEqual(headers.get("request-id"), body.request_id)
  assert.isString(body.detail)
}

describe("every error is a problem", () => {
  it("5.4: A missing or invalid key gives 401, in one and the same body", async () => {
    const typo = `${server.key.slice(0, -1)}${server.key.endsWith("a") ? "b" : "a"}`
    const bodies = new Set<string>()
    for (const authorization of ["", "Bearer", "Bearer x", `Bearer ${typo}`, `Basic ${server.key}`]) {
      const answer = await call("/api/v1/credits", { key: null, headers: { Authorization: authorization } })
      assertProblem(answer, 401, "unauthorized")
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
      bodies.add(answer.text.replaceAll(String(answer.body.request_id), ""))
    }
    assert.strictEqual(bodies.size, 1)
  })

  it("4.1.1: Exactly one of `url`, `media_ref`, `blob_url` is passed", async () => {
    assertProblem(await call(JOBS, { body: {} }), 400, "missing_source")
    const both = { url: "https://example.com/a.mp3", blob_url: "https://example.com/a.mp3" }
    assertProblem(await call(JOBS, { body: both }), 400, "multiple_sources")
  })

  it("a mistyped option is refused with the nearest name", async () => {
    const answer = await call(JOBS, { body: { url: "https://example.com/a.mp3", diarise: true } })
    assertProblem(answer, 400, "unknown_field")
    assert.include(String(answer.body.detail), "diarize")
    assertProblem(await call(`${JOBS}?limt=1`), 400, "unknown_field")
    assertProblem(await call(`${JOBS}?limit=1&limit=2`), 400, "invalid_request")
    assertProblem(await call(`${JOBS}?q=%ff`), 400, "invalid_request")
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

  it("what the parser of Node refuses is answered as a problem too", async () => {
    for (const [bytes, status, code] of [
      ["GET / HTTP/9.9\r\n\r\n", 400, "invalid_request"],
      ["GET /healthz HTTP/1.1\r\n\r\n", 400, "invalid_request"],
      [`GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(200_000)}\r\n\r\n`, 431, "headers_too_large"],
      ["\u0016\u0003\u0001", 400, "invalid_request"],
    ] as const) {
      const text = await raw(
        bytes.replace("healthz HTTP/1.1\r\n", "healthz HTTP/1.1\r\nConnection: close\r\n"),
      )
      assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 40))
      assert.match(text, /\r\nContent-Type: application\/problem\+json\r\n/i)
      assert.match(text, /\r\nRequest-Id: req_/i)
      assert.include(text, `"code":"${code}"`)
    }
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

describe("accounts, keys and limits", () => {
  it("a resource of another account does not exist, in the same words", async () => {
    const email = ["--email", "ann@example.org", "--json"]
    const other = JSON.parse(await server.administer("accounts", "create", ...email))
    const made = JSON.parse(await server.administer("keys", "create", "--account", other.id, "--json"))
    const mine = await call("/api/v1/webhooks", { body: { url: "https://example.com/hook" } })
    assert.strictEqual(mine.status, 201)
    const paths = [`/api/v1/webhooks/${mine.body.id}`, "/api/v1/webhooks/we_nothing"]
    const [foreign, unknown] = await Promise.all(paths.map((path) => call(path, { key: made.key })))
    assert.isDefined(foreign)
    assert.isDefined(unknown)
    if (foreign === undefined || unknown === undefined) return
    assertProblem(foreign, 404, "not_found")
    const plain = ({ text, body }: typeof foreign) => text.replace(String(body.request_id), "")
    assert.strictEqual(plain(foreign), plain(unknown))
  })

  it("a key does what its scopes allow, and makes no key that may do more", async () => {
    const narrow = await call("/api/v1/keys", { body: { name: "keys only", scopes: ["keys"] } })
    assert.strictEqual(narrow.status, 201)
    const key = String(narrow.body.key)
    assertProblem(await call("/api/v1/credits", { key }), 403, "insufficient_scope")
    const wide = await call("/api/v1/keys", { key, body: { scopes: ["keys", "billing:write"] } })
    assertProblem(wide, 403, "insufficient_scope")
    const same = await call("/api/v1/keys", { key, body: {} })
    assert.deepStrictEqual(same.body.scopes, ["keys"])
    const revoked = await call(`/api/v1/keys/${narrow.body.id}`, { method: "DELETE" })
    assert.strictEqual(revoked.status, 204)
    assertProblem(await call("/api/v1/keys", { key }), 401, "unauthorized")
  })

  it("7: 429 when rate limited; the response carries a `Retry-After` header", async () => {
    const limited = await startEarmark({ EARMARK_RATE_LIMIT_READS: "60/60s:3" })
    try {
      const ask = clientOf(limited)
      const answers = await Promise.all(Array.from({ length: 5 }, () => ask("/api/v1/credits")))
      const refused = answers.filter(({ status }) => status === 429)
      assert.strictEqual(refused.length, 2)
      for (const answer of refused) {
        assertProblem(answer, 429, "rate_limited")
        assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      }
      assert.match(answers[0]?.headers.get("ratelimit-policy") ?? "", /^"read";q=60;w=60$/)
    } finally {
      await limited.stop()
    }
  }, 60_000)

  it("8: Free allowance on signup: 60 minutes", async () => {
    const { body } = await call("/api/v1/credits")
    assert.deepStrictEqual([body.balance, body.held, body.is_paid], [60, 0, false])
    const entries = await call("/api/v1/credits/entries")
    assert.strictEqual(entries.status, 200)
  })
})

describe("earmark serve", () => {
  it("refuses settings that cannot be, all of them by name", async () => {
    const ran = await earmark(["serve"], "", undefined, { EARMARK_PORT: "http", EARMARK_ROLE: "boss" })
    assert.strictEqual(ran.code, 1)
    assert.match(
      ran.stderr,
      /^earmark: .*EARMARK_PORT must be.*EARMARK_ROLE must be|EARMARK_ROLE must be.*EARMARK_PORT must be/,
    )
  })

  it("says when another program has its port", async () => {
    const environment = {
      ...server.environment,
      EARMARK_DATA_DIR: `${server.environment.EARMARK_DATA_DIR}-2`,
    }
    const ran = await earmark(["serve"], "", undefined, environment)
    assert.strictEqual(ran.code, 1)
    assert.match(
      ran.stderr,
      /cannot listen on 127\.0\.0\.1:\d+: another program does\. Set EARMARK_HOST and EARMARK_PORT\./,
    )
  })

  it("never logs the first key, and keeps it in a file for its owner alone", async () => {
    assert.notInclude(server.log(), server.key)
    assert.include(
      await server.administer("keys", "list", "--account", DEFAULT_ACCOUNT),
      server.key.slice(-4),
    )
  })

  it("describes itself: the document that it serves is the one that is committed", async () => {
    const served = await call("/openapi.json", { key: null })
    assert.strictEqual(served.body.openapi, "3.1.0")
    assert.deepStrictEqual(served.body.servers, [{ url: server.baseUrl }])
  })
})
