/** A recording whose language nobody gave, through engines that tell languages and one that cannot. */

import { FetcherNode } from "@earmark/media"
import { type AudioWindow, type Media, makeTranscriber, SpeechEngine } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Stream } from "effect"
import { noCheckpoints, noDiarizer, plainOptions } from "../../../test/servers/standIns.js"
import { make as makeOpenAi } from "../src/openai/index.js"
import { make as makeScripted } from "../src/scripted/index.js"
import { type Answer, likeOpenAi, transcriptionServer } from "./standIns/transcriptionServer.js"
import { toneOf, windowOf } from "./windows.js"

const tone = toneOf(9_000)
const at = (start: number, index: number) => windowOf(tone, start, index)

/** A minute and a half of windows, with excerpts near the beginning, in the middle and near the end. */
const media: Media = {
  durationSeconds: 90,
  fingerprint: "f",
  language: null,
  captions: [],
  cut: "c",
  warnings: [],
  excerpts: Effect.succeed([at(9_000, 0), at(45_000, 1), at(80_000, 2)]),
  windows: Stream.range(0, 8).pipe(Stream.map((index) => at(index * 10_000, index))),
  summary: Effect.succeed({ durationSeconds: 90, speech: [], warnings: [] }),
}

const options = { ...plainOptions, language: null }

const hearWith = (engine: SpeechEngine["Type"]) =>
  Effect.gen(function* () {
    const { transcribe } = yield* makeTranscriber({ windowTimeout: Duration.seconds(30) })
    return yield* transcribe(media, options, noCheckpoints)
  }).pipe(Effect.provide(Layer.merge(Layer.succeed(SpeechEngine, engine), noDiarizer)))

/** Answers as a server does that hears German in the first excerpts and English in the last, and nothing where it does not say. */
const hearing =
  (languages: ReadonlyArray<string>): Answer =>
  (request, response, turn) =>
    likeOpenAi(
      {
        ...request,
        fields: { ...request.fields, language: request.fields.language ?? [languages[turn] ?? "klingon"] },
      },
      response,
      turn,
    )

const against = (answer: Answer) =>
  Effect.gen(function* () {
    const server = yield* transcriptionServer(answer)
    const heard = yield* hearWith(yield* makeOpenAi({ url: server.url, concurrency: 1 }))
    return { heard, told: server.requests.map(({ fields }) => fields.language?.[0] ?? null) }
  }).pipe(Effect.scoped, Effect.provide(FetcherNode.layer()))

const codes = (warnings: ReadonlyArray<{ readonly code: string }>) => warnings.map(({ code }) => code)

describe("a language that nobody gave", () => {
  it.live("is what the excerpts are in, for a server of OpenAI's protocol; the rest is asked for in it", () =>
    Effect.gen(function* () {
      const { heard, told } = yield* against(hearing(["german", "english", "german"]))
      assert.deepStrictEqual(told, [null, null, null, ...Array(9).fill("de")])
      assert.deepStrictEqual(heard.detectedLanguage, { code: "de", confidence: 2 / 3 })
      assert.notInclude(codes(heard.warnings), "language_guessed")
    }),
  )

  it.live("is said to be a guess where the server names none that is known", () =>
    Effect.gen(function* () {
      const { heard, told } = yield* against(hearing([]))
      assert.deepStrictEqual(told, Array(12).fill(null))
      assert.include(codes(heard.warnings), "language_guessed")
    }),
  )

  it.live("is told by a process that hears three excerpts before the first window", () =>
    Effect.gen(function* () {
      const engine = yield* makeScripted()
      const calls: Array<readonly [number, string | null]> = []
      const heard = yield* hearWith({
        ...engine,
        recognize: (window: AudioWindow, asked) => {
          calls.push([window.start, asked.language])
          return engine.recognize(window, asked)
        },
      })
      assert.deepStrictEqual(calls.slice(0, 4), [
        [9_000, null],
        [45_000, null],
        [80_000, null],
        [0, "en"],
      ])
      assert.strictEqual(calls.length, 12)
      assert.strictEqual(heard.detectedLanguage?.code, "en")
      assert.approximately(heard.detectedLanguage?.confidence ?? 0, 0.9, 1e-9)
    }).pipe(Effect.scoped),
  )
})
