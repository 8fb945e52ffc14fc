import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fold, piecesAmong, piecesOf } from "../../src/text/fold.js"

const sign = FastCheck.constantFrom(..."abcxyz019 \n'-.,äßéжщ日本ा")
const text = FastCheck.string({ unit: sign, maxLength: 60 })

describe("piecesAmong", () => {
  it("finds those of some words that are pieces of a text, in plain text and in any other", () =>
    FastCheck.assert(
      FastCheck.property(text, FastCheck.array(text, { maxLength: 5 }), (original, others) => {
        const folded = fold(original)
        const pieces = piecesOf(folded).map((piece) => piece.text)
        const wanted = new Set([...pieces.filter((_, index) => index % 2 === 0), ...others.map(fold), "abc"])
        const expected = [...wanted].filter((word) => pieces.includes(word))
        assert.sameMembers([...piecesAmong(folded, wanted)], expected)
      }),
    ))

  it("takes a word for no piece of a longer one", () =>
    assert.deepStrictEqual(
      piecesAmong("the cats sat\non a cat", new Set(["cat", "at", "on"])),
      new Set(["cat", "on"]),
    ))
})
