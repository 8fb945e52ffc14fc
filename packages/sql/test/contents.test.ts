import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { encodeContent, linesOf } from "../src/stores/contents.js"

const lines = [
  { start: 0, end: 900, speaker: "Ann", text: 'So it "goes"\u2028', words: [] },
  { start: 900, end: 1800, speaker: null, text: "", words: [] },
]

describe("lines of a transcript", () => {
  it.effect("come back from the columns that they are stored in", () =>
    Effect.gen(function* () {
      const { segments } = yield* encodeContent({
        language: null,
        text: "",
        segments: lines,
        summary: null,
        chapters: null,
        translation: null,
      })
      assert.deepStrictEqual(linesOf(JSON.parse(segments)), lines)
    }),
  )

  it("are read where they were stored as a list", () => {
    const listed = lines.map(({ start, end, speaker, text }) => ({ start, end, speaker, text }))
    assert.deepStrictEqual(linesOf(listed), lines)
  })
})
