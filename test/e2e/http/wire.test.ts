import { existsSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "@effect/vitest"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { earmark } from "../earmark.js"
import { assertProblem, DEFAULT_ACCOUNT, JOBS } from "./asking.js"
import { clientOf, recording, startWeb } from "./world.js"

let server: EarmarkServer
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  server = await startEarmark({ EARMARK_CONSOLE: "off" })
  call = clientOf(server)
}, 120_000)

afterAll(() => server?.stop(), 60_000)

describe("programs written for a service of the same interface", () => {
  it("find the minutes of the balance, whether a result is cached, the source as a text, and the sentence of an error", async () => {
    const web = await startWeb()
    onTestFinished(web.stop)
    const credits = await call("/api/v1/credits")
    assert.strictEqual(credits.body.minutes, credits.body.available)
    const url = `${web.base}/3.wav`
    const first = await call(JOBS, { body: { url } })
    assert.deepInclude(first.body, { status: "queued", cached: false })
    const done = await call(`${JOBS}/${first.body.id}?wait=60`)
    assert.deepInclude(done.body, { status: "done", source_label: url })
    assert.deepInclude(done.body.source, { kind: "media", url })
    const again = await call(JOBS, { body: { url } })
    assert.deepInclude(again.body, { status: "done", cached: true })
    const { body } = await call(JOBS, { body: {} })
    assert.strictEqual(body.error, body.detail)
  })

  it("upload a file without a name", async () => {
    const bytes = recording(9)
    const { body } = await call("/api/v1/uploads", {
      body: { content_type: "audio/wav", bytes: bytes.length },
    })
    await fetch(String(body.upload_url), {
      method: "PUT",
      headers: { "Content-Type": "audio/wav" },
      body: Buffer.from(bytes),
    })
    const made = await call(JOBS, { body: { media_ref: body.media_ref } })
    const job = await call(`${JOBS}/${made.body.id}`)
    assert.deepInclude(job.body, { title: null, source_label: body.media_ref })
  })

  it("take errors as plain JSON where they accept nothing else", async () => {
    const typeFor = async (accept: string) => {
      const answer = await call(`${JOBS}/none`, { headers: { Accept: accept } })
      assert.deepInclude(answer.body, { status: 404, code: "not_found" })
      return answer.headers.get("content-type")
    }
    assert.strictEqual(await typeFor("application/json"), "application/json; charset=utf-8")
    assert.strictEqual(await typeFor("application/json, */*"), "application/problem+json")
    assert.strictEqual(await typeFor("*/*"), "application/problem+json")
  })
})

describe("a quote", () => {
  it("knows the price of a link and of an upload whose length nobody has announced", async () => {
    const web = await startWeb()
    onTestFinished(web.stop)
    const price = { minutes: 2, credits: 2, rate: 1, cached: false }
    const url = `${web.base}/long/41.wav`
    const linked = await call("/api/v1/quotes", { body: { url } })
    assert.deepInclude(linked.body, price)
    assert.deepInclude(linked.body, { title: "41", source: { kind: "media", url }, source_label: url })
    assert.isAbove(Number(linked.body.duration_seconds), 60)
    assert.notProperty(linked.body, "unknown_because")
    const bytes = recording(42, 40)
    const { body } = await call("/api/v1/uploads", {
      body: { content_type: "audio/wav", bytes: bytes.length },
    })
    await fetch(String(body.upload_url), {
      method: "PUT",
      headers: { "Content-Type": "audio/wav" },
      body: Buffer.from(bytes),
    })
    const uploaded = await call("/api/v1/quotes", { body: { media_ref: body.media_ref, end_at: 59 } })
    assert.deepInclude(uploaded.body, { ...price, minutes: 1, credits: 1 })
    const gone = await call("/api/v1/quotes", { body: { url: `${web.base}/none.wav` } })
    assert.deepInclude(gone.body, { minutes: null, credits: null, balance_after: null })
    assert.match(String(gone.body.unknown_because), /^[A-Z].*\.$/)
  })
})

describe("what is made", () => {
  it("is found where Location says", async () => {
    const web = await startWeb()
    onTestFinished(web.stop)
    const made = {
      [JOBS]: { url: `${web.base}/1.wav` },
      "/api/v1/webhooks": { url: "https://example.com/hook" },
      "/api/v1/credits/purchases": { credits: 60 },
    }
    for (const [path, body] of Object.entries(made)) {
      const answer = await call(path, { body })
      assert.include([201, 202], answer.status, answer.text)
      const place = answer.headers.get("location") ?? ""
      assert.strictEqual(place, `${path}/${answer.body.id}`)
      assert.deepInclude((await call(place)).body, { id: answer.body.id })
    }
    const hook = await call("/api/v1/webhooks", { body: { url: "https://example.com/other" } })
    const sent = await call(`/api/v1/webhooks/${hook.body.id}/test`, { method: "POST" })
    assert.deepInclude((await call(sent.headers.get("location") ?? "")).body, { id: sent.body.id })
    const upload = await call("/api/v1/uploads", {
      body: { filename: "a.mp3", content_type: "audio/mpeg", bytes: 10 },
    })
    assert.strictEqual(upload.headers.get("location"), upload.body.upload_url)
    const key = await call("/api/v1/keys", { body: { name: "other" } })
    assert.strictEqual(key.headers.get("location"), `/api/v1/keys/${key.body.id}`)
  })
})

