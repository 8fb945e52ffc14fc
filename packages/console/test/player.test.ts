import { assert, describe, it } from "@effect/vitest"
import { momentAt, rateBeside, resumedAt, shownAt, spokenAt } from "../src/player/placing.js"
import { barsOf, columnsOf, shareOf, turnsOf } from "../src/timeline/geometry.js"
import { doubtBeside, doubtsIn } from "../src/transcript/doubts.js"
import { beforeNext } from "../src/transcript/findings.js"

const words = [
  { offset: 0, length: 4, start: 1000, end: 1300, confidence: 0.9 },
  { offset: 5, length: 0, start: 1300, end: 1500, confidence: 0.2 },
  { offset: 5, length: 3, start: 1600, end: 2000, confidence: 0.3 },
  { offset: 9, length: 5, start: 2500, end: 3000, confidence: null },
]

describe("placing", () => {
  it("finds the word of a moment, and the moment of a word", () => {
    assert.strictEqual(spokenAt(words, 999), null)
    assert.deepStrictEqual(spokenAt(words, 1000), [0, 4])
    assert.strictEqual(spokenAt(words, 1400), null, "a word that the line does not hold")
    // In the pause after a word it is still that word.
    assert.deepStrictEqual(spokenAt(words, 2400), [5, 8])
    assert.deepStrictEqual(spokenAt(words, 9000), [9, 14])
    assert.strictEqual(spokenAt([], 1000), null)
    assert.strictEqual(momentAt(words, 0), 1000)
    assert.strictEqual(momentAt(words, 7), 1600)
    assert.strictEqual(momentAt(words, 100), 2500)
    assert.strictEqual(momentAt([], 3), null)
  })

  it("shows the whole length at the end, and each moment before it as it is", () => {
    assert.strictEqual(shownAt(74.6, 74.6), 75)
    assert.strictEqual(shownAt(74.599999, 74.6), 75)
    assert.strictEqual(shownAt(74.4, 74.6), 74.4)
    assert.strictEqual(shownAt(74.4, 74.4), 74)
    assert.strictEqual(shownAt(0, 0), 0)
  })

  it("steps between speeds, and a little back after a pause", () => {
    assert.strictEqual(rateBeside(1, 1), 1.25)
    assert.strictEqual(rateBeside(1, -1), 0.75)
    assert.strictEqual(rateBeside(3, 1), 3)
    assert.strictEqual(rateBeside(0.5, -1), 0.5)
    assert.strictEqual(rateBeside(1.1, 1), 1.25)
    assert.strictEqual(resumedAt(10), 8)
    assert.strictEqual(resumedAt(1), 0)
  })
})

describe("the timeline", () => {
  it("has a bar of the loudest point in each column, also where there are few points or none", () => {
    assert.deepStrictEqual(barsOf(Uint8Array.of(0, 50, 100, 25), 2), [0.5, 1])
    assert.deepStrictEqual(barsOf(Uint8Array.of(200), 3), [1, 1, 1])
    assert.deepStrictEqual(barsOf(new Uint8Array(), 2), [0, 0])
  })

  it("places stretches in columns, each of at least one, and none outside", () => {
    assert.deepStrictEqual(columnsOf({ start: 10, end: 20 }, 100, 50), [5, 10])
    assert.deepStrictEqual(columnsOf({ start: 10, end: 10 }, 100, 50), [5, 6])
    assert.deepStrictEqual(columnsOf({ start: 200, end: 300 }, 100, 50), [49, 50])
    assert.strictEqual(shareOf(5, 0), 0)
    assert.strictEqual(shareOf(-1, 10), 0)
  })

  it("joins lines of one speaker", () => {
    const turns = turnsOf([
      { start: 0, end: 2, speaker: "A" },
      { start: 2, end: 5, speaker: "A" },
      { start: 5, end: 6, speaker: null },
    ])
    assert.deepStrictEqual(turns, [
      { start: 0, end: 5, speaker: "A" },
      { start: 5, end: 6, speaker: null },
    ])
  })
})

describe("doubts", () => {
  it("are words that the line holds and the engine was not sure of", () => {
    const { found, moments } = doubtsIn([[], words])
    assert.deepStrictEqual(found, [{ line: 1, ranges: [[5, 8]] }])
    assert.deepStrictEqual(moments, [1.6])
    assert.strictEqual(doubtBeside(moments, 0, 1), 1.6)
    assert.strictEqual(doubtBeside(moments, 1.6, 1), null)
    assert.strictEqual(doubtBeside(moments, 2, -1), 1.6)
  })

  it("the next finding is played from before it, and after the last comes the first", () => {
    const at = (start: number) => ({ kind: "gap" as const, start, end: start + 1, detail: "" })
    assert.strictEqual(beforeNext([at(1), at(30)], 0), 28)
    assert.strictEqual(beforeNext([at(10), at(30)], 0), 8)
    assert.strictEqual(beforeNext([at(10), at(30)], 8), 28)
    assert.strictEqual(beforeNext([at(10), at(30)], 40), 8)
    assert.strictEqual(beforeNext([], 0), null)
  })
})
