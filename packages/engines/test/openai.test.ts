import { FetcherNode } from "@earmark/media"
import type { SpeechEngine } from "@earmark/service"
import { speechEngineContract } from "@earmark/testkit/contracts"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { layer, make, type OpenAiOptions } from "../src/openai/index.js"
import {
  type Answer,
  likeOpenAi,
  sendJson,
  transcriptionServer,
  wordsIn,
} from "./standIns/transcriptionServer.js"
import { toneOf, windowOf } from "./windows.js"

const window = windowOf(toneOf(3_000))
const asked = { language: "en", quality: "accurate", vocabulary: [] } as const
const delays = [Duration.millis(5), Duration.millis(5), Duration.millis(5)]

/** Runs a test against a server that answers in one way. */
const against = <A, E>(
  answer: Answer,
  test: (
    engine: SpeechEngine["Type"],
    server: Effect.Effect.Success<ReturnType<typeof transcriptionServer>>,
  ) => Effect.Effect<A, E>,
  options: Partial<OpenAiOptions> = {},
) =>
  Effect.gen(function* () {
    const server = yield* transcriptionServer(answer)
    const engine = yield* make({ url: server.url, delays, ...options })
    return yield* test(engine, server)
  }).pipe(Effect.scoped, Effect.provide(FetcherNode.layer()))

const codes = (warnings: ReadonlyArray<{ readonly code: string }>) => warnings.map(({ code }) => code)

speechEngineContract("OpenAI-compatible, by a server on the loopback", {
  layer: Layer.unwrapScoped(
    Effect.map(
      transcriptionServer((request, response, turn) => {
        setTimeout(() => likeOpenAi(request, response, turn), 60)
      }),
      ({ url }) => layer({ url, delays }),
    ),
  ).pipe(Layer.provide(FetcherNode.layer())),
  spoken: window,
  language: "en",
  unknownLanguage: null,
  crash: null,
})