describe("accounts, keys and limits", () => {
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

  it("who comes too often without a good key waits, and nobody else does; behind a proxy each client counts for itself", async () => {
    const limited = await startEarmark({ EARMARK_PROXIES: "1", EARMARK_RATE_LIMIT_FAILURES: "20/60s:20" })
    try {
      const ask = clientOf(limited)
      const from = (client: number) => ({ "X-Forwarded-For": `198.51.100.${client}` })
      const wrong = await Promise.all(
        Array.from({ length: 25 }, () => ask("/api/v1/credits", { key: "em_live_x", headers: from(1) })),
      )
      assert.strictEqual(wrong.filter(({ status }) => status === 401).length, 20)
      for (const answer of wrong.filter(({ status }) => status !== 401)) {
        assertProblem(answer, 429, "rate_limited")
        assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      }
      const other = await ask("/api/v1/credits", { key: "em_live_x", headers: from(2) })
      assertProblem(other, 401, "unauthorized")
      assert.strictEqual((await ask("/api/v1/credits", { headers: from(1) })).status, 200)
    } finally {
      await limited.stop()
    }
  }, 120_000)
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

  it("says when another program has its port, and has made nothing by then", async () => {
    const folder = `${server.environment.EARMARK_DATA_DIR}-2`
    const environment = { ...server.environment, EARMARK_DATA_DIR: folder, EARMARK_PORT: "" }
    const taken: ReadonlyArray<readonly [ReadonlyArray<string>, Readonly<Record<string, string>>]> = [
      [["serve"], { EARMARK_PORT: String(server.port) }],
      [["serve", "--port", String(server.port)], {}],
    ]
    for (const [args, more] of taken) {
      const ran = await earmark(args, "", undefined, { ...environment, ...more })
      assert.strictEqual(ran.code, 1)
      assert.strictEqual(
        ran.stderr,
        `earmark: The server cannot listen on 127.0.0.1:${server.port}: another program does. Choose another port with --port or EARMARK_PORT.\n`,
      )
      assert.isFalse(existsSync(folder))
    }
    for (const given of ["http", "0", "65536"]) {
      const wrong = await earmark(["serve", "--port", given], "", undefined, environment)
      assert.strictEqual(wrong.code, 2)
      assert.strictEqual(
        wrong.stderr,
        `earmark: --port needs a number from 1 to 65535, not "${given}". See earmark serve --help.\n`,
      )
    }
    const worker = { ...environment, EARMARK_WORKER_PORT: String(server.port) }
    assert.match((await earmark(["worker"], "", undefined, worker)).stderr, /Set EARMARK_WORKER_PORT\.\n$/)
    const away = await earmark(["serve", "--host", "192.0.2.1"], "", undefined, environment)
    assert.match(
      away.stderr,
      /this machine has no such address\. Give one that it has with --host or EARMARK_HOST/,
    )
  })

  it("never logs the first key, and keeps it in a file for its owner alone", async () => {
    assert.notInclude(server.log(), server.key)
    assert.include(
      await server.administer("keys", "list", "--account", DEFAULT_ACCOUNT),
      server.key.slice(-4),
    )
  })

  it("at its root tells programs where everything is, and leads people to the reference", async () => {
    const { body, status } = await call("/", { key: null })
    assert.strictEqual(status, 200)
    for (const address of [body.docs, body.openapi, body.ready])
      assert.strictEqual((await call(String(address), { key: null })).status, 200)
    const headers = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
    const shown = await fetch(server.baseUrl, { headers, redirect: "manual" })
    assert.deepStrictEqual([shown.status, shown.headers.get("location")], [303, `${server.baseUrl}/docs`])
    assert.include(server.log(), `${server.baseUrl}/docs shows what it answers`)
  })

  it("describes itself: the document that it serves is the one that is committed", async () => {
    const served = await call("/openapi.json", { key: null })
    assert.strictEqual(served.body.openapi, "3.1.0")
    assert.deepStrictEqual(served.body.servers, [{ url: server.baseUrl }])
  })
})
