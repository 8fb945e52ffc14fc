import { cleanText, joinUnits } from "@earmark/core/text"
import { spreadWords } from "@earmark/core/transcripts"
import { assert, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"

const spread = (text: string, start = 0, end = 1_000) => spreadWords({ start, end, speaker: "Ann", text })

it("gives each word a share of the time, by its characters and the space behind it", () => {
  assert.deepStrictEqual(
    spread(" I see  everything ", 1_000, 2_700).map(({ text, start, end }) => [text, start, end]),
    [
      ["I", 1_000, 1_200],
      ["see", 1_200, 1_600],
      ["everything", 1_600, 2_700],
    ],
  )
  assert.deepStrictEqual(
    spread("👨‍👩‍👧‍👦 e\u0301").map(({ start, end }) => [start, end]),
    [
      [0, 500],
      [500, 1_000],
    ],
  )
  assert.deepStrictEqual(spread("ok")[0], {
    text: "ok",
    start: 0,
    end: 1_000,
    confidence: null,
    speaker: "Ann",
  })
})

it("makes no words of no text, and no negative time", () => {
  assert.deepStrictEqual(spread(" \n "), [])
  assert.deepStrictEqual(
    spread("a b", 500, 100).map(({ start, end }) => [start, end]),
    [
      [500, 500],
      [500, 500],
    ],
  )
})

it("keeps spaces that joining would not put back inside a word", () => {
  assert.deepStrictEqual(
    spread("สวัสดี ครับ ok 今日 は").map(({ text }) => text),
    ["สวัสดี ครับ", "ok", "今日 は"],
  )
})

const piece = FastCheck.constantFrom(
  "a",
  "word.",
  "今日",
  "は。",
  "「",
  "ไทย",
  "ที่",
  "한국",
  "👨‍👩‍👧‍👦",
  "é",
  " ",
  "  ",
  "、",
)

it.prop("joined again the words are the text", [FastCheck.array(piece, { maxLength: 40 })], ([pieces]) => {
  const text = pieces.join("")
  assert.strictEqual(joinUnits(spread(text).map((word) => word.text)), cleanText(text))
})
