import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { asrRequest, detectRequest } from "../src/compatible/asrRequest.js"
import { openAiRequest } from "../src/compatible/openAiRequest.js"
import { vocabularyOf } from "../src/compatible/vocabularyOf.js"

const form = (fields: Readonly<Record<string, string | ReadonlyArray<string>>>) =>
  new Map(Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? [value] : value]))

describe("a form of OpenAI's protocol", () => {
  const plain = {
    task: "transcribe",
    format: "json",
    granularities: ["segment"],
    isStreamed: false,
    options: {},
  }

  for (const [fields, expected] of [
    [{}, {}],
    [{ model: "gpt-4o-mini-transcribe", temperature: "0.2", chunking_strategy: "auto", language: "" }, {}],
    [{ model: "earmark-accurate" }, { options: { quality: "accurate" } }],
    [{ model: "constructor" }, {}],
    [{ language: "pt-BR" }, { options: { language: "pt-BR" } }],
    [{ language: "Portuguese" }, { options: { language: "pt" } }],
    [{ stream: "True" }, { isStreamed: true }],
    [{ stream: "false" }, {}],
    [{ response_format: "diarized_json" }, { format: "diarized_json", options: { diarize: true } }],
    [
      { response_format: "verbose_json", "timestamp_granularities[]": ["word", "segment"] },
      { format: "verbose_json", granularities: ["word", "segment"] },
    ],
    [{ timestamp_granularities: "word" }, { granularities: ["word"] }],
  ] as const) {
    it(`with ${JSON.stringify(fields)}`, () => {
      assert.deepStrictEqual<unknown>(Either.getOrThrow(openAiRequest("transcribe")(form(fields))), {
        ...plain,
        ...expected,
      })
    })
  }

  it("for a translation is no stream, and asks for English", () => {
    const request = Either.getOrThrow(openAiRequest("translate")(form({ stream: "true" })))
    assert.deepInclude(request, { task: "translate", isStreamed: false, options: { translate_to: "en" } })
  })

  for (const [fields, pointer] of [
    [{ response_format: "xml" }, "#/response_format"],
    [{ "timestamp_granularities[]": "letter" }, "#/timestamp_granularities[]"],
    [{ stream: "true", response_format: "srt" }, "#/stream"],
  ] as const) {
    it(`is refused for ${pointer}`, () => {
      const refused = Either.getOrThrow(Either.flip(openAiRequest("transcribe")(form(fields))))
      assert.strictEqual(refused.errors?.[0]?.pointer, pointer)
    })
  }
})

describe("the query of /asr", () => {
  it("has the defaults of whisper-asr-webservice", () => {
    assert.deepStrictEqual(Either.getOrThrow(asrRequest({})), {
      ...{ task: "transcribe", output: "txt", hasWords: false, isRaw: false, filename: undefined },
      options: {},
    })
  })

  it("is read as Python and JavaScript write it", () => {
    const request = Either.getOrThrow(
      asrRequest({
        ...{
          encode: "False",
          word_timestamps: "True",
          diarize: "true",
          min_speakers: "2",
          max_speakers: "x",
        },
        ...{
          video_file: "/tv/Show/Pilot.mkv",
          initial_prompt: "Okafor",
          vad_filter: "true",
          task: "translate",
        },
      }),
    )
    assert.deepInclude(request, { isRaw: true, hasWords: true, filename: "Pilot.mkv" })
    assert.deepStrictEqual(request.options, {
      ...{ vocabulary: ["Okafor"], diarize: true, speakers: { min: 2 }, translate_to: "en" },
    })
    assert.deepInclude(detectRequest({ encode: "0" }), { isRaw: true, options: { end_at: 30 } })
  })
})

describe("the vocabulary in a prompt", () => {
  for (const [prompt, terms] of [
    ["", []],
    ["Okafor, Node.js; U.S. Steel. And then there is a sentence.", ["Okafor", "Node.js", "U.S", "Steel"]],
    ["the cat, the cat,, the dog", ["the cat", "the dog"]],
    ["会議、東京。", ["会議", "東京"]],
    ["x".repeat(200), []],
  ] as const) {
    it(JSON.stringify(prompt.slice(0, 40)), () => assert.deepStrictEqual(vocabularyOf(prompt), [...terms]))
  }

  it("has no more terms than a job may have", () => {
    const prompt = Array.from({ length: 300 }, (_, index) => `term ${index}`).join(", ")
    assert.lengthOf(vocabularyOf(prompt), 200)
  })
})
