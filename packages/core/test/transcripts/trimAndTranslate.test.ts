import { alignTranslation, assemble, trim, wordCountOf } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { said } from "./saidWords.js"

describe("trim", () => {
  const transcript = assemble({
    language: null,
    duration: 10_000,
    words: said("a b c d e f 2000 g h", 0, 1000),
  })

  it("keeps the words whose middle is inside, at the times of the media", () => {
    const { segments } = trim(transcript, { start: 1400, end: 4500 })
    assert.deepStrictEqual(
      segments.map(({ text, start, end }) => [text, start, end]),
      [["b c d", 1400, 4000]],
    )
  })

  it.prop(
    "two adjoining parts hold every word once",
    { at: fc.integer({ min: 0, max: 10_000 }) },
    ({ at }) => {
      const count =
        wordCountOf(trim(transcript, { end: at }).segments) +
        wordCountOf(trim(transcript, { start: at }).segments)
      assert.strictEqual(count, 8)
    },
  )
})

describe("translation", () => {
  const source = assemble({ language: "en", duration: 9000, words: said("Good morning. 2000 Goodbye.") })

  it("has the times and speakers of its source, segment for segment", () => {
    const { transcript, untranslated } = Either.getOrThrow(
      alignTranslation(source, "de", [" Guten Morgen. ", null]),
    )
    assert.strictEqual(transcript.language, "de")
    assert.deepStrictEqual(untranslated, [1])
    assert.deepStrictEqual(
      transcript.segments.map(({ start, end, text, words }) => [start, end, text, words.length]),
      source.segments.map(({ start, end }, index) => [start, end, ["Guten Morgen.", "Goodbye."][index], 0]),
    )
  })

  it("is refused when a text is missing or too many", () => {
    const result = alignTranslation(source, "de", ["Guten Morgen."])
    assert.isTrue(Either.isLeft(result) && result.left._tag === "TranslationMisaligned")
  })
})
