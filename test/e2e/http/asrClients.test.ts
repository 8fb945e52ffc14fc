// Programs for whisper-asr-webservice: what Bazarr and others send, answered as they read it.

import { readCaptions } from "@earmark/core/captions"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { assertProblem, listOf } from "./asking.js"
import { clientOf, ffmpegMissing, recording, startWeb, type Web } from "./world.js"

let server: EarmarkServer
let web: Web

beforeAll(async () => {
  web = await startWeb()
  server = await startEarmark({ EARMARK_BILLING: "off", EARMARK_TRANSLATE_URL: `${web.base}/libre` })
}, 120_000)

afterAll(async () => {
  web?.stop()
  await server?.stop()
}, 60_000)

const WAV_HEADER = 44

/** Bytes of a second of samples. */
const SECOND = 32_000

const samples = (seed: number) => recording(seed).subarray(WAV_HEADER)

/** As an address with a name and a password in it makes programs ask. */
const basic = (password: string, user = "earmark") =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`

const ask = async (
  path: string,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = { Authorization: basic(server.key) },
) => {
  const form = new FormData()
  form.set("audio_file", new Blob([Buffer.from(bytes)]), "audio_file")
  const answer = await fetch(`${server.baseUrl}${path}`, { method: "POST", body: form, headers })
  const text = await answer.text()
  return {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "",
    text,
    headers: answer.headers,
  }
}

const json = (text: string): Record<string, unknown> => JSON.parse(text)

const newestJob = async () => {
  const { body } = await clientOf(server)("/api/v1/transcriptions?limit=1")
  return listOf(body.data)[0] ?? {}
}

describe.skipIf(ffmpegMissing !== null)(
  `a program for whisper-asr-webservice${because(ffmpegMissing)}`,
  () => {
    it("has a transcript in every output", async () => {
      const bytes = recording(11)
      const whole = await ask("/asr?output=json", bytes)
      assert.strictEqual(whole.status, 200, whole.text)
      const { text, segments, language } = json(whole.text)
      assert.strictEqual(language, "en")
      const lines = listOf(segments)
      assert.strictEqual(lines.map((line) => line.text).join(" "), text)
      assert.isUndefined(lines[0]?.words)
      const plain = await ask("/asr", bytes)
      assert.strictEqual(plain.text, lines.map((line) => `${line.text}\n`).join(""))
      assert.match(plain.type, /^text\/plain/)
      for (const output of ["srt", "vtt"]) {
        const captions = await ask(`/asr?output=${output}&task=transcribe&language=en`, bytes)
        assert.strictEqual(readCaptions(Buffer.from(captions.text))._tag, "Right", captions.text)
      }
      const table = await ask("/asr?output=tsv", bytes)
      const [head, first] = table.text.split("\n")
      assert.strictEqual(head?.trim(), "start\tend\ttext")
      assert.strictEqual(first?.trim().split("\t")[2], lines[0]?.text)
    })

    it("has the times of words and the speakers where it asks for them", async () => {
      const answer = await ask(
        "/asr?output=json&word_timestamps=true&diarize=True&vad_filter=true",
        recording(12),
      )
      for (const { words, speaker } of listOf(json(answer.text).segments)) {
        assert.match(String(speaker), /^Speaker \d+$/)
        for (const { start, end, word, probability } of listOf(words)) {
          assert.isAbove(Number(end), Number(start))
          assert.isAbove(String(word).length, 0)
          assert.isAbove(Number(probability), 0)
        }
      }
    })

    it("may send samples alone, which are heard as the file that holds them", async () => {
      const path =
        "/asr?task=transcribe&language=en&output=srt&encode=false&video_file=%2Ftv%2FShow%2FPilot.mkv"
      const raw = await ask(path, samples(13))
      assert.strictEqual(raw.status, 200, raw.text)
      const job = await newestJob()
      assert.deepInclude(job, { title: "Pilot", duration_seconds: 5 })
      const file = await ask("/asr?language=en&output=srt", recording(13))
      assert.strictEqual(file.text, raw.text)
      // Some say so of a file, too; and a last sample may be cut.
      assert.strictEqual((await ask(path, recording(13))).text, raw.text)
      const cut = await ask(path, samples(14).subarray(0, 96_001))
      assert.strictEqual(cut.status, 200, cut.text)
      assert.deepInclude(await newestJob(), { duration_seconds: 3 })
    })

    it("has a translation to English", async () => {
      const original = await ask("/asr?language=de&output=txt", recording(15))
      const turned = await ask("/asr?language=de&output=txt&task=translate", recording(15))
      assert.strictEqual(turned.status, 200, turned.text)
      assert.notStrictEqual(turned.text, original.text)
      assert.deepStrictEqual(turned.text.split(/\s+/).sort(), original.text.split(/\s+/).sort())
    })

    it("is told the language of a recording, for which no more than half a minute is heard", async () => {
      const answer = await ask("/detect-language?encode=false", samples(16))
      assert.deepStrictEqual(json(answer.text), {
        detected_language: "english",
        language_code: "en",
        confidence: 0.95,
      })
      assert.strictEqual(Object(await newestJob()).options.end_at, 30)
    })

    it("sends what Bazarr does: a field without a type, under a name without an ending, and reads captions", async () => {
      const send = async (path: string, query: Readonly<Record<string, string>>) => {
        const boundary = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
        const head = `--${boundary}\r\nContent-Disposition: form-data; name="audio_file"; filename="audio_file"\r\n\r\n`
        const body = Buffer.concat([Buffer.from(head), samples(19), Buffer.from(`\r\n--${boundary}--\r\n`)])
        const answer = await fetch(`${server.baseUrl}${path}?${new URLSearchParams(query)}`, {
          method: "POST",
          body,
          headers: {
            Authorization: basic(server.key),
            "Content-Type": `multipart/form-data; boundary=${boundary}`,
          },
        })
        assert.strictEqual(answer.status, 200, path)
        return answer.text()
      }
      const language = json(await send("/detect-language", { encode: "false" }))
      assert.strictEqual(language.language_code, "en")
      const asked = { task: "transcribe", language: "en", output: "srt", encode: "false" }
      const captions = await send("/asr", asked)
      assert.match(captions, /^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\n\S/)
      assert.deepInclude(await newestJob(), { duration_seconds: Math.round(samples(19).length / SECOND) })
      assert.strictEqual(await send("/asr", { ...asked, video_file: "/tv/Show & Co/Pilot.mkv" }), captions)
      assert.deepInclude(await newestJob(), { title: "Pilot" })
      assert.notStrictEqual(await send("/asr", { ...asked, task: "translate", language: "de" }), captions)
    })

    it("shows its key as a password or a token, and not from a web page", async () => {
      const bytes = recording(17)
      const statusWith = async (headers: Readonly<Record<string, string>>) =>
        (await ask("/asr", bytes, headers)).status
      assert.strictEqual(await statusWith({ Authorization: `Bearer ${server.key}` }), 200)
      assert.strictEqual(await statusWith({ Authorization: basic(server.key, "") }), 200)
      for (const headers of [
        {},
        { Authorization: basic("em_live_x") },
        { Authorization: basic("", server.key) },
        { Authorization: `Basic ${Buffer.from(server.key).toString("base64")}` },
        { Authorization: "Basic !" },
        { Authorization: basic(server.key), Origin: "https://evil.example.com" },
      ])
        assert.strictEqual(await statusWith({ ...headers }), 401, JSON.stringify(headers))
      // Everywhere else a key is a token, and nothing but a token.
      const elsewhere = clientOf(server)
      for (const path of ["/api/v1/credits", "/v1/models"]) {
        const answer = await elsewhere(path, { key: null, headers: { Authorization: basic(server.key) } })
        assert.strictEqual(answer.status, 401, path)
      }
    })

    it("is refused in words that help", async () => {
      const { baseUrl } = server
      for (const [path, bytes, status, code] of [
        ["/asr?output=docx", recording(18), 400, "invalid_request"],
        ["/asr?task=summarize", recording(18), 400, "invalid_request"],
        ["/asr?language=Klingon!", recording(18), 400, "invalid_request"],
        ["/asr", new Uint8Array(), 400, "invalid_request"],
        ["/asr?encode=true", samples(18), 422, "unsupported_media"],
      ] as const) {
        const answer = await ask(path, bytes)
        assertProblem({ ...answer, body: json(answer.text) }, status, code)
      }
      const form = new FormData()
      form.set("audio", new Blob([Buffer.from(recording(18))]), "a.wav")
      const headers = { Authorization: `Bearer ${server.key}` }
      const other = await fetch(`${baseUrl}/asr`, { method: "POST", body: form, headers })
      assert.match(String(json(await other.text()).detail), /audio_file/)
      const cut = await fetch(`${baseUrl}/asr`, {
        method: "POST",
        body: '--b\r\nContent-Disposition: form-data; name="audio_file"; filename="a.wav"\r\n\r\nRIFF',
        headers: { ...headers, "Content-Type": "multipart/form-data; boundary=b" },
      })
      assert.strictEqual(cut.status, 400)
    })
  },
)
