// Clients of OpenAI's protocol, as they come from their makers: they need another address and a key, and nothing else.

import { createOpenAI } from "@ai-sdk/openai"
import { readCaptions } from "@earmark/core/captions"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "@effect/vitest"
import { experimental_transcribe as transcribe } from "ai"
import OpenAI, { APIError, toFile } from "openai"
import { because } from "../../servers/because.js"
import { type EarmarkServer, startEarmark } from "../../servers/earmarkServer.js"
import { listOf, newAccount } from "./asking.js"
import { clientOf, ffmpegMissing, recording, startWeb, type Web } from "./world.js"

let server: EarmarkServer
let web: Web
let client: OpenAI

const clientFor = ({ baseUrl, key }: Pick<EarmarkServer, "baseUrl" | "key">) =>
  new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0 })

beforeAll(async () => {
  web = await startWeb()
  server = await startEarmark({
    EARMARK_BILLING: "off",
    EARMARK_TRANSLATE_URL: `${web.base}/libre`,
    EARMARK_WAITING_READS: "4",
  })
  client = clientFor(server)
}, 120_000)

afterAll(async () => {
  web?.stop()
  await server?.stop()
}, 60_000)

const speech = (seed = 1, turns = 2) => toFile(recording(seed, turns), "speech.wav", { type: "audio/wav" })

const model = "whisper-1"

/** The one that is thrown; a promise that is kept fails the test. */
const refusal = async (promise: Promise<unknown>): Promise<unknown> => {
  const found = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  assert.isNotNull(found, "nothing was refused")
  return found
}

const assertApiError = (error: unknown, status: number, code: string): APIError => {
  assert.instanceOf(error, APIError)
  assert.deepStrictEqual([error.status, error.code], [status, code], error.message)
  return error
}

