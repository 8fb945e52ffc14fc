import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { clientOf, ffmpegMissing, recording, startWeb, type Web } from "./world.js"

const JOBS = "/api/v1/transcriptions"

let server: EarmarkServer
let web: Web
let call: ReturnType<typeof clientOf>

beforeAll(async () => {
  server = await startEarmark()
  web = await startWeb()
  call = clientOf(server)
}, 60_000)

afterAll(async () => {
  web?.stop()
  await server?.stop()
}, 60_000)

const finished = async (id: unknown) => {
  const { body } = await call(`${JOBS}/${id}?wait=30`)
  assert.strictEqual(body.status, "done", JSON.stringify(body.failure))
  return body
}

describe.skipIf(ffmpegMissing !== null)("a transcription over HTTP", () => {
  it("4.1.3: Response 202 with the acknowledgement of 2.3 (`status` = `queued`) for a new job", async () => {
    const { body, status } = await call(JOBS, { body: { url: `${web.base}/1.wav` } })
    assert.strictEqual(status, 202)
    assert.deepStrictEqual(Object.keys(body).sort(), ["id", "status", "url"])
    assert.strictEqual(body.status, "queued")
    assert.strictEqual(body.url, `/api/v1/transcriptions/${body.id}`)
    const done = await finished(body.id)
    for (const field of ["language", "duration_seconds", "word_count", "billed_minutes", "text", "segments"])
      assert.isNotNull(done[field] ?? null, field)
    assert.strictEqual(done.billed_minutes, 1)
  })

  it("4.1.4: Response 200 with `status` = `done` when the source is cached", async () => {
    const first = await call(JOBS, { body: { url: `${web.base}/2.wav` } })
    await finished(first.body.id)
    const again = await call(JOBS, { body: { url: `${web.base}/2.wav` } })
    assert.deepStrictEqual([again.status, again.body.status], [200, "done"])
    assert.notStrictEqual(again.body.id, first.body.id)
  })

  it("4.1: Idempotency-Key (string; reusing a key makes a retry safe)", async () => {
    const headers = { "Idempotency-Key": "once" }
    const body = { url: `${web.base}/3.wav`, title: "Once" }
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(JOBS, { body, headers })))
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [202])
    assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 1)
    const replayed = await call(JOBS, { body: { title: "Once", url: body.url }, headers })
    assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
    const other = await call(JOBS, { body: { url: `${web.base}/3.wav` }, headers })
    assert.deepStrictEqual([other.status, other.body.code], [422, "idempotency_key_reused"])
    const bad = await call(JOBS, { body, headers: { "Idempotency-Key": "a b" } })
    assert.strictEqual(bad.body.code, "idempotency_key_invalid")
  })

  it("4.6: the bytes are sent with PUT; Content-Type and Content-Length must match; no bearer header", async () => {
    const bytes = recording(40)
    const begun = await call("/api/v1/uploads", {
      body: { filename: "../../etc/passwd.wav", content_type: "audio/wav", bytes: bytes.length },
    })
    assert.strictEqual(begun.status, 201)
    assert.match(String(begun.body.media_ref), /^uploads\/acct_[0-9a-z]{26}\/[0-9a-f-]{36}\.wav$/)
    assert.strictEqual(begun.body.expires_in, 3600)
    const url = String(begun.body.upload_url)
    const put = (type: string, body: Uint8Array, address = url) =>
      fetch(address, { method: "PUT", body, headers: { "Content-Type": type } })
    assert.strictEqual((await put("audio/mpeg", bytes)).status, 400)
    assert.strictEqual((await put("audio/wav", bytes.subarray(1))).status, 400)
    assert.strictEqual((await put("audio/wav", bytes, `${url}0`)).status, 403)
    const kept = await put("audio/wav", bytes)
    assert.deepStrictEqual([kept.status, await kept.text()], [200, ""])
    assert.match(kept.headers.get("etag") ?? "", /^".+"$/)
    assert.strictEqual((await put("audio/wav", bytes)).status, 409)
    const { body } = await call(JOBS, { body: { media_ref: begun.body.media_ref } })
    await finished(body.id)
    const page = await fetch(String(begun.body.upload_page))
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
  })

  it("exports a transcript, conditionally, by key and by link", async () => {
    const { body } = await call(JOBS, { body: { url: `${web.base}/5.wav` } })
    const done = await finished(body.id)
    const srt = await call(`${JOBS}/${body.id}/export?format=srt`)
    assert.strictEqual(srt.headers.get("content-type"), "application/x-subrip; charset=utf-8")
    assert.strictEqual(srt.headers.get("content-disposition"), `attachment; filename="${body.id}.srt"`)
    assert.match(srt.text, /^1\n00:00:0\d,\d{3} --> /)
    for (const path of [`${JOBS}/${body.id}/export?format=srt`, `${JOBS}/${body.id}`]) {
      const etag = (await call(path)).headers.get("etag") ?? ""
      const same = await call(path, { headers: { "If-None-Match": etag } })
      assert.deepStrictEqual([same.status, same.text], [304, ""])
    }
    const link = await call(`${JOBS}/${body.id}/export-link`, { body: { format: "txt", speakers: false } })
    const opened = await call(String(link.body.url), { key: null })
    assert.strictEqual(opened.status, 200)
    assert.include(opened.text.replaceAll("\n", " "), String(done.text).slice(0, 20))
    assert.strictEqual((await call(`${link.body.url}0`, { key: null })).body.code, "signature_invalid")
  })

  it("4.4, 4.5: lists the episodes of a feed, newest first, and refuses a whole feed before a purchase", async () => {
    const episodes = await call(
      `/api/v1/podcasts/episodes?feed=${encodeURIComponent(`${web.base}/feed.xml`)}&limit=2`,
    )
    assert.strictEqual(episodes.status, 200)
    assert.deepStrictEqual([episodes.body.total, episodes.body.returned], [3, 2])
    const [first] = Array.isArray(episodes.body.data) ? episodes.body.data : []
    assert.strictEqual(first.guid, "guid-3")
    const batch = { feed: `${web.base}/feed.xml`, episodes: "all" }
    const locked = await call("/api/v1/podcasts/transcribe", { body: batch })
    assert.deepStrictEqual([locked.status, locked.body.code], [403, "feature_locked"])
    const owner = ["--account", `acct_${"0".repeat(26)}`]
    await server.administer("credits", "grant", ...owner, "--minutes", "100", "--purchase")
    const made = await call("/api/v1/podcasts/transcribe", { body: batch })
    assert.deepStrictEqual([made.status, made.body.total], [202, 3])
    const state = await call(`/api/v1/batches/${made.body.batch_id}`)
    assert.strictEqual(state.body.total, 3)
  })

  it("4.3: GET /api/v1/transcriptions returns the account's transcriptions, page by page", async () => {
    const seen: Array<unknown> = []
    let cursor: unknown = null
    do {
      const { body } = await call(`${JOBS}?limit=3${cursor === null ? "" : `&cursor=${cursor}`}`)
      assert.isArray(body.data)
      if (Array.isArray(body.data)) seen.push(...body.data.map(({ id }) => id))
      assert.strictEqual(body.has_more, body.next_cursor !== null)
      cursor = body.next_cursor
    } while (cursor !== null)
    assert.strictEqual(new Set(seen).size, seen.length)
    assert.isAbove(seen.length, 5)
    const none = await call(`${JOBS}?metadata%5Border%5D=nobody`)
    assert.deepStrictEqual(none.body, { data: [], has_more: false, next_cursor: null })
  })

  it("carries a long poll to its end when the service stops, and refuses new connections", async () => {
    const other = await startEarmark({ EARMARK_SCRIPTED: "delay=6000", EARMARK_GRACE_SECONDS: "1" })
    try {
      const ask = clientOf(other)
      const { body } = await ask(JOBS, { body: { url: `${web.base}/9.wav` } })
      const poll = ask(`${JOBS}/${body.id}?wait=60`)
      await new Promise((resolve) => setTimeout(resolve, 300))
      other.child.kill("SIGTERM")
      const answer = await poll
      assert.deepStrictEqual([answer.status, answer.body.status], [200, "queued"])
      const refused = await ask("/healthz").then(
        () => "answered",
        () => "refused",
      )
      assert.strictEqual(refused, "refused")
    } finally {
      await other.stop()
    }
    assert.strictEqual(other.child.exitCode, 0, other.log())
  }, 60_000)
})
