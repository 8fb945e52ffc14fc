import { acceptsCaptions, type CaptionsFacts, captionsRefusals, effectiveOptions } from "@earmark/core/jobs"
import { decodeCreate } from "@earmark/core/wire"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"

const asked = (body: object) =>
  effectiveOptions(Either.getOrThrow(decodeCreate({ url: "https://media.example/a.mp3", ...body })))

describe("effective options", () => {
  it("are all there, false and accurate by default", () => {
    assert.deepStrictEqual(asked({}), {
      language: null,
      diarize: false,
      summary: false,
      chapters: false,
      translateTo: null,
      quality: "accurate",
      qualityExplicit: false,
      speakers: null,
      vocabulary: [],
      startAt: null,
      endAt: null,
    })
  })

  it("remember whether somebody asked for the quality", () => {
    assert.deepInclude(asked({ quality: "accurate" }), { quality: "accurate", qualityExplicit: true })
    assert.deepInclude(effectiveOptions({}, { quality: "fast" }), { quality: "fast", qualityExplicit: false })
  })
})

const good: CaptionsFacts = {
  origin: "publisher",
  language: "en",
  mediaLanguage: "en-US",
  only: true,
  hasSpeakers: false,
  inOrder: true,
  lastCueEnd: 590_000,
  duration: 600_000,
  words: 1500,
  bytes: 40_000,
}

describe("captions instead of recognition", () => {
  it("are fine when they are made by people, in the language, whole, and nothing asked needs sound", () => {
    assert.isTrue(acceptsCaptions(asked({}), good))
    assert.isTrue(acceptsCaptions(asked({ summary: true, chapters: true, translate_to: "de" }), good))
  })

  it.each<[string, object, Partial<CaptionsFacts>, ReadonlyArray<string>]>([
    ["an upload", {}, { origin: "upload" }, []],
    ["an embedded track", {}, { origin: "embedded" }, []],
    ["an automatic track", { quality: "fast" }, { origin: "automatic" }, ["automatic"]],
    ["a machine translation", {}, { origin: "machine_translated" }, ["machine_translated"]],
    ["the language asked for", { language: "en-GB" }, {}, []],
    ["another region than asked for", { language: "en-GB" }, { language: "en-US" }, ["other_language"]],
    ["another language than asked for", { language: "de" }, {}, ["other_language"]],
    ["no known language when one is asked for", { language: "en" }, { language: null }, ["other_language"]],
    ["another language than the media", {}, { language: "de" }, ["other_language"]],
    ["an unknown language, the only track", {}, { language: null }, []],
    ["an unknown language, one of many", {}, { language: null, only: false }, ["other_language"]],
    ["media of unknown language, one of many", {}, { mediaLanguage: null, only: false }, ["other_language"]],
    ["no speakers when asked for", { diarize: true }, {}, ["no_speakers"]],
    ["speakers when asked for", { diarize: true }, { hasSpeakers: true }, []],
    ["accurate asked for", { quality: "accurate" }, {}, ["accurate_asked"]],
    ["fast asked for", { quality: "fast" }, {}, []],
    ["no times", {}, { inOrder: false }, ["no_times"]],
    ["exactly four fifths", {}, { lastCueEnd: 480_000 }, []],
    ["less than four fifths", {}, { lastCueEnd: 479_999 }, ["incomplete"]],
    ["five seconds more than the media", {}, { lastCueEnd: 605_000 }, []],
    ["more than that", {}, { lastCueEnd: 605_001 }, ["longer_than_media"]],
    ["media of unknown length", {}, { duration: null, lastCueEnd: 100_000 }, []],
    ["20 words a minute", {}, { words: 200 }, []],
    ["fewer words", {}, { words: 199 }, ["too_few_words"]],
    ["nothing in it", {}, { duration: null, lastCueEnd: 0, words: 0 }, ["too_few_words"]],
    ["5 MB", {}, { bytes: 5 * 1024 * 1024 }, []],
    ["more than 5 MB", {}, { bytes: 5 * 1024 * 1024 + 1 }, ["too_large"]],
    ["two reasons", { diarize: true }, { inOrder: false }, ["no_speakers", "no_times"]],
  ])("%s", (_case, body, change, expected) => {
    const facts = { ...good, ...change }
    assert.deepStrictEqual(captionsRefusals(asked(body), facts, { allowAutomatic: false }), expected)
  })

  it("automatic ones need the operator's switch and quality fast", () => {
    const facts: CaptionsFacts = { ...good, origin: "automatic" }
    assert.isTrue(acceptsCaptions(asked({ quality: "fast" }), facts, { allowAutomatic: true }))
    assert.isFalse(acceptsCaptions(asked({}), facts, { allowAutomatic: true }))
    assert.isFalse(acceptsCaptions(asked({ quality: "fast" }), facts))
  })
})