describe.skipIf(ffmpegMissing !== null)(`the client of OpenAI${because(ffmpegMissing)}`, () => {
  it("has a transcript in every format", async () => {
    const file = await speech()
    const json = await client.audio.transcriptions.create({ file, model })
    assert.isAbove(json.text.length, 20)
    assert.deepStrictEqual(json.usage, { type: "duration", seconds: 5 })
    const asked = { file, model: "gpt-4o-transcribe", language: "en" } as const
    const text = await client.audio.transcriptions.create({ ...asked, response_format: "text" })
    assert.strictEqual(String(text), `${json.text}\n`)
    for (const format of ["srt", "vtt"] as const) {
      const captions = await client.audio.transcriptions.create({ ...asked, response_format: format })
      const read = readCaptions(Buffer.from(String(captions)))
      assert.strictEqual(read._tag, "Right", String(captions))
      assert.match(String(captions), format === "vtt" ? /^WEBVTT\n/ : /^1\n00:00:00,/)
    }
    const verbose = await client.audio.transcriptions.create({ ...asked, response_format: "verbose_json" })
    assert.deepInclude(verbose, { text: json.text, language: "english", duration: 5 })
    assert.isUndefined(verbose.words)
    assert.strictEqual(verbose.segments?.map((segment) => segment.text).join(" "), json.text)
  })

  it("has the times of words and of lines, as they are asked for", async () => {
    const file = await speech()
    const asked = { file, model, response_format: "verbose_json" } as const
    const words = await client.audio.transcriptions.create({ ...asked, timestamp_granularities: ["word"] })
    assert.isUndefined(words.segments)
    assert.strictEqual(words.words?.map(({ word }) => word).join(" "), words.text)
    let last = 0
    for (const { start, end } of words.words ?? []) {
      assert.isAtLeast(start, last)
      assert.isAbove(end, start)
      last = start
    }
    const both = await client.audio.transcriptions.create({
      ...asked,
      timestamp_granularities: ["word", "segment"],
    })
    assert.strictEqual(both.words?.length, words.words?.length)
    assert.isAbove(both.segments?.length ?? 0, 0)
  })

  it("is told who speaks", async () => {
    const answer = await client.audio.transcriptions.create({
      file: await speech(2, 12),
      model: "gpt-4o-transcribe-diarize",
      response_format: "diarized_json",
    })
    const segments = listOf(Object(answer).segments)
    assert.isAbove(segments.length, 0)
    for (const { speaker, type } of segments) {
      assert.match(String(speaker), /^Speaker \d+$/)
      assert.strictEqual(type, "transcript.text.segment")
    }
  })

  it("has the lines as they come, and then the whole text", async () => {
    const file = await speech(3, 40)
    const events = await client.audio.transcriptions.create({ file, model, stream: true })
    const deltas: Array<string> = []
    let whole = ""
    for await (const event of events) {
      if (event.type === "transcript.text.delta") deltas.push(event.delta)
      if (event.type === "transcript.text.done") whole = event.text
    }
    assert.isAbove(deltas.length, 1)
    assert.strictEqual(deltas.join(""), whole)
    const kept = await client.audio.transcriptions.create({ file, model })
    assert.strictEqual(whole, kept.text)
  })

  it("gives the names in its prompt, the language and the quality to the job", async () => {
    const call = clientOf(server)
    const file = await toFile(recording(4), "Sitzung über Straßen 会議", { type: "application/octet-stream" })
    const prompt = "Okafor, Lindqvist. This is a sentence with many words in it."
    await client.audio.transcriptions.create({ file, model: "earmark-fast", prompt, language: "German" })
    const { body } = await call("/api/v1/transcriptions?limit=1")
    const [job = {}] = listOf(body.data)
    assert.strictEqual(job.title, "Sitzung über Straßen 会議")
    assert.deepInclude(job.options, {
      language: "de",
      quality: "fast",
      vocabulary: ["Okafor", "Lindqvist"],
    })
  })

  it("has a translation to English", async () => {
    const file = await speech(5)
    const original = await client.audio.transcriptions.create({ file, model, language: "de" })
    const request = new FormData()
    request.set("file", new Blob([recording(5)]), "speech.wav")
    request.set("language", "de")
    request.set("response_format", "text")
    const answer = await fetch(`${server.baseUrl}/v1/audio/translations`, {
      method: "POST",
      body: request,
      headers: { Authorization: `Bearer ${server.key}` },
    })
    const turned = (await answer.text()).trim()
    assert.strictEqual(answer.status, 200, turned)
    assert.deepStrictEqual(turned.split(/\s+/).sort(), original.text.split(" ").sort())
    assert.notStrictEqual(turned, original.text)
    // What was heard in English is as it was.
    const english = await client.audio.translations.create({ file, model })
    assert.isAbove(english.text.length, 10)
  })

  it("knows the models", async () => {
    const { data } = await client.models.list()
    assert.deepStrictEqual(
      data.map(({ id }) => id),
      ["earmark", "earmark-fast", "earmark-accurate", "whisper-1"],
    )
    assert.deepInclude(await client.models.retrieve("whisper-1"), { id: "whisper-1", object: "model" })
    assert.instanceOf(await refusal(client.models.retrieve("gpt-9")), OpenAI.NotFoundError)
    const chat = await refusal(client.chat.completions.create({ model: "gpt-9", messages: [] }))
    assert.instanceOf(chat, OpenAI.NotFoundError)
    assert.match(assertApiError(chat, 404, "not_found").message, /\/v1\/audio\/transcriptions/)
  })

  it("is refused with the errors that it knows", async () => {
    const file = await speech()
    const stranger = clientFor({ baseUrl: server.baseUrl, key: "em_live_x" })
    const unknown = await refusal(stranger.audio.transcriptions.create({ file, model }))
    assert.instanceOf(unknown, OpenAI.AuthenticationError)
    assertApiError(unknown, 401, "unauthorized")
    // Refused before it was sent, and told all the same.
    const large = await toFile(Buffer.alloc(20_000_000), "large.wav")
    const early = await refusal(stranger.audio.transcriptions.create({ file: large, model }))
    assert.instanceOf(early, OpenAI.AuthenticationError)

    const odd = { file, model, response_format: "xml" }
    // biome-ignore lint/suspicious/noExplicitAny: what the types forbid is what is tried
    const wrong = await refusal(client.audio.transcriptions.create(odd as any))
    assert.instanceOf(wrong, OpenAI.BadRequestError)
    assert.strictEqual(assertApiError(wrong, 400, "invalid_request").param, "response_format")

    const badLanguage = await refusal(
      client.audio.transcriptions.create({ file, model, language: "Klingon!" }),
    )
    assert.instanceOf(badLanguage, OpenAI.BadRequestError)
    const language = assertApiError(badLanguage, 400, "invalid_request")
    assert.strictEqual(language.param, "language")
    assert.match(language.message, /^400 language: Expected /)

    const empty = await toFile(new Uint8Array(), "empty.wav")
    const nothing = await refusal(client.audio.transcriptions.create({ file: empty, model }))
    assert.strictEqual(assertApiError(nothing, 400, "invalid_request").param, "file")

    const text = await toFile(Buffer.from("This is no recording. ".repeat(50)), "speech.mp3")
    const undecodable = await refusal(client.audio.transcriptions.create({ file: text, model }))
    assert.instanceOf(undecodable, OpenAI.UnprocessableEntityError)
    assert.match(assertApiError(undecodable, 422, "unsupported_media").message, /tr_[a-z0-9]{20}/)

    const streamed = await client.audio.transcriptions.create({ file: text, model, stream: true })
    const reading = (async () => {
      for await (const _ of streamed);
    })()
    assert.instanceOf(await refusal(reading), APIError)
  })

  it("is refused a key that may not do it, and a second file", async () => {
    const call = clientOf(server)
    const narrow = await call("/api/v1/keys", { body: { name: "write", scopes: ["transcriptions:write"] } })
    const limited = clientFor({ baseUrl: server.baseUrl, key: String(narrow.body.key) })
    const refused = await refusal(limited.audio.transcriptions.create({ file: await speech(), model }))
    assert.instanceOf(refused, OpenAI.PermissionDeniedError)

    const form = new FormData()
    form.append("file", new Blob([recording(1)]), "a.wav")
    form.append("file", new Blob([recording(2)]), "b.wav")
    const headers = { Authorization: `Bearer ${server.key}` }
    const twice = await fetch(`${server.baseUrl}/v1/audio/transcriptions`, {
      method: "POST",
      body: form,
      headers,
    })
    assert.strictEqual(twice.status, 400)
    const json = await fetch(`${server.baseUrl}/v1/audio/transcriptions`, {
      method: "POST",
      body: "{}",
      headers: { ...headers, "Content-Type": "application/json" },
    })
    assert.strictEqual(json.status, 415)
  })
})

