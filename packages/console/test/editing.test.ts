import { assert, describe, it } from "@effect/vitest"
import { placed, withDraft, withoutDraft } from "../src/editing/drafts.js"
import { labelNamed, nudged, operationsFor, revisionToUndo } from "../src/editing/operations.js"

describe("operations of a line", () => {
  it("are none where nothing was changed, and the text where it was", () => {
    assert.deepStrictEqual(operationsFor(3, "as it was", { type: "done", text: " as  it was\n" }), [])
    assert.deepStrictEqual(operationsFor(3, "as it was", { type: "done", text: "as it is" }), [
      { type: "text", line: 3, text: "as it is" },
    ])
  })

  it("split where the caret is, in the text as it is saved", () => {
    assert.deepStrictEqual(operationsFor(0, "one two", { type: "split", text: "one  two", at: 5 }), [
      { type: "split", line: 0, at: 3 },
    ])
    assert.deepStrictEqual(operationsFor(0, "one two", { type: "split", text: "one too", at: 3 }), [
      { type: "text", line: 0, text: "one too" },
      { type: "split", line: 0, at: 3 },
    ])
    assert.deepStrictEqual(operationsFor(0, "one two", { type: "split", text: "one two", at: 0 }), [])
    // A caret within a word means the nearest place between two.
    const [cut] = operationsFor(0, "the garden, please", {
      type: "split",
      text: "the garden, please",
      at: 10,
    })
    assert.deepStrictEqual(cut, { type: "split", line: 0, at: 11 })
    assert.deepStrictEqual(operationsFor(0, "word", { type: "split", text: "word", at: 2 }), [])
    const [anywhere] = operationsFor(0, "太陽光パネル", { type: "split", text: "太陽光パネル", at: 2 })
    assert.deepStrictEqual(anywhere, { type: "split", line: 0, at: 2 })
    assert.deepStrictEqual(operationsFor(0, "one two", { type: "split", text: "one two ", at: 8 }), [])
  })

  it("join a line with the one above, and the first with none", () => {
    assert.deepStrictEqual(operationsFor(2, "two", { type: "merge", text: "two" }), [
      { type: "merge", line: 1 },
    ])
    assert.deepStrictEqual(operationsFor(0, "one", { type: "merge", text: "one" }), [])
  })
})

describe("a draft", () => {
  const lines = ["a", "b", "a", "c"].map((text) => ({ text }))
  const at = (line: number, before: string) => placed({ line, text: "new", before }, lines).line

  it("is of the nearest line that says what its line said", () => {
    assert.strictEqual(at(1, "b"), 1)
    assert.strictEqual(at(0, "b"), 1)
    assert.strictEqual(at(9, "b"), 1)
    assert.strictEqual(at(3, "a"), 2)
    assert.strictEqual(at(1, "a"), 0)
  })

  it("stays at its number where no line does", () => {
    assert.strictEqual(at(2, "gone"), 2)
    assert.strictEqual(at(7, "gone"), 3)
  })
})

describe("drafts of several lines", () => {
  const one = { line: 1, text: "one!", before: "one" }
  const two = { line: 2, text: "two!", before: "two" }

  it("are kept beside each other, one for a line", () => {
    assert.deepStrictEqual(withDraft([one], two), [one, two])
    const changed = { ...one, text: "one?" }
    assert.deepStrictEqual(withDraft([one, two], changed), [two, changed])
  })

  it("go one by one, wherever their lines are by then", () => {
    assert.deepStrictEqual(withoutDraft([one, two], { ...one }), [two])
    assert.deepStrictEqual(withoutDraft([{ ...one, line: 7 }, two], one), [two])
    assert.deepStrictEqual(withoutDraft([one, two], { ...one, text: "other" }), [one, two])
    // Of two lines with the same words and the same correction, the other one stays.
    const again = { ...one, line: 9 }
    assert.deepStrictEqual(withoutDraft([one, again], again), [one])
    assert.deepStrictEqual(withoutDraft([one, { ...again, line: 8 }], again), [one])
  })
})

describe("undo", () => {
  it("takes back the newest that still counts", () => {
    const made = (revision: number, undoes: number | null = null) => ({ revision, undoes })
    assert.strictEqual(revisionToUndo([]), null)
    assert.strictEqual(revisionToUndo([made(2), made(1)]), 2)
    assert.strictEqual(revisionToUndo([made(3, 2), made(2), made(1)]), 1)
    assert.strictEqual(revisionToUndo([made(4, 1), made(3, 2), made(2), made(1)]), null)
    // The undo of revision 2 was undone: it counts again.
    assert.strictEqual(revisionToUndo([made(4, 3), made(3, 2), made(2), made(1)]), 2)
  })
})

describe("a line", () => {
  const lines = [
    { start: 0, end: 2, speaker: "Speaker 1", text: "a" },
    { start: 2, end: 4, speaker: "Speaker 2", text: "b" },
  ]

  it("is given to the speaker of a name, or to a new one", () => {
    assert.strictEqual(labelNamed("Ann", lines, { "Speaker 2": "Ann" }), "Speaker 2")
    assert.strictEqual(labelNamed("Speaker 1", lines, {}), "Speaker 1")
    assert.strictEqual(labelNamed("Ben", lines, { "Speaker 2": "Ann" }), "Ben")
  })

  it("stays between its neighbours, within the recording, and has a length", () => {
    const bounds = { from: 0.95, to: 4, length: 10 }
    assert.deepStrictEqual(nudged({ start: 1, end: 2 }, { start: -0.1 }, bounds), { start: 0.95, end: 2 })
    assert.deepStrictEqual(nudged({ start: 1.95, end: 2 }, { start: 0.1 }, bounds), { start: 1.9, end: 2 })
    assert.deepStrictEqual(nudged({ start: 1, end: 1.15 }, { end: -0.1 }, bounds), { start: 1, end: 1.1 })
    assert.deepStrictEqual(nudged({ start: 1, end: 9.95 }, { end: 0.1 }, bounds), { start: 1, end: 10 })
    assert.deepStrictEqual(nudged({ start: 1, end: 2.1 }, { end: 0.1 }, bounds), { start: 1, end: 2.2 })
  })
})
