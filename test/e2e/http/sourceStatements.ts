import { assert, describe, it } from "@effect/vitest"
import { assertProblem, DEFAULT_ACCOUNT, JOBS, listOf, makeJob, newAccount, type World } from "./asking.js"
import { follow } from "./eventStream.js"
import { recording } from "./world.js"

/** What the services of these tests are told is long. */
export const LONG_FORM_SECONDS = 60

const MEDIA_REF = /^uploads\/acct_[0-9a-z]{26}\/[0-9a-f-]{36}\.wav$/

/** Parts 4.1 (sources), 4.4 to 4.6, and what costs money. */
export const sourceStatements = (world: () => World) =>
  describe("sources", () => {
    it("4.1.1: Exactly one of `url`, `media_ref`, `blob_url` is passed", async () => {
      const { call, web } = world()
      assertProblem(await call(JOBS, { body: {} }), 400, "missing_source")
      const both = { url: `${web.base}/1.wav`, blob_url: `${web.base}/1.wav` }
      assertProblem(await call(JOBS, { body: both }), 400, "multiple_sources")
      await makeJob(world(), { blob_url: `${web.base}/7.wav` })
    })

    it("4.1.2: a feed without `episode_guid` and `episode_index`: the latest episode is transcribed", async () => {
      const { call, web } = world()
      const feed = `${web.base}/feed.xml`
      for (const [chosen, guid] of [
        [{}, "guid-3"],
        [{ episode_index: 1 }, "guid-2"],
        [{ episode_guid: "guid-1" }, "guid-1"],
      ] as const) {
        const { body } = await call(JOBS, { body: { url: feed, ...chosen } })
        const job = await call(`${JOBS}/${body.id}`)
        assert.deepInclude(job.body.source, { kind: "episode", episode_guid: guid })
      }
      const two = { url: feed, episode_guid: "guid-1", episode_index: 1 }
      assertProblem(await call(JOBS, { body: two }), 400, "invalid_request")
      assertProblem(await call(JOBS, { body: { url: feed, episode_guid: "none" } }), 422, "episode_not_found")
    })

    it("4.4, 2.5: GET /api/v1/podcasts/episodes?feed=&limit= answers the episode list of 2.5", async () => {
      const { call, web } = world()
      const feed = encodeURIComponent(`${web.base}/feed.xml`)
      const { body, status } = await call(`/api/v1/podcasts/episodes?feed=${feed}&limit=2`)
      assert.deepStrictEqual([status, body.total, body.returned], [200, 3, 2])
      const [first] = listOf(body.data)
      assert.deepInclude(first, { guid: "guid-3", title: "Episode 3", audio_url: `${web.base}/3.wav` })
      assertProblem(await call(`/api/v1/podcasts/episodes?feed=${feed}&limit=0`), 400, "invalid_request")
    })

    it("2.4: an episode has title, guid, published_at, duration_seconds and audio_url", async () => {
      const { call, web } = world()
      const feed = encodeURIComponent(`${web.base}/described.xml`)
      const { body } = await call(`/api/v1/podcasts/episodes?feed=${feed}`)
      assert.deepStrictEqual([body.total, body.returned], [2, 2])
      assert.deepInclude(listOf(body.data)[1], {
        index: 1,
        title: "Episode 4",
        guid: "guid-4",
        published_at: "2026-01-04T10:00:00.000Z",
        duration_seconds: 36,
        audio_url: `${web.base}/4.wav`,
      })
    })

    it("4.1.4, 3.2: Response 200 with `status` = `done` when the source is caption-backed, for nothing", async () => {
      const { call, web } = world()
      const request = { url: `${web.base}/described.xml`, episode_guid: "guid-4" }
      const { body, status } = await call(JOBS, { body: request })
      assert.deepStrictEqual([status, body.status], [200, "done"])
      const job = await call(`${JOBS}/${body.id}`)
      assert.deepInclude(job.body, { origin: "captions", billed_minutes: 0, duration_seconds: 36 })
      assert.include(String(job.body.text), "This was written by people, word for word.")
      const heard = await call(JOBS, { body: { ...request, quality: "accurate" } })
      assert.deepStrictEqual([heard.status, heard.body.status], [202, "queued"])
    })

    it("8.4: Clips for social sources: capped at 90 seconds", async () => {
      const { call } = world()
      const { body, status } = await call(JOBS, {
        body: { url: "https://www.tiktok.com/@ann/video/7123456789012345678" },
      })
      assert.strictEqual(status, 202)
      const job = await call(`${JOBS}/${body.id}?wait=60`)
      assert.deepInclude(job.body, { status: "done", title: "A long clip", billed_minutes: 2 })
      assert.strictEqual(job.body.duration_seconds, 90)
      assert.strictEqual(Object(job.body.source).kind, "social")
    })

    it("8.8: Transcription length follows the account's plan limits", async () => {
      const { call, server, web } = world()
      const known = await call(JOBS, { body: { url: `${web.base}/described.xml`, episode_guid: "guid-5" } })
      assertProblem(known, 422, "media_too_long")
      const part = { url: `${web.base}/described.xml`, episode_guid: "guid-5", start_at: 0, end_at: 2 }
      assert.strictEqual((await call(JOBS, { body: part })).status, 202)
      const { id, call: other } = await newAccount(world(), "plan@example.org")
      await server.administer("accounts", "limits", id, "--media-minutes", "20", "--upload-bytes", "1000")
      const longer = { url: `${web.base}/described.xml`, episode_guid: "guid-5" }
      assert.strictEqual((await other(JOBS, { body: longer })).status, 202)
      const upload = { filename: "a.wav", content_type: "audio/wav", bytes: 1001 }
      assertProblem(await other("/api/v1/uploads", { body: upload }), 413, "too_large")
      const empty = await other("/api/v1/uploads", { body: { ...upload, bytes: 0 } })
      assert.include(JSON.stringify(empty.body), "an empty file has nothing to transcribe")
      await server.administer("accounts", "limits", id, "--media-minutes", "none")
      assertProblem(await other(JOBS, { body: longer }), 422, "media_too_long")
    })

    it("1: Diarization, whole-feed batch and word-level export are unlocked by any one-time purchase", async () => {
      const { call, server, web } = world()
      const id = await makeJob(world(), { url: `${web.base}/1.wav` })
      const batch = { feed: `${web.base}/feed.xml`, episodes: "all" }
      const words = `${JOBS}/${id}/export?format=srt&word_level=true`
      const ask = () =>
        Promise.all([
          call(JOBS, { body: { url: `${web.base}/8.wav`, diarize: true } }),
          call("/api/v1/podcasts/transcribe", { body: batch }),
          call(words),
        ])
      for (const answer of await ask()) {
        assertProblem(answer, 403, "feature_locked")
        assert.isTrue(answer.body.upgrade)
        assert.match(
          String(answer.body.detail),
          /is unlocked by any one-time purchase: POST \/api\/v1\/credits\/purchases/,
        )
        // The command of the operator is for the operator.
        assert.notInclude(String(answer.body.detail), "earmark credits")
      }
      await server.administer(
        "credits",
        "grant",
        "--account",
        DEFAULT_ACCOUNT,
        "--minutes",
        "10",
        "--purchase",
      )
      const [spoken, made, exported] = await ask()
      assert.deepStrictEqual([spoken.status, made.status, exported.status], [202, 202, 200], made.text)
      const { body } = await call(`${JOBS}/${spoken.body.id}?wait=30`)
      assert.match(String(listOf(body.segments)[0]?.speaker), /^Speaker \d+$/)
    })

    it("2.2: speaker: Speaker label, of the form `Speaker <n>`, also where captions or somebody name the speakers", async () => {
      const { call, server, web } = world()
      const source = { url: `${web.base}/described.xml`, episode_guid: "guid-4" }
      const id = await makeJob(world(), { ...source, diarize: true, translate_to: "de" })
      const read = async () => (await call(`${JOBS}/${id}?include=words`)).body
      const labelsIn = (segments: unknown) => listOf(segments).map(({ speaker }) => speaker)
      const exported = async () => (await call(`${JOBS}/${id}/export?format=txt`)).text
      const job = await read()
      assert.strictEqual(job.origin, "captions")
      assert.deepStrictEqual(labelsIn(job.segments), ["Speaker 1", "Speaker 2"])
      assert.deepStrictEqual(job.speakers, { "Speaker 1": "Ann", "Speaker 2": "Ben" })
      assert.match(await exported(), /^Ann: This was .*\n\nBen: And it /)
      const unknown = await call(`${JOBS}/${id}`, { method: "PATCH", body: { speakers: { Ann: "Zoe" } } })
      assertProblem(unknown, 400, "unknown_field")
      const names = { "Speaker 1": "Zoe", "Speaker 2": null }
      const patched = await call(`${JOBS}/${id}`, { method: "PATCH", body: { speakers: names } })
      assert.strictEqual(patched.status, 200, patched.text)
      const renamed = await read()
      assert.deepStrictEqual(labelsIn(renamed.segments), ["Speaker 1", "Speaker 2"])
      assert.deepStrictEqual(labelsIn(Object(renamed.translation).segments), ["Speaker 1", "Speaker 2"])
      assert.deepStrictEqual(renamed.speakers, { "Speaker 1": "Zoe" })
      assert.match(await exported(), /^Zoe: This was .*\n\nSpeaker 2: And it /)
      for (const speaker of ["Zoe", "Speaker%201"]) {
        const { body } = await call(`${JOBS}/${id}/search?q=written&speaker=${speaker}`)
        assert.deepStrictEqual(labelsIn(body.data), ["Zoe"])
      }
      const stream = await follow(server, id)
      assert.isTrue(await stream.ended)
      const lines = stream.events().filter(({ event }) => event === "segment")
      assert.deepStrictEqual(
        lines.map(({ data }) => data.speaker),
        ["Speaker 1", "Speaker 2"],
      )
    })

    it("4.5, 2.6, 3.3: Response 202: the batch of 2.6. Each listed id is a normal job", async () => {
      const { call, web } = world()
      const request = { feed: `${web.base}/feed.xml`, episodes: 2 }
      const { body, status } = await call("/api/v1/podcasts/transcribe", { body: request })
      assert.deepStrictEqual([status, body.total], [202, 2])
      assert.deepStrictEqual(Object.keys(listOf(body.transcriptions)[0] ?? {}).sort(), [
        "guid",
        "id",
        "title",
        "url",
      ])
      const [first] = listOf(body.transcriptions)
      assert.deepInclude(first, { guid: "guid-3", title: "Episode 3", url: `${JOBS}/${first?.id}` })
      assert.strictEqual((await call(`${JOBS}/${first?.id}`)).body.batch_id, body.batch_id)
      assert.strictEqual((await call(`/api/v1/batches/${body.batch_id}`)).body.total, 2)
    })

    it("4.6.1, 4.6.2, 4.6.3, 2.7: the bytes are sent with PUT; Content-Type and Content-Length must match; no bearer header", async () => {
      const { call } = world()
      const bytes = recording(40)
      const begun = await call("/api/v1/uploads", {
        body: { filename: "../../etc/passwd.wav", content_type: "audio/wav", bytes: bytes.length },
      })
      assert.strictEqual(begun.status, 201)
      assert.match(String(begun.body.media_ref), MEDIA_REF)
      assert.strictEqual(begun.body.expires_in, 3600)
      const early = await call(JOBS, { body: { media_ref: begun.body.media_ref } })
      assertProblem(early, 422, "media_ref_unknown")
      const url = String(begun.body.upload_url)
      const put = async (type: string, body: Uint8Array, address = url) => {
        const { status, headers } = await fetch(address, {
          method: "PUT",
          body,
          headers: { "Content-Type": type },
        })
        return { status, etag: headers.get("etag") ?? "" }
      }
      assert.strictEqual((await put("audio/mpeg", bytes)).status, 400)
      assert.strictEqual((await put("audio/wav", bytes.subarray(1))).status, 400)
      assert.strictEqual((await put("audio/wav", bytes, `${url}0`)).status, 403)
      const kept = await put("audio/wav", bytes)
      assert.strictEqual(kept.status, 200)
      assert.match(kept.etag, /^".+"$/)
      assert.strictEqual((await put("audio/wav", bytes)).status, 409)
      await makeJob(world(), { media_ref: begun.body.media_ref })
      const page = await fetch(String(begun.body.upload_page))
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
    })

    it("what an account uploads again, under whatever reference and name, costs nothing and is called by its name", async () => {
      const { call } = await newAccount(world(), "uploads.again@example.org")
      const bytes = recording(42)
      const upload = async (filename: string) => {
        const announced = { filename, content_type: "audio/wav", bytes: bytes.length }
        const { body } = await call("/api/v1/uploads", { body: announced })
        const headers = { "Content-Type": "audio/wav" }
        await fetch(String(body.upload_url), { method: "PUT", body: bytes, headers })
        return { media_ref: body.media_ref }
      }
      const first = await makeJob({ ...world(), call }, await upload("talk.wav"))
      const balance = async () => (await call("/api/v1/credits")).body.balance
      assert.strictEqual(await balance(), 59)
      const again = await upload("again.wav")
      assert.deepInclude((await call("/api/v1/quotes", { body: again })).body, { credits: 0, cached: true })
      const found = (await call(`${JOBS}/${await makeJob({ ...world(), call }, again)}`)).body
      assert.deepInclude(found, { billed_minutes: 0, source: { kind: "upload", ...again } })
      assert.strictEqual(found.text, (await call(`${JOBS}/${first}`)).body.text)
      assert.strictEqual(await balance(), 59)
      const named = { ...again, title: "By hand" }
      await makeJob({ ...world(), call }, named)
      const { body } = await call(JOBS)
      assert.deepStrictEqual(
        listOf(body.data).map(({ title }) => title),
        ["By hand", "again", "talk"],
      )
      const exported = await call(`${JOBS}/${first}/export?format=md`)
      assert.match(exported.text, /^# talk$/m)
    })

    it("8.3: Diarization on long-form media: 3 times the normal rate", async () => {
      const { call, web } = world()
      const minutes = async (request: Record<string, unknown>) => {
        const { body } = await call(`${JOBS}/${await makeJob(world(), request)}`)
        return { seconds: Number(body.duration_seconds), billed: body.billed_minutes }
      }
      const long = await minutes({ url: `${web.base}/long/18.wav`, diarize: true })
      assert.isAbove(long.seconds, LONG_FORM_SECONDS)
      assert.strictEqual(long.billed, 3 * Math.ceil(long.seconds / 60))
      const plain = await minutes({ url: `${web.base}/long/19.wav` })
      assert.strictEqual(plain.billed, Math.ceil(plain.seconds / 60))
      assert.strictEqual((await minutes({ url: `${web.base}/41.wav`, diarize: true })).billed, 1)
    })

    it("8.1: 1 credit = 1 minute of usage: what is billed is what the balance lost, entry by entry", async () => {
      const { call } = world()
      const settled = async () => {
        const { body } = await call("/api/v1/credits")
        return body.held === 0 ? body : null
      }
      let credits = await settled()
      while (credits === null) credits = await settled()
      const entries = listOf((await call("/api/v1/credits/entries?limit=100")).body.data)
      const sum = entries.reduce((total, { amount }) => total + Number(amount), 0)
      assert.strictEqual(sum, credits.balance)
      const jobs = listOf((await call(`${JOBS}?limit=100&status=done`)).body.data)
      const billed = jobs.reduce((total, job) => total + Number(job.billed_minutes), 0)
      const spent = entries.filter(({ kind }) => kind === "settlement")
      assert.isAbove(billed, 0)
      assert.isAtLeast(-spent.reduce((total, { amount }) => total + Number(amount), 0), billed)
    })
  })
