import { decodeCreate } from "@earmark/core/wire"
import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const url = "https://media.example/a.mp3"

const refusal = (body: unknown) => {
  const result = decodeCreate(body)
  assert.isTrue(Either.isLeft(result), "should be refused")
  return Either.isLeft(result) ? result.left : undefined
}

/** The code, then each problem as `pointer detail`. */
const refused = (body: unknown) => {
  const invalid = refusal(body)
  return [invalid?.code, ...(invalid?.problems ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`)]
}

describe("a request for a transcription", () => {
  it("is decoded with our names; null is the same as absent", () => {
    const body = {
      url,
      episode_guid: "g",
      blob_url: null,
      diarize: true,
      speakers: { min: 2, max: 4 },
      translate_to: "de",
      start_at: 1.5,
      end_at: 2,
      delete_after_seconds: 60,
      metadata: { a: [1, { b: null }] },
    }
    assert.deepStrictEqual(Either.getOrThrow(decodeCreate(body)), {
      url,
      episodeGuid: "g",
      diarize: true,
      summary: false,
      chapters: false,
      speakers: { min: 2, max: 4 },
      translateTo: "de",
      startAt: 1500,
      endAt: 2000,
      deleteAfterSeconds: 60,
      metadata: { a: [1, { b: null }] },
    })
  })

  it.each([
    ["no source", {}, "missing_source", "# Give one of url, media_ref, blob_url"],
    ["a source that is null", { url: null }, "missing_source", "# Give one of url, media_ref, blob_url"],
    [
      "two sources",
      { url, media_ref: "m" },
      "multiple_sources",
      "# Give only one of url, media_ref, blob_url",
    ],
    [
      "a mistyped option",
      { url, diarise: true },
      "unknown_field",
      "#/diarise There is no field diarise here; did you mean diarize?",
    ],
    [
      "a mistyped source",
      { ulr: url },
      "unknown_field",
      "#/ulr There is no field ulr here; did you mean url?",
    ],
    [
      "our own spelling",
      { url, translateTo: "de" },
      "unknown_field",
      "#/translateTo There is no field translateTo here; did you mean translate_to?",
    ],
    ["something else", { url, webhook: "x" }, "unknown_field", "#/webhook There is no field webhook here"],
    [
      "a mistyped inner field",
      { url, diarize: true, speakers: { mim: 1 } },
      "unknown_field",
      "#/speakers/mim There is no field mim here; did you mean min?",
    ],
    [
      "a text without words",
      { url, transcript_text: " \n… " },
      "invalid_request",
      "#/transcript_text transcript_text has no words",
    ],
    [
      "an empty text",
      { url, transcript_text: "" },
      "invalid_request",
      "#/transcript_text Expected a text of 1 to 500000 characters",
    ],
    [
      "a text that is too long",
      { url, transcript_text: "a".repeat(500_001) },
      "invalid_request",
      "#/transcript_text Expected a text of 1 to 500000 characters",
    ],
    [
      "a text and a quality",
      { url, transcript_text: "Good morning.", quality: "accurate" },
      "invalid_request",
      "#/quality quality is of no use with transcript_text: its words are aligned, not recognized",
    ],
    [
      "a text and a vocabulary",
      { url, transcript_text: "Good morning.", vocabulary: ["Ann"] },
      "invalid_request",
      "#/vocabulary vocabulary is of no use with transcript_text: its words are aligned, not recognized",
    ],
    [
      "an engine",
      { url, transcript_text: "Good morning.", engine: "whisper" },
      "unknown_field",
      "#/engine There is no field engine here",
    ],
    [
      "guid and index",
      { url, episode_guid: "g", episode_index: 0 },
      "invalid_request",
      "#/episode_index Give episode_guid or episode_index, not both",
    ],
    [
      "an episode of a blob",
      { blob_url: "https://a.example/b", episode_index: 0 },
      "invalid_request",
      "#/episode_index An episode can be chosen only in a feed, given as url or media_ref",
    ],
    [
      "a negative index",
      { url, episode_index: -1 },
      "invalid_request",
      "#/episode_index Expected a whole number from 0 to 1000000",
    ],
    [
      "half an index",
      { url, episode_index: 0.5 },
      "invalid_request",
      "#/episode_index Expected a whole number from 0 to 1000000",
    ],
    ["an empty url", { url: "" }, "invalid_request", "#/url Expected a text of 1 to 8192 characters"],
    ["a url that is no text", { url: 5 }, "invalid_request", "#/url Expected a text"],
    [
      "a quality of another kind",
      { url, quality: "best" },
      "invalid_request",
      '#/quality Expected "fast" or "accurate"',
    ],
    ["text for a boolean", { url, diarize: "true" }, "invalid_request", "#/diarize Expected true or false"],
    [
      "no language",
      { url, language: "English please" },
      "invalid_request",
      "#/language Expected an ISO language code such as en or pt-BR",
    ],
    [
      "min above max",
      { url, diarize: true, speakers: { min: 3, max: 2 } },
      "invalid_request",
      "#/speakers/max max is less than min",
    ],
    [
      "no speakers at all",
      { url, diarize: true, speakers: { min: 0 } },
      "invalid_request",
      "#/speakers/min Expected a whole number from 1 to 32",
    ],
    [
      "speakers without diarize",
      { url, speakers: { max: 2 } },
      "invalid_request",
      "#/speakers speakers is of use only with diarize: true",
    ],
    [
      "an end before its start",
      { url, start_at: 5, end_at: 5 },
      "invalid_request",
      "#/end_at end_at must come after start_at",
    ],
    [
      "a negative start",
      { url, start_at: -1 },
      "invalid_request",
      "#/start_at Expected seconds from 0 to 10000000",
    ],
    [
      "too many terms",
      { url, vocabulary: Array.from({ length: 201 }, () => "a") },
      "invalid_request",
      "#/vocabulary Expected at most 200 terms",
    ],
    [
      "an empty term",
      { url, vocabulary: ["a", ""] },
      "invalid_request",
      "#/vocabulary/1 Expected a text of 1 to 100 characters",
    ],
    [
      "much metadata",
      { url, metadata: { a: "ä".repeat(8192) } },
      "invalid_request",
      "#/metadata Expected an object of at most 16384 bytes of JSON",
    ],
    ["metadata that is a list", { url, metadata: [] }, "invalid_request", "#/metadata Expected an object"],
    [
      "no retention",
      { url, delete_after_seconds: 0 },
      "invalid_request",
      "#/delete_after_seconds Expected a whole number from 1 to 315360000",
    ],
    [
      "a long title",
      { url, title: "a".repeat(301) },
      "invalid_request",
      "#/title Expected a text of 1 to 300 characters",
    ],
    ["a list", [], "invalid_request", "# Expected an object"],
    ["nothing", null, "invalid_request", "# Expected an object"],
    [
      "a NUL",
      { url: "a\0b" },
      "invalid_request",
      "#/url The text holds a NUL character or half a surrogate pair",
    ],
    [
      "half a pair",
      { url, metadata: { a: ["\ud800"] } },
      "invalid_request",
      "#/metadata/a/0 The text holds a NUL character or half a surrogate pair",
    ],
    [
      "half a pair in a name",
      { url, metadata: { "\udc00": 1 } },
      "invalid_request",
      "#/metadata The name of a field holds a NUL character or half a surrogate pair",
    ],
    [
      "a constructor",
      { url, metadata: { constructor: 1 } },
      "unknown_field",
      "#/metadata/constructor A field may not be called constructor",
    ],
    [
      "a prototype",
      JSON.parse(`{"url": "${url}", "__proto__": {}}`),
      "unknown_field",
      "#/__proto__ A field may not be called __proto__",
    ],
    [
      "a number that is none",
      { url, metadata: { a: Number.NaN } },
      "invalid_request",
      "#/metadata/a The value cannot be written as JSON",
    ],
  ])("is refused with %s", (_what, body, code, problem) => {
    assert.deepStrictEqual(refused(body), [code, problem])
  })

  it("names every problem at once", () => {
    assert.deepStrictEqual(refused({ url: 1, quality: "x", diarise: 1, "a/b~": 1 }), [
      "unknown_field",
      "#/diarise There is no field diarise here; did you mean diarize?",
      "#/a~1b~0 There is no field a/b~ here",
      "#/url Expected a text",
      '#/quality Expected "fast" or "accurate"',
    ])
  })

  it("may nest 64 levels and no more", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))
    assert.isTrue(Either.isRight(decodeCreate({ url, metadata: { a: nested(62) } })))
    assert.match(refused({ url, metadata: { a: nested(63) } }).join(), /deeper than 64/)
    assert.match(refused({ url, metadata: { a: nested(100_000) } }).join(), /deeper than 64/)
  })

  it("may hold the largest metadata, and no flood of values", () => {
    assert.isTrue(
      Either.isRight(decodeCreate({ url, metadata: { a: Array.from({ length: 8000 }, () => 1) } })),
    )
    assert.deepStrictEqual(refused({ url, vocabulary: Array.from({ length: 20_000 }, () => "a") }), [
      "invalid_request",
      "#/vocabulary/9997 The request holds too many values",
    ])
  })

  it("answers at once whatever the size of the mistake", () => {
    const names = Array.from({ length: 60_000 }, (_, index) => [`diarise${index}`, 1])
    const bodies = [
      Object.fromEntries(names.slice(0, 9000)),
      Object.fromEntries(names),
      { url: "a".repeat(1_000_000) },
      { [`${"a".repeat(1_000_000)}!`]: 1 },
      { url, vocabulary: Array.from({ length: 200_000 }, () => "") },
      { url, metadata: Object.fromEntries(names) },
      { url, language: `${"a-".repeat(500_000)}!` },
    ]
    for (const body of bodies) {
      const started = cpuMilliseconds()
      const invalid = refusal(body)
      assert.isBelow(cpuMilliseconds() - started, 2000)
      assert.isAtMost(invalid?.problems.length ?? 99, 20)
      assert.isBelow(JSON.stringify(invalid?.problems).length, 10_000)
    }
  })

  it.prop("never throws", { body: FastCheck.anything() }, ({ body }) => {
    const result = decodeCreate(body)
    assert.isTrue(Either.isLeft(result))
  })
})
