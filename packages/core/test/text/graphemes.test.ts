import { cellWidth, countGraphemes, graphemes } from "@earmark/core/text"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"

describe("width in cells and number of characters", () => {
  const cases: ReadonlyArray<readonly [string, string, number, number]> = [
    ["nothing", "", 0, 0],
    ["ASCII", "Hello, you!", 11, 11],
    ["precomposed Latin", "Čeština über", 12, 12],
    ["a combining accent", "e\u0301a", 2, 2],
    ["a mark alone", "\u0301", 0, 1],
    ["Cyrillic", "привет", 6, 6],
    ["Han", "今日", 4, 2],
    ["full-width Latin and punctuation", "Ａ、", 4, 2],
    ["half-width kana", "ｱｲｳ", 3, 3],
    ["half-width kana with a voicing mark", "ｶﾞ", 2, 1],
    ["kana with a combining voicing mark", "か\u3099", 2, 1],
    ["Hangul syllables", "한국", 4, 2],
    ["Hangul letters that join", "\u1112\u1161\u11ab", 2, 1],
    ["an emoji", "😀", 2, 1],
    ["a joined family", "👨‍👩‍👧‍👦", 2, 1],
    ["a skin tone", "👍🏽", 2, 1],
    ["a flag", "🇯🇵", 2, 1],
    ["a keycap", "1️⃣", 2, 1],
    ["a heart made emoji", "❤️", 2, 1],
    ["Thai with marks above", "ที่", 1, 1],
    ["Devanagari with a vowel sign", "कि", 1, 1],
    ["Arabic with a vowel mark", "كَ", 1, 1],
    ["a character beyond the first plane", "𠀀", 2, 1],
    ["soft hyphen, zero-width space", "a\u00ad\u200bb", 2, 4],
  ]
  for (const [name, text, cells, characters] of cases) {
    it(name, () => {
      assert.strictEqual(cellWidth(text), cells)
      assert.strictEqual(countGraphemes(text), characters)
      assert.strictEqual(graphemes(text).length, characters)
    })
  }
})

it.prop(
  "graphemes side by side are the text, and their widths its width",
  [FastCheck.string({ unit: "binary" })],
  ([text]) => {
    const parts = graphemes(text)
    assert.strictEqual(parts.join(""), text)
    assert.strictEqual(parts.length, countGraphemes(text))
    assert.strictEqual(
      parts.reduce((cells, part) => cells + cellWidth(part), 0),
      cellWidth(text),
    )
  },
)

const whole = new Intl.Segmenter("und", { granularity: "grapheme" })

it.prop(
  "counts as a segmenter does that sees the whole text",
  [FastCheck.string({ unit: "binary" })],
  ([text]) => {
    assert.strictEqual(countGraphemes(text), Array.from(whole.segment(text)).length)
  },
)

it("tears no grapheme where a long text is cut for the segmenter", () => {
  const family = "👨‍👩‍👧‍👦"
  for (let before = 0; before < 30; before++) {
    const text = "x".repeat(before) + family.repeat(200)
    assert.strictEqual(countGraphemes(text), before + 200)
  }
})
