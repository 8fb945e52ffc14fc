import { assert, describe, it } from "@effect/vitest"
import { PHONES, phonesOf } from "../../src/alignment/phones.js"
import { spokenWords } from "../../src/alignment/spokenWords.js"

const said = (text: string) => spokenWords(text).join(" ")
const sounds = (text: string) =>
  phonesOf(text)
    .map((phone) => PHONES[phone])
    .join(" ")

describe("words as they are said", () => {
  it("numbers, years, ordinals, prices, shares and abbreviations", () => {
    const expected: ReadonlyArray<readonly [string, string]> = [
      ["7", "seven"],
      ["42,", "forty two"],
      ["100", "one hundred"],
      ["12,250", "twelve thousand two hundred fifty"],
      ["1999", "nineteen ninety nine"],
      ["1905", "nineteen o five"],
      ["2000", "two thousand"],
      ["3.14", "three point one four"],
      ["50%", "fifty percent"],
      ["$5", "five dollars"],
      ["€1,000.50", "one thousand point five zero euros"],
      ["mp3", "mp three"],
      ["007", "zero zero seven"],
      ["R&D", "r and d"],
      ["U.S.A.", "usa"],
      ["it’s", "it's"],
      ["‘quoted’", "quoted"],
      ["naïve", "naive"],
      ["Straße", "strasse"],
      ["Москва", "moskva"],
      ["twenty-one", "twenty one"],
    ]
    for (const [written, spoken] of expected) assert.strictEqual(said(written), spoken, written)
  })

  it("what has no letters and no digits is not said", () => {
    for (const text of ["", " ", "—", "♪", "...", "'", "()"])
      assert.deepStrictEqual(spokenWords(text), [], text)
  })

  it("endless words are looked at in parts", () => {
    const parts = spokenWords("a".repeat(1000))
    assert.isAtMost(Math.max(...parts.map((part) => part.length)), 30)
    assert.strictEqual(parts.join("").length, 1000)
  })
})

describe("words as they sound", () => {
  it("by heart, by rules and letter by letter", () => {
    const expected: ReadonlyArray<readonly [string, string]> = [
      ["one", "W AH N"],
      ["nation", "N EY SH AH N"],
      ["knight", "N AY T"],
      ["walked", "W AO K T"],
      ["running", "R AH N IH NG"],
      ["phone", "F OW N"],
      ["BBC", "B IY B IY S IY"],
      ["R&D", "AA R AE N D D IY"],
      ["2", "T UW"],
    ]
    for (const [word, phones] of expected) assert.strictEqual(sounds(word), phones, word)
  })

  it("letters that no rule knows are silent", () => {
    assert.deepStrictEqual(phonesOf("世界"), [])
    assert.deepStrictEqual(phonesOf("—"), [])
  })
})
