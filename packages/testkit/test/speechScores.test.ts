import { assert, describe, it } from "@effect/vitest"
import { diarizationErrors, shareWithin, startErrors } from "../src/index.js"

const said = (text: string, ...starts: ReadonlyArray<number>) =>
  text.split(" ").map((word, at) => ({ text: word, start: starts[at] ?? 0 }))

describe("word times", () => {
  it("only words that were heard rightly count", () => {
    const errors = startErrors(
      said("so it goes on", 0, 100, 200, 300),
      said("So, hit goes on.", 10, 999, 150, 900),
    )
    assert.deepStrictEqual(errors, [10, 50, 600])
    assert.strictEqual(shareWithin(errors, 50), 2 / 3)
  })

  it("a word that is missing or made up does not shift the others", () => {
    const errors = startErrors(said("a b c d e", 0, 10, 20, 30, 40), said("x a b c e", 5, 0, 10, 21, 40))
    assert.deepStrictEqual(errors, [0, 0, 0, 1])
  })
})

describe("who speaks when", () => {
  it("each of several who speak at once counts", () => {
    const reference = [
      { start: 0, end: 2000, speaker: "Ann" },
      { start: 1000, end: 2000, speaker: "Ben" },
    ]
    const found = [{ start: 0, end: 2000, speaker: "1" }]
    const { rate, missed, falseAlarm, confused, speakers } = diarizationErrors(reference, found, 0)
    assert.deepStrictEqual([missed, falseAlarm, confused, speakers], [1 / 3, 0, 0, 1])
    assert.strictEqual(rate, 1 / 3)
  })
})
