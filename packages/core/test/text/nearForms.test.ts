import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fold, isPlain, piecesOf } from "../../src/text/fold.js"
import { nearFormsAmong, nearFormsInQuery } from "../../src/text/nearForms.js"

const nearTo = (word: string) => nearFormsInQuery()(word)
const among = (text: string, word: string) => {
  const folded = fold(text)
  return nearFormsAmong(folded, word, nearTo(word), isPlain(folded))
}

const sign = FastCheck.constantFrom(..."abcxyz019 \n'-.,äßéжщ日本ा")
const text = FastCheck.string({ unit: sign, maxLength: 60 })
const word = FastCheck.string({ unit: FastCheck.constantFrom(..."abc"), minLength: 5, maxLength: 8 })

describe("nearFormsAmong", () => {
  it("finds the near forms that are words of a text, in plain text and in any other", () =>
    FastCheck.assert(
      FastCheck.property(word, text, text, FastCheck.nat(), (asked, before, after, which) => {
        const forms = [...nearTo(asked)]
        const some = [0, 1, 2].map((step) => forms[(which + step * 37) % forms.length])
        const original = `${before} ${some.join(", ")} ${after}`
        const pieces = piecesOf(fold(original)).map((piece) => piece.text)
        assert.deepStrictEqual(
          among(original, asked),
          forms.filter((form) => pieces.includes(form)),
        )
      }),
      { numRuns: 1000 },
    ))

  it("finds every form of a word, wherever the slip is", () => {
    for (const asked of ["garden", "gardens"]) {
      const forms = [...nearTo(asked)]
      for (const form of forms) assert.deepStrictEqual(among(`a ${form}.`, asked), [form])
      assert.deepStrictEqual(among(forms.join(" "), asked), forms)
    }
  })

  it("takes a word for no part of a longer one", () =>
    assert.deepStrictEqual(among("two kettlers and unkettle", "kettle"), []))
})
