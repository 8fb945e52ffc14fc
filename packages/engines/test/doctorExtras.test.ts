import { FetcherNode } from "@earmark/media"
import { Fetcher } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { defaultEngineSettings, type ExtrasSettings, examineExtras, examineHearing } from "../src/index.js"
import { jsonServer } from "./standIns/jsonServer.js"
import { sendJson } from "./standIns/transcriptionServer.js"

const unset: ExtrasSettings = { llmUrl: null, llmKey: null, llmModel: null, translateUrl: null }

const examined = (settings: Partial<ExtrasSettings>) =>
  Effect.gen(function* () {
    const { fetch } = yield* Fetcher
    return yield* examineExtras(fetch, { ...unset, ...settings })
  }).pipe(Effect.provide(FetcherNode.layer()))

describe("doctor, on extras", () => {
  it.live("says who writes and translates, whether they answer, and what to do", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* jsonServer((asked, response) => {
        const isKnown = asked.headers.authorization === "Bearer right" || asked.path === "/languages"
        sendJson(response, isKnown ? 200 : 401, [])
      })
      const states = (settings: Partial<ExtrasSettings>) =>
        Effect.map(examined(settings), (findings) => findings.map(({ status, fix }) => [status, fix]))
      const none = yield* states({})
      assert.deepStrictEqual(
        none.map(([status]) => status),
        ["unused", "unused"],
      )
      const llmUrl = `${origin}/v1`
      assert.deepStrictEqual(yield* states({ llmUrl, llmKey: Redacted.make("right") }), [
        ["ok", null],
        ["ok", null],
      ])
      assert.strictEqual(requests[0]?.path, "/v1/models")
      assert.deepStrictEqual(
        yield* states({ llmUrl, llmKey: Redacted.make("wrong"), translateUrl: origin }),
        [
          ["missing", "check the `key` of the text model"],
          ["ok", null],
        ],
      )
      assert.deepStrictEqual(yield* states({ llmUrl: "nowhere" }), [
        ["missing", "check the `url` of the text model"],
        ["missing", "check the `url` of the text model"],
      ])
      const away = "http://127.0.0.1:9"
      assert.deepStrictEqual(yield* states({ llmUrl: away, translateUrl: away }), [
        ["missing", "check the `url` of the text model"],
        ["missing", "check the `url` of the translator"],
      ])
    }).pipe(Effect.scoped),
  )
})

describe("doctor, on the endpoint that transcribes", () => {
  it.live("asks whether it answers and takes the key, and gives it no sound", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* jsonServer((asked, response) => {
        sendJson(response, asked.headers.authorization === "Bearer right" ? 404 : 401, [])
      })
      const heard = (httpUrl: string, key = "right") =>
        examineHearing({ ...defaultEngineSettings, httpUrl, httpKey: Redacted.make(key) }, "openai").pipe(
          Effect.provide(FetcherNode.layer()),
        )
      const { host } = new URL(origin)
      const name = "hearing"
      for (const path of ["/v1", "/v1/", "/v1/audio/transcriptions"])
        assert.deepStrictEqual(yield* heard(`${origin}${path}`), [
          {
            name,
            status: "ok",
            detail: `${host} answers; no sound was sent, since that may cost money`,
            fix: null,
          },
        ])
      assert.deepStrictEqual(
        requests.map(({ path }) => path),
        ["/v1/models", "/v1/models", "/v1/models"],
      )
      assert.deepStrictEqual(yield* heard(`${origin}/v1`, "wrong"), [
        {
          name,
          status: "missing",
          detail: `${origin}/v1 refuses the key (401)`,
          fix: "check the `key` of the engine openai",
        },
      ])
      assert.deepStrictEqual(yield* heard("http://127.0.0.1:1/v1"), [
        {
          name,
          status: "missing",
          detail: "127.0.0.1 does not take connections",
          fix: "check the `url` of the engine openai",
        },
      ])
    }).pipe(Effect.scoped),
  )
})
