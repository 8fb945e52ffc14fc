import { createServer } from "node:http"
import { ObjectStoreMemory, StoreMemory, Translator, Writer } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { hearing } from "../src/parts/surroundings.js"
import { readSettings } from "../src/settings/Settings.js"

const transcript = {
  language: "en",
  duration: 5_000,
  segments: [{ start: 0, end: 5_000, speaker: null, text: "One thing was said.", words: [] }],
}

/** Says one sentence as a text model would, and translates as LibreTranslate would. */
const servers = Effect.gen(function* () {
  const asked: Array<readonly [path: string, key: string | undefined, body: string]> = []
  const summary = JSON.stringify({ sentences: [{ text: "A thing.", lines: [1] }] })
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on("end", () => {
      asked.push([request.url ?? "", request.headers.authorization, body])
      const answer = request.url?.endsWith("/chat/completions")
        ? { choices: [{ message: { content: summary }, finish_reason: "stop" }] }
        : { translatedText: ["Ein Ding wurde gesagt."] }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
    })
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close()),
  )
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, asked }
})

const staffWith = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const settings = yield* readSettings
    const layer = hearing(settings).pipe(
      Layer.provide(Layer.merge(StoreMemory.layer, ObjectStoreMemory.layer)),
    )
    return yield* Effect.provide(Effect.all({ writer: Writer, translator: Translator }), layer)
  }).pipe(
    Effect.withConfigProvider(
      ConfigProvider.fromMap(new Map(Object.entries({ EARMARK_ENGINE: "scripted", ...environment }))),
    ),
  )

describe("who writes and translates", () => {
  it.live("the servers that the settings name, with their keys", () =>
    Effect.gen(function* () {
      const { url, asked } = yield* servers
      const { writer, translator } = yield* staffWith({
        EARMARK_LLM_URL: `${url}/v1/`,
        EARMARK_LLM_KEY: "text key",
        EARMARK_LLM_MODEL: "small",
        EARMARK_TRANSLATE_URL: url,
        EARMARK_TRANSLATE_KEY: "other key",
      })
      assert.strictEqual(yield* writer.summarize(transcript), "A thing.")
      assert.strictEqual(asked[0]?.[0], "/v1/chat/completions")
      assert.strictEqual(asked[0]?.[1], "Bearer text key")
      assert.match(asked[0]?.[2] ?? "", /"model":"small"/)
      const texts = yield* translator.translate(["One thing was said."], { from: "en", to: "de" })
      assert.deepStrictEqual(texts, ["Ein Ding wurde gesagt."])
      assert.strictEqual(asked.at(-1)?.[0], "/translate")
      assert.match(asked.at(-1)?.[2] ?? "", /"api_key":"other key"/)
    }).pipe(Effect.scoped),
  )

  it.effect("the text model translates where nobody else does; without any, nobody", () =>
    Effect.gen(function* () {
      const model = yield* staffWith({ EARMARK_LLM_URL: "http://127.0.0.1:9/v1" })
      assert.strictEqual(model.translator.id, "chat 127.0.0.1:9")
      const none = yield* staffWith({})
      assert.deepStrictEqual([none.writer.id, none.translator.id], ["extractive", "none"])
    }),
  )
})
