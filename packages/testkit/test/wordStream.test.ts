import { seededRandom, sentences, wordStream } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"

describe("sentences", () => {
  it("have 4 to 32 words, begin with a capital or a number and end with a mark", () => {
    for (const text of sentences(500, seededRandom(1))) {
      assert.match(text, /^[\p{Lu}\d].*[.?]$/u)
      assert.isTrue(text.split(" ").length >= 4 && text.split(" ").length <= 32)
    }
  })
})

describe("a stream of words", () => {
  const words = wordStream({ words: 20_000 })

  it("is the same for the same options, another for another seed", () => {
    assert.strictEqual(words.length, 20_000)
    assert.deepStrictEqual(wordStream({ words: 500 }), words.slice(0, 500))
    assert.notDeepEqual(wordStream({ words: 500, seed: 8 }), words.slice(0, 500))
  })

  it("runs at the pace of talk, with pauses and three speakers", () => {
    const minutes = (words.at(-1)?.end ?? 0) / 60_000
    assert.isTrue(words.length / minutes > 120 && words.length / minutes < 180)
    assert.deepStrictEqual([...new Set(words.map((word) => word.speaker))].sort(), [
      "Speaker 1",
      "Speaker 2",
      "Speaker 3",
    ])
  })

  it("has the faults it is asked for, and none when asked for none", () => {
    const instant = (stream: typeof words) => stream.filter((word) => word.end === word.start).length
    const overlapping = (stream: typeof words) =>
      stream.filter((word, index) => word.start < (stream[index - 1]?.end ?? 0)).length
    assert.isAbove(instant(words), 100)
    assert.isAbove(overlapping(words), 100)
    const clean = wordStream({ words: 5_000, faults: 0, crosstalk: 0 })
    assert.strictEqual(instant(clean), 0)
    assert.strictEqual(overlapping(clean), 0)
  })
})
