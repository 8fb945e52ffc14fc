import { assert, describe, it } from "@effect/vitest"
import { assertProblem, JOBS, listOf, makeJob, type World } from "./asking.js"
import { until } from "./world.js"

/** What each format is answered as. */
const FORMATS = {
  srt: "application/x-subrip; charset=utf-8",
  vtt: "text/vtt; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  json: "application/json",
  podcast_json: "application/json",
  chapters: "application/json+chapters",
  csv: "text/csv; header=present",
  tsv: "text/tab-separated-values; charset=utf-8",
  html: "text/html; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}

const FIELDS = ["id", "status", "language", "duration_seconds", "word_count", "billed_minutes", "text"]

/** Parts 2, 3, 4.1 to 4.3 and 9. */
export const jobStatements = (world: () => World) =>
  describe("jobs", () => {
    it("4.1.3, 2.3, 3.1: Response 202 with the acknowledgement of 2.3 (`status` = `queued`) for a new job", async () => {
      const { call, web } = world()
      const { body, status } = await call(JOBS, { body: { url: `${web.base}/1.wav` } })
      assert.strictEqual(status, 202)
      assert.deepStrictEqual(Object.keys(body).sort(), ["cached", "id", "status", "url"])
      assert.strictEqual(body.cached, false)
      assert.deepStrictEqual([body.status, body.url], ["queued", `/api/v1/transcriptions/${body.id}`])
    })

    it("2.1, 2.2: Only `done` jobs are shown with the complete set; segments have start, end, speaker, text", async () => {
      const { call, web } = world()
      const options = { url: `${web.base}/1.wav`, summary: true, chapters: true }
      const id = await makeJob(world(), options)
      const { body } = await call(`${JOBS}/${id}`)
      for (const field of [...FIELDS, "segments", "summary", "chapters"])
        assert.isNotNull(body[field] ?? null, field)
      for (const field of ["duration_seconds", "word_count", "billed_minutes"])
        assert.isTrue(Number.isInteger(body[field]), field)
      const [first] = listOf(body.segments)
      assert.deepStrictEqual(Object.keys(first ?? {}).sort(), ["end", "speaker", "start", "text"])
      assert.isNull(first?.speaker)
      assert.isAbove(Number(first?.end), Number(first?.start))
    })

    it("4.1.4, 2.3, 3.2: Response 200 with `status` = `done` when the source is cached", async () => {
      const { call, web } = world()
      const first = await makeJob(world(), { url: `${web.base}/2.wav` })
      const again = await call(JOBS, { body: { url: `${web.base}/2.wav` } })
      assert.deepStrictEqual([again.status, again.body.status], [200, "done"])
      assert.deepStrictEqual(Object.keys(again.body).sort(), ["cached", "id", "status", "url"])
      assert.strictEqual(again.body.cached, true)
      assert.notStrictEqual(again.body.id, first)
      const { body } = await call(`${JOBS}/${again.body.id}`)
      assert.deepStrictEqual([body.cached, body.billed_minutes], [true, 0])
    })

    it("4.1: Idempotency-Key (string; reusing a key makes a retry safe)", async () => {
      const { call, web } = world()
      const headers = { "Idempotency-Key": "once" }
      const body = { url: `${web.base}/3.wav`, title: "Once" }
      const answers = await Promise.all(Array.from({ length: 5 }, () => call(JOBS, { body, headers })))
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [202])
      assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 1)
      const replayed = await call(JOBS, { body: { title: "Once", url: body.url }, headers })
      assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
      const other = await call(JOBS, { body: { url: `${web.base}/3.wav` }, headers })
      assertProblem(other, 422, "idempotency_key_reused")
      const bad = await call(JOBS, { body, headers: { "Idempotency-Key": "a b" } })
      assertProblem(bad, 400, "idempotency_key_invalid")
    })

    it("3: `done` and `failed` are terminal, and a failed job bills nothing", async () => {
      const { call, web } = world()
      const made = await call(JOBS, { body: { url: `${web.base}/missing.mp3` } })
      assert.deepStrictEqual([made.status, made.body.status], [202, "queued"])
      const { body } = await call(`${JOBS}/${made.body.id}?wait=30`)
      assert.strictEqual(body.status, "failed")
      assert.deepInclude(body.failure, { code: "source_not_found", retryable: false })
      assert.deepStrictEqual([body.billed_minutes, body.text ?? null], [0, null])
      assert.isString(body.error)
      const id = await makeJob(world(), { url: `${web.base}/1.wav` })
      assertProblem(await call(`${JOBS}/${id}/cancel`, { method: "POST" }), 409, "invalid_state")
      assertProblem(await call(`${JOBS}/${id}/retry`, { method: "POST" }), 409, "invalid_state")
      const retried = await call(`${JOBS}/${made.body.id}/retry`, { method: "POST" })
      assert.strictEqual(retried.body.status, "queued", retried.text)
    })

    it("4.1: translate_to (ISO code; a translation is also returned); an extra that fails fails no job", async () => {
      const { call, web } = world()
      const id = await makeJob(world(), { url: `${web.base}/1.wav`, translate_to: "de" })
      const { body } = await call(`${JOBS}/${id}`)
      const { language, text, segments } = Object(body.translation)
      assert.strictEqual(language, "de")
      // The translator of these tests turns every line around.
      const turned = listOf(body.segments).map((each) => String(each.text).split(" ").reverse().join(" "))
      assert.deepStrictEqual(
        listOf(segments).map((each) => each.text),
        turned,
      )
      assert.strictEqual(String(text).split(/\s+/).length, body.word_count)
      const none = await makeJob(world(), { url: `${web.base}/1.wav`, translate_to: "fr" })
      const failed = (await call(`${JOBS}/${none}`)).body
      assert.deepStrictEqual([failed.status, failed.translation ?? null], ["done", null])
      assert.strictEqual(Object(failed.enrichment).translation.status, "failed")
    })

    it("4.1: language is detected when it is omitted; quality is `fast` or `accurate`", async () => {
      const { call, web } = world()
      const id = await makeJob(world(), { url: `${web.base}/9.wav` })
      const { body } = await call(`${JOBS}/${id}`)
      assert.strictEqual(body.language, Object(body.detected_language).code)
      const told = { url: `${web.base}/9.wav`, language: "en", quality: "fast" }
      const named = await call(`${JOBS}/${await makeJob(world(), told)}`)
      assert.strictEqual(named.body.language, "en")
      assert.deepInclude(named.body.options, { language: "en", quality: "fast", diarize: false })
      assertProblem(await call(JOBS, { body: { ...told, quality: "best" } }), 400, "invalid_request")
      assertProblem(await call(JOBS, { body: { ...told, language: "klingon" } }), 400, "invalid_request")
    })

    it("3: a job that is queued has no text yet, and says where it stands", async () => {
      const { call, web } = world()
      const made = await call(JOBS, { body: { url: `${web.base}/long/17.wav` } })
      const { body } = await call(`${JOBS}/${made.body.id}`)
      if (body.status === "queued") {
        assert.deepStrictEqual([body.text ?? null, body.segments ?? null], [null, null])
        assert.isString(body.phase)
      }
      const ended = await call(`${JOBS}/${made.body.id}?wait=60`)
      assert.deepStrictEqual([ended.body.status, ended.body.phase, ended.body.progress], ["done", null, 1])
    })

    it("4.2: GET /api/v1/transcriptions/{id}, conditionally; changed by PATCH, gone by DELETE", async () => {
      const { call, web } = world()
      const id = await makeJob(world(), { url: `${web.base}/6.wav` })
      const first = await call(`${JOBS}/${id}`)
      const headers = { "If-None-Match": first.headers.get("etag") ?? "" }
      const same = await call(`${JOBS}/${id}`, { headers })
      assert.deepStrictEqual([same.status, same.text], [304, ""])
      const change = { title: "Ann speaks", metadata: { order: "7" } }
      const changed = await call(`${JOBS}/${id}`, { method: "PATCH", body: change })
      assert.deepInclude(changed.body, change)
      assert.strictEqual((await call(`${JOBS}/${id}`, { headers })).status, 200)
      const found = await call(`${JOBS}?metadata%5Border%5D=7`)
      assert.deepStrictEqual(
        listOf(found.body.data).map((each) => each.id),
        [id],
      )
      assert.strictEqual((await call(`${JOBS}/${id}`, { method: "DELETE" })).status, 204)
      assertProblem(await call(`${JOBS}/${id}`), 404, "not_found")
    })

    it("4.3: GET /api/v1/transcriptions returns the account's transcriptions, page by page", async () => {
      const { call } = world()
      const seen: Array<unknown> = []
      let cursor: unknown = null
      do {
        const { body } = await call(`${JOBS}?limit=3${cursor === null ? "" : `&cursor=${cursor}`}`)
        seen.push(...listOf(body.data).map(({ id }) => id))
        assert.strictEqual(body.has_more, body.next_cursor !== null)
        cursor = body.next_cursor
      } while (cursor !== null)
      assert.strictEqual(new Set(seen).size, seen.length)
      assert.isAbove(seen.length, 5)
      const none = await call(`${JOBS}?metadata%5Border%5D=nobody`)
      assert.deepStrictEqual(none.body, { data: [], has_more: false, next_cursor: null })
      assertProblem(await call(`${JOBS}?cursor=made-up`), 400, "invalid_request")
    })

    it("exports a transcript and searches it, by key and by link", async () => {
      const { call, web } = world()
      const id = await makeJob(world(), { url: `${web.base}/1.wav` })
      const { body: job } = await call(`${JOBS}/${id}`)
      const srt = await call(`${JOBS}/${id}/export?format=srt`)
      assert.strictEqual(srt.headers.get("content-type"), "application/x-subrip; charset=utf-8")
      assert.include(srt.headers.get("content-disposition"), `attachment; filename="${id}.srt"`)
      assert.match(srt.text, /^1\n00:00:0\d,\d{3} --> /)
      const link = await call(`${JOBS}/${id}/export-link`, { body: { format: "txt", speakers: false } })
      const opened = await call(String(link.body.url), { key: null })
      assert.include(opened.text.replaceAll("\n", " "), String(job.text).slice(0, 20))
      assertProblem(await call(`${link.body.url}0`, { key: null }), 403, "signature_invalid")
      const [word = ""] = String(job.text).split(" ")
      const found = await call(`${JOBS}/${id}/search?q=${encodeURIComponent(word)}`)
      assert.isAbove(Number(found.body.total), 0)
    })

    it("each format has its content type, and its ETag is answered with 304; what has failed has no export", async () => {
      const { call, web } = world()
      const id = await makeJob(world(), { url: `${web.base}/1.wav` })
      for (const [format, type] of Object.entries(FORMATS)) {
        const path = `${JOBS}/${id}/export?format=${format}`
        const { headers } = await call(path)
        assert.strictEqual(headers.get("content-type"), type)
        assert.match(headers.get("content-disposition") ?? "", new RegExp(`^attachment; filename="${id}\\.`))
        const again = await call(path, { headers: { "If-None-Match": headers.get("etag") ?? "" } })
        assert.deepStrictEqual([format, again.status, again.text], [format, 304, ""])
      }
      const { body } = await call(`${JOBS}/${id}?include=words`)
      const [word] = listOf(listOf(body.segments)[0]?.words)
      assert.includeMembers(Object.keys(word ?? {}), ["start", "end", "text", "confidence"])
      const made = await call(JOBS, { body: { url: `${web.base}/missing-export.mp3` } })
      await call(`${JOBS}/${made.body.id}?wait=30`)
      assertProblem(await call(`${JOBS}/${made.body.id}/export?format=txt`), 409, "invalid_state")
      assertProblem(await call(`${JOBS}/${id}?wait=61`), 400, "invalid_request")
    })

    it("a transcript past its retention is 410, and so is what is made of it", async () => {
      const { call, web } = world()
      await makeJob(world(), { url: `${web.base}/1.wav` })
      const { body } = await call(JOBS, { body: { url: `${web.base}/1.wav`, delete_after_seconds: 1 } })
      const job = `${JOBS}/${body.id}`
      const gone = await until(
        () => call(job),
        ({ status }) => status !== 200,
      )
      assertProblem(gone, 410, "expired")
      assertProblem(await call(`${job}/export?format=txt`), 410, "expired")
      assertProblem(await call(`${job}/search?q=a`), 410, "expired")
      assertProblem(await call(`${job}/export-link`, { body: { format: "txt" } }), 410, "expired")
    })

    it("9: The REST interface is versioned in the path prefix `/api/v1`", async () => {
      assertProblem(await world().call("/api/v2/transcriptions"), 404, "not_found")
    })
  })
