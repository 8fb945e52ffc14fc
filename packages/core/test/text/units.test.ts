import { cleanText, hasUnspaced, joinUnits, splitUnits } from "@earmark/core/text"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"

it("joins with a space where the script has one", () => {
  assert.strictEqual(joinUnits(["one", "two"]), "one two")
  assert.strictEqual(joinUnits(["今日", "は"]), "今日は")
  assert.strictEqual(joinUnits(["今日", "。", "「", "東京", "」"]), "今日。「東京」")
  assert.strictEqual(joinUnits(["สวัสดี", "ครับ"]), "สวัสดีครับ")
  assert.strictEqual(joinUnits(["ที่", "นี่"]), "ที่นี่")
  assert.strictEqual(joinUnits(["한국어", "문장"]), "한국어 문장")
  assert.strictEqual(joinUnits(["Node", "は"]), "Node は")
  assert.strictEqual(joinUnits(["", "a", "", "b"]), "a b")
})

describe("units of a text", () => {
  it("end at spaces, and keep them", () => {
    assert.deepStrictEqual(splitUnits("well,  I know "), ["well,  ", "I ", "know "])
    assert.deepStrictEqual(splitUnits("한국어 문장"), ["한국어 ", "문장"])
    assert.deepStrictEqual(splitUnits(""), [])
  })

  it("hold punctuation that stands alone", () => {
    assert.deepStrictEqual(splitUnits("Bonjour ! « vu » oui"), ["Bonjour ! ", "« vu » ", "oui"])
  })

  it("are words in Japanese, and no line can begin or end with the wrong character", () => {
    const text = "今日は「東京タワー」に行って、友達とラーメンを食べた。ちょっと楽しみ！"
    const units = splitUnits(text, "ja")
    assert.strictEqual(units.join(""), text)
    assert.isAbove(units.length, 8)
    for (const unit of units) {
      assert.notMatch(unit, /^[、。！？」』）ーっゃゅょッャュョ]/u)
      assert.notMatch(unit, /[「『（]$/u)
    }
  })

  it("keep the real spaces of Thai", () => {
    const text = "สวัสดีครับ วันนี้เราจะมาพูดคุยกัน"
    const units = splitUnits(text, "th")
    assert.strictEqual(units.join(""), text)
    assert.isAbove(units.length, 3)
    assert.isTrue(units.some((unit) => unit.endsWith(" ")))
  })

  it("leave Latin words in Japanese whole", () => {
    assert.include(splitUnits("最新のC++とNode.jsを使う", "ja"), "C++")
  })

  it.prop("put side by side are the text", [FastCheck.string({ unit: "binary" })], ([text]) => {
    assert.strictEqual(splitUnits(text).join(""), text)
  })

  it("are found in a long text in linear time", () => {
    const text = "今日は良い天気です。".repeat(20_000)
    const units = splitUnits(text, "ja")
    assert.strictEqual(units.join(""), text)
  })
})

it("knows scripts without spaces", () => {
  assert.isTrue(hasUnspaced("ok 今"))
  assert.isTrue(hasUnspaced("ไทย"))
  assert.isFalse(hasUnspaced("한국어 и русский"))
})

it("cleans text: one line, single spaces, no control character, no half of a character", () => {
  assert.strictEqual(cleanText(" a\r\nb\u0085c\u2028\u00a0d\t "), "a b c d")
  assert.strictEqual(cleanText("a\u0000b \u0007 c\u001b[0m"), "ab c[0m")
  assert.strictEqual(cleanText("x\ud800y 😀"), "x\ufffdy 😀")
  assert.strictEqual(cleanText(" \u0000 "), "")
  assert.strictEqual(cleanText("今日 は"), "今日 は")
})