describe("OpenAI-compatible", () => {
  it.live("asks for words and segments, with the key, the model of the quality and the vocabulary", () =>
    against(
      likeOpenAi,
      (engine, { requests }) =>
        Effect.gen(function* () {
          yield* engine.recognize(window, { ...asked, vocabulary: ["Okafor", "Lindqvist"] })
          yield* engine.recognize(window, { ...asked, quality: "fast", language: null })
          const [accurate, fast] = requests
          assert.strictEqual(accurate?.path, "/v1/audio/transcriptions")
          assert.strictEqual(accurate?.headers.authorization, "Bearer secret")
          assert.deepInclude(accurate?.fields, {
            model: ["large"],
            language: ["en"],
            temperature: ["0"],
            prompt: ["Okafor, Lindqvist"],
            response_format: ["verbose_json"],
            "timestamp_granularities[]": ["word", "segment"],
          })
          assert.deepStrictEqual(accurate?.samples, window.samples)
          assert.deepStrictEqual(fast?.fields.model, ["small"])
          assert.isUndefined(fast?.fields.language)
        }),
      { key: Redacted.make("secret"), modelFast: "small", modelAccurate: "large" },
    ),
  )

  it.live("a server that refuses word times is asked for less, and from then on at once", () =>
    against(
      (request, response, turn) => {
        const { fields } = request
        if (fields["timestamp_granularities[]"] !== undefined) {
          return sendJson(response, 400, { error: { message: "timestamp_granularities is not supported" } })
        }
        if (fields.response_format?.[0] === "verbose_json") return sendJson(response, 422, "unknown format")
        likeOpenAi(request, response, turn)
      },
      (engine, { requests }) =>
        Effect.gen(function* () {
          const first = yield* engine.recognize(window, asked)
          assert.strictEqual(requests.length, 3)
          yield* engine.recognize(window, asked)
          assert.strictEqual(requests.length, 4)
          assert.deepStrictEqual(requests[3]?.fields.response_format, ["json"])
          // The text spread over the window.
          assert.strictEqual(first.words.length, 6)
          assert.strictEqual(first.words[0]?.start, window.start)
          assert.strictEqual(first.words.at(-1)?.end, window.end)
          assert.includeMembers(codes(first.warnings), ["no_word_times", "no_confidence"])
        }),
    ),
  )

  it.live("a request that is refused on every rung teaches nothing", () =>
    against(
      (request, response, turn) =>
        turn < 3 ? sendJson(response, 400, "bad audio") : likeOpenAi(request, response, turn),
      (engine, { requests }) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(engine.recognize(window, asked))
          assert.deepInclude(failure, { code: "engine_error", isTransient: false })
          yield* engine.recognize(window, asked)
          assert.deepStrictEqual(requests[3]?.fields["timestamp_granularities[]"], ["word", "segment"])
        }),
    ),
  )

  it.live("words inside segments, in pieces with probabilities, are joined", () =>
    against(
      (_, response) =>
        sendJson(response, 200, {
          language: "german",
          text: " Guten Morgen.",
          segments: [
            {
              text: " Guten Morgen.",
              start: 0,
              end: 2,
              words: [
                { word: " Gut", start: 0.1, end: 0.3, probability: 0.9 },
                { word: "en", start: 0.3, end: 0.5, probability: 0.6 },
                { word: " Morgen", start: 0.5, end: 1, probability: 0.8 },
                { word: ".", start: 1, end: 1.1, probability: 0.7 },
              ],
            },
          ],
        }),
      (engine) =>
        Effect.gen(function* () {
          const { words, language, warnings } = yield* engine.recognize(window, { ...asked, language: null })
          const { start } = window
          assert.deepStrictEqual(words, [
            { text: "Guten", start: start + 100, end: start + 500, confidence: 0.6, speaker: null },
            { text: "Morgen.", start: start + 500, end: start + 1100, confidence: 0.7, speaker: null },
          ])
          assert.deepStrictEqual(language, { code: "de", confidence: 1 })
          assert.deepStrictEqual(warnings, [])
        }),
    ),
  )

  it.live("empty segments, no segments and empty text are no failures", () =>
    Effect.gen(function* () {
      const texts: ReadonlyArray<readonly [object, number]> = [
        [{ text: "one two", segments: [], language: "en" }, 2],
        [{ text: "one two" }, 2],
        [{ text: "", segments: [] }, 0],
        [
          {
            text: "one two three",
            segments: [
              { text: "one two", start: 0, end: 1 },
              { text: " three", start: 1, end: 2 },
            ],
          },
          3,
        ],
      ]
      for (const [body, count] of texts) {
        const { words } = yield* against(
          (_, response) => sendJson(response, 200, body),
          (engine) => engine.recognize(window, asked),
        )
        assert.strictEqual(words.length, count, JSON.stringify(body))
      }
    }),
  )

  it.live("a busy server is asked again, when it says", () =>
    against(
      (request, response, turn) => {
        if (turn === 0) return sendJson(response, 429, "slow down", { "retry-after": "0.05" })
        if (turn === 1) return sendJson(response, 503, "loading")
        if (turn === 2) return request.headers.host === undefined ? undefined : response.destroy()
        likeOpenAi(request, response, turn)
      },
      (engine, { requests }) =>
        Effect.gen(function* () {
          const { words } = yield* engine.recognize(window, asked)
          assert.strictEqual(words.length, 6)
          assert.strictEqual(requests.length, 4)
        }),
      // Without the word of the server the first wait would outlast this test.
      { delays: [Duration.minutes(1), Duration.millis(5), Duration.millis(5)] },
    ),
  )

  it.live("what does not get better is told for what it is", () =>
    Effect.gen(function* () {
      const ends = [
        [401, "engine_unavailable", false, /refused the key \(401\)/, 1],
        [403, "engine_unavailable", false, /refused the key \(403\)/, 1],
        [404, "engine_unavailable", false, /no transcription endpoint at \/v1/, 1],
        [413, "engine_error", false, /answered 413: too much/, 1],
        [500, "engine_unavailable", true, /answered 500/, 4],
        [429, "engine_unavailable", true, /answered 429/, 4],
      ] as const
      for (const [status, code, isTransient, sentence, count] of ends) {
        yield* against(
          (_, response) => sendJson(response, status, "too\nmuch"),
          (engine, { requests }) =>
            Effect.gen(function* () {
              const failure = yield* Effect.flip(engine.recognize(window, asked))
              assert.deepInclude(failure, { code, isTransient })
              assert.match(String(failure.cause), sentence)
              assert.strictEqual(requests.length, count, `${status}`)
            }),
        )
      }
    }),
  )

  it.live("rubbish, redirects, times from elsewhere and silence without end fail the window", () =>
    Effect.gen(function* () {
      const failureOf = (answer: Answer, options: Partial<OpenAiOptions> = {}) =>
        against(answer, (engine) => Effect.flip(engine.recognize(window, asked)), options)
      const html = yield* failureOf((_, response) => sendJson(response, 200, "<html>"))
      assert.deepInclude(html, { code: "engine_error", isTransient: true })
      const far = yield* failureOf((_, response) =>
        sendJson(response, 200, { text: "x", words: [{ word: "x", start: 400, end: 401 }] }),
      )
      assert.strictEqual(far.code, "engine_error")
      const moved = yield* failureOf((_, response) =>
        sendJson(response, 307, "", { location: "http://127.0.0.1:9/v1/audio/transcriptions" }),
      )
      assert.isFalse(moved.isTransient)
      const late = yield* failureOf(() => {}, { deadline: Duration.millis(200) })
      assert.strictEqual(late.code, "engine_timeout")
    }),
  )

  it.live("no more than so many at once", () => {
    let now = 0
    let most = 0
    return against(
      (request, response, turn) => {
        now += 1
        most = Math.max(most, now)
        setTimeout(() => {
          now -= 1
          likeOpenAi(request, response, turn)
        }, 40)
      },
      (engine) =>
        Effect.gen(function* () {
          const windows = Array.from({ length: 12 }, (_, at) =>
            windowOf(toneOf(1_000 + at * 100), at * 5_000, at),
          )
          const all = yield* Effect.forEach(windows, (given) => engine.recognize(given, asked), {
            concurrency: "unbounded",
          })
          assert.strictEqual(most, 4)
          assert.deepStrictEqual(
            all.map(({ words }) => words.map(({ text }) => text)),
            windows.map(({ samples }) => wordsIn(samples).map(({ word }) => word)),
          )
        }),
    )
  })
})
