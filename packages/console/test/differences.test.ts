import { assert, describe, it } from "@effect/vitest"
import { differencesOf, undosBackTo } from "../src/transcript/differences.js"

const line = (text: string, start = 0, speaker: string | null = null) => ({
  start,
  end: start + 1,
  speaker,
  text,
})
const lines = (texts: string) => [...texts].map((text, at) => line(text, at))

const shown = (before: string, after: string) =>
  differencesOf(
    [...before].map((text) => line(text)),
    [...after].map((text) => line(text)),
  ).map(({ removed, added }) => [
    removed.map(({ text }) => text).join(""),
    added.map(({ text }) => text).join(""),
  ])

describe("differences of two versions", () => {
  it("are the lines that were changed, split, joined, or moved in time", () => {
    assert.deepStrictEqual(shown("abc", "abc"), [])
    assert.deepStrictEqual(shown("abc", "axc"), [["b", "x"]])
    assert.deepStrictEqual(shown("abc", "axyc"), [["b", "xy"]])
    assert.deepStrictEqual(shown("abcd", "axd"), [["bc", "x"]])
    assert.deepStrictEqual(shown("abc", "abcd"), [["", "d"]])
    assert.deepStrictEqual(shown("abcde", "xbcdy"), [
      ["a", "x"],
      ["e", "y"],
    ])
    assert.lengthOf(differencesOf([line("a", 0)], [line("a", 0.5)]), 1)
    assert.lengthOf(differencesOf([line("a", 0, "Ann")], [line("a", 0, "Ben")]), 1)
  })

  it("take milliseconds for ten hours in which every tenth line was corrected", () => {
    const before = lines("a".repeat(15_000))
    const after = before.map((each, at) => (at % 10 === 0 ? { ...each, text: "b" } : each))
    assert.lengthOf(differencesOf(before, after), 1500)
  })
})

describe("going back to a revision", () => {
  it("undoes what came after it, newest first, and nothing that is undone", () => {
    const plain = (revision: number) => ({ revision, undoes: null })
    assert.deepStrictEqual(undosBackTo(1, [plain(3), plain(2), plain(1)]), [3, 2])
    assert.deepStrictEqual(undosBackTo(0, [{ revision: 3, undoes: 2 }, plain(2), plain(1)]), [1])
    // An undo of something older is taken back itself.
    assert.deepStrictEqual(undosBackTo(2, [{ revision: 3, undoes: 1 }, plain(2), plain(1)]), [3])
    assert.deepStrictEqual(undosBackTo(2, [plain(2), plain(1)]), [])
  })
})