describe.skipIf(ffmpegMissing !== null)(`limits${because(ffmpegMissing)}`, () => {
  it("of uploads, requests, plans and credits are those of every other request", async () => {
    const strict = await startEarmark({
      EARMARK_RATE_LIMIT_CREATES: "1/60s:1",
      EARMARK_MAX_UPLOAD_BYTES: "200000",
    })
    onTestFinished(strict.stop)
    const other = await newAccount({ server: strict }, "ann@example.com")
    const large = await toFile(Buffer.alloc(3_000_000), "large.wav")
    const own = clientFor(strict)
    const tooLarge = await refusal(own.audio.transcriptions.create({ file: large, model }))
    assert.strictEqual(assertApiError(tooLarge, 413, "too_large").type, "invalid_request_error")
    const often = await refusal(own.audio.transcriptions.create({ file: await speech(), model }))
    assert.instanceOf(often, OpenAI.RateLimitError)

    const diarized = clientFor({ baseUrl: strict.baseUrl, key: other.key }).audio.transcriptions.create({
      file: await speech(),
      model,
      response_format: "diarized_json",
    })
    const locked = await refusal(diarized)
    assert.instanceOf(locked, OpenAI.PermissionDeniedError)
    assertApiError(locked, 403, "feature_locked")
  }, 120_000)

  it("a server that does not translate says so", async () => {
    const plain = await startEarmark({ EARMARK_ENGINE: "openai", EARMARK_OPENAI_URL: `${server.baseUrl}/v1` })
    onTestFinished(plain.stop)
    const refused = await refusal(clientFor(plain).audio.translations.create({ file: await speech(), model }))
    assert.instanceOf(refused, OpenAI.UnprocessableEntityError)
    assert.match(
      assertApiError(refused, 422, "language_unsupported").message,
      /No translator is set up\. .* set up a translation service or a text model/,
    )
  }, 120_000)
})

describe.skipIf(ffmpegMissing !== null)(`the AI SDK${because(ffmpegMissing)}`, () => {
  it("transcribes", async () => {
    const provider = createOpenAI({ baseURL: `${server.baseUrl}/v1`, apiKey: server.key })
    for (const name of ["whisper-1", "gpt-4o-transcribe"]) {
      const found = await transcribe({
        model: provider.transcription(name),
        audio: recording(1),
        providerOptions: { openai: { timestampGranularities: ["word"] } },
      })
      const kept = await client.audio.transcriptions.create({ file: await speech(), model })
      assert.strictEqual(found.text, kept.text)
      assert.strictEqual(found.durationInSeconds, 5)
      // It asks for more than the text where the name is that of Whisper.
      if (name === "whisper-1") {
        assert.strictEqual(found.language, "en")
        assert.isAbove(found.segments.length, 4)
      }
    }
  })
})

describe.skipIf(ffmpegMissing !== null)(`another Earmark${because(ffmpegMissing)}`, () => {
  it("hears through this one, with the times of words; silence is an empty transcript", async () => {
    const second = await startEarmark({
      EARMARK_ENGINE: "openai",
      EARMARK_OPENAI_URL: `${server.baseUrl}/v1`,
      EARMARK_OPENAI_KEY: server.key,
    })
    onTestFinished(second.stop)
    const through = clientFor(second)
    const heard = await through.audio.transcriptions.create({
      file: await speech(6, 4),
      model,
      response_format: "verbose_json",
      timestamp_granularities: ["word"],
    })
    assert.isAbove(heard.words?.length ?? 0, 4)
    const { body } = await clientOf(second)("/api/v1/transcriptions?limit=1")
    const [job = {}] = listOf(body.data)
    assert.deepInclude(job, { engine: "openai", word_timing: "engine" })
    const codes = listOf(job.warnings).map(({ code }) => code)
    assert.notInclude(codes, "no_word_times")
    assert.notInclude(codes, "no_confidence")

    const silence = await toFile(
      Buffer.concat([recording(1).subarray(0, 44), Buffer.alloc(64_000)]),
      "silence.wav",
    )
    const nothing = await through.audio.transcriptions.create({
      file: silence,
      model,
      response_format: "verbose_json",
    })
    assert.deepInclude(nothing, { text: "", segments: [] })
    const captions = await through.audio.transcriptions.create({
      file: silence,
      model,
      response_format: "vtt",
    })
    assert.match(String(captions), /^WEBVTT\n/)
  }, 120_000)
})
