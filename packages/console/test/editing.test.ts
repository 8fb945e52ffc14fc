import { assert, describe, it } from "@effect/vitest"
import { draftFor, isElsewhere, newDraft, placed, withoutDraft } from "../src/editing/drafts.js"
import { isMoving, moved, movedOperation, moveOf, movesBetween } from "../src/editing/moves.js"
import {
  labelNamed,
  nudged,
  type Operation,
  operationsFor,
  revisionToUndo,
  touchedBy,
} from "../src/editing/operations.js"
import { isMade, rebase } from "../src/editing/rebase.js"

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

const texts = (...said: ReadonlyArray<string>) => said.map((text) => ({ text }))

describe("a draft", () => {
  const before = texts("a", "yes", "b", "c", "yes", "d")
  const draft = newDraft(before, 1, "yes", "no")
  const at = (...said: ReadonlyArray<string>) => placed(draft, texts(...said)).line

  it("goes with its line where others are split or joined above it", () => {
    assert.strictEqual(at("a", "yes", "b", "c", "yes", "d"), 1)
    assert.strictEqual(at("0", "a", "yes", "b", "c", "yes", "d"), 2)
    assert.strictEqual(at("yes", "b", "c", "yes", "d"), 0)
    // A line beside it was changed.
    assert.strictEqual(at("0", "a!", "yes", "b", "c", "yes", "d"), 2)
  })

  it("stays at its number where its line says something else, though the sentence is said again", () => {
    assert.strictEqual(at("a", "yes!", "b", "c", "yes", "d"), 1)
    assert.strictEqual(at("a!", "yes!", "b", "c", "yes", "d"), 1)
    assert.strictEqual(at("a", "yes", "b!", "c", "yes", "d"), 1)
    assert.strictEqual(at("a!", "yes", "b!", "c", "yes", "d"), 1)
    assert.strictEqual(at("gone"), 0)
  })

  it("knows its line among others that say the same", () => {
    const same = newDraft(texts("a", "yes", "yes", "b"), 2, "yes", "no")
    assert.strictEqual(placed(same, texts("0", "a", "yes", "yes", "b")).line, 3)
  })
})

describe("drafts of several lines", () => {
  const lines = texts("one", "two", "two")
  const one = newDraft(lines, 0, "one", "one!")
  const two = newDraft(lines, 1, "two", "two!")
  const again = newDraft(lines, 2, "two", "two!")

  it("go one by one, wherever their lines are by then", () => {
    assert.deepStrictEqual(withoutDraft([one, two, again], { ...again, line: 7 }), [one, two])
  })

  it("are taken up where the line still says what it said", () => {
    assert.strictEqual(draftFor([one, two, again], 1, "two"), two)
    assert.isUndefined(draftFor([one, two, again], 1, "two, changed"))
  })

  it("are known to be edited in another tab where none of this tab fits the line", () => {
    const other = { ...two, id: "another 1" }
    assert.isTrue(isElsewhere([two, other], 1, "two"))
    assert.isFalse(isElsewhere([two, other], 0, "one"))
    assert.isFalse(isElsewhere([two, again], 1, "two"))
    assert.strictEqual(draftFor([two, other], 1, "two"), two)
  })
})

describe("lines that move before it is seen", () => {
  const split = moveOf([
    { type: "text", line: 3, text: "a b" },
    { type: "split", line: 3, at: 1 },
  ])
  const joined = moveOf([{ type: "merge", line: 4 }])
  const moves = [split, joined].filter((move) => move !== null)

  it("have other numbers after one is removed: the next one has its number", () => {
    const removed = moveOf([{ type: "remove", line: 4 }])
    assert.deepStrictEqual(
      [3, 5, 6].map((line) => moved(line, removed === null ? [] : [removed])),
      [3, 4, 5],
    )
  })

  it("have other numbers after a split and after a join; one goes on with the second half, and with the joined line", () => {
    assert.isNull(moveOf([{ type: "text", line: 3, text: "a" }]))
    const after = (line: number, of: typeof moves) => moved(line, of)
    assert.deepStrictEqual(
      [2, 3, 4].map((line) => after(line, moves.slice(0, 1))),
      [2, 4, 5],
    )
    assert.deepStrictEqual(
      [4, 5, 6].map((line) => after(line, moves.slice(1))),
      [4, 4, 5],
    )
    assert.deepStrictEqual(
      [2, 3, 4, 5].map((line) => after(line, moves)),
      [2, 4, 4, 5],
    )
  })

  it("cannot be edited while they are split or joined", () => {
    const unsettled = (move: (typeof moves)[number]) => [2, 3, 4, 5, 6].filter((line) => isMoving(line, move))
    assert.deepStrictEqual(moves.map(unsettled), [[3], [4, 5]])
  })

  it("are changed and joined where they are by then", () => {
    const [one] = moves
    if (one === undefined) return assert.fail("no move")
    assert.deepStrictEqual(movedOperation({ type: "text", line: 5, text: "x" }, [one]), {
      type: "text",
      line: 6,
      text: "x",
    })
    assert.deepStrictEqual(movedOperation({ type: "merge", line: 3 }, [one]), { type: "merge", line: 4 })
    assert.deepStrictEqual(movedOperation({ type: "merge", line: 2 }, [one]), { type: "merge", line: 3 })
    const merging = { type: "merge_speakers", from: "A", into: "B" } as const
    assert.deepStrictEqual(movedOperation(merging, [one]), merging)
  })
})

describe("corrections one after another", () => {
  const own = (known: number, revision: number, ...operations: Parameters<typeof moveOf>[0]) => ({
    known,
    revision,
    operations,
  })
  const late = Number.POSITIVE_INFINITY
  const made = [
    own(3, 4, { type: "split", line: 0, at: 5 }),
    own(3, 5, { type: "text", line: 7, text: "x" }),
    // On its page nothing has moved yet: this is line 6 by now.
    own(3, 6, { type: "merge", line: 4 }),
    own(4, late, { type: "split", line: 8, at: 2 }),
  ]

  const between = (since: number, to?: number) =>
    movesBetween(made, since, to).map(({ from, by }) => ({ from, by }))

  it("move lines where each of them is by then", () => {
    assert.deepStrictEqual(between(3), [
      { from: 0, by: 1 },
      { from: 6, by: -1 },
      { from: 7, by: 1 },
    ])
  })

  it("move them for a page that shows some of it", () => {
    assert.deepStrictEqual(between(3, 4), [{ from: 0, by: 1 }])
    assert.deepStrictEqual(between(4, 6), [{ from: 6, by: -1 }])
    assert.deepStrictEqual(between(6), [{ from: 7, by: 1 }])
    assert.deepStrictEqual(between(6, 9), [])
  })
})

describe("a correction that is moved over those of others", () => {
  const lines = ["a", "b", "c", "a"].map((text, line) => ({
    start: line,
    end: line + 1,
    speaker: null,
    text,
    words: [],
  }))
  const own = (operations: ReadonlyArray<Operation>) => ({
    operations,
    known: 3,
    lines: lines.length,
    touched: touchedBy(operations, (line) => lines[line]),
    revision: Number.POSITIVE_INFINITY,
    draft: null,
    more: null,
  })
  const text = (line: number): Operation => ({ type: "text", line, text: "mine" })
  const merge = (line: number): Operation => ({ type: "merge", line })
  const [a, b, c, d] = lines
  const above = { start: 0, end: 0.5, speaker: null, text: "new", words: [] }

  it("is made where its line is by then, which may say what others say", () => {
    const made = own([text(3)])
    assert.isTrue(rebase(made, { revision: 5, segments: [above, ...lines] }))
    assert.deepStrictEqual(made.operations, [text(4)])
    assert.deepStrictEqual([made.known, made.lines], [5, 5])
    // Refused once more, it is moved once more.
    assert.isTrue(rebase(made, { revision: 6, segments: lines }))
    assert.deepStrictEqual(made.operations, [text(3)])
  })

  it("is not made where its line is another, or is gone, or nothing is newer", () => {
    if (a === undefined || b === undefined || c === undefined || d === undefined) return assert.fail()
    const changed = [
      [a, { ...b, text: "theirs" }, c, d],
      [a, { ...b, speaker: "Ann" }, c, d],
      [a, c, d],
    ]
    for (const segments of changed) assert.isFalse(rebase(own([text(1)]), { revision: 4, segments }))
    assert.isFalse(rebase(own([text(1)]), { revision: 3, segments: lines }))
  })

  it("is known to be saved by what the text says", () => {
    if (a === undefined || b === undefined || c === undefined || d === undefined) return assert.fail()
    const joined = { ...b, end: c.end, text: "b c" }
    const remove: Operation = { type: "remove", line: 1 }
    const cases: ReadonlyArray<readonly [made: Operation, segments: typeof lines, is: boolean]> = [
      [text(1), [a, { ...b, text: "mine" }, c, d], true],
      [text(1), lines, false],
      [merge(1), [a, joined, d], true],
      [merge(1), lines, false],
      [remove, [a, c, d], true],
      [remove, lines, false],
      // Somebody else has changed it, or joined it with a neighbour: its words, or others in its place, are still there.
      [remove, [a, { ...b, text: "theirs" }, c, d], false],
      [remove, [{ ...a, end: b.end, text: "a b" }, c, d], false],
    ]
    for (const [made, segments, is] of cases)
      assert.strictEqual(isMade(own([made]), segments), is, JSON.stringify([made, segments]))
  })

  it("joins two lines only while they are beside one another", () => {
    if (a === undefined || b === undefined || c === undefined || d === undefined) return assert.fail()
    const made = own([merge(1)])
    assert.isTrue(rebase(made, { revision: 4, segments: [above, ...lines] }))
    assert.deepStrictEqual(made.operations, [merge(2)])
    assert.isFalse(rebase(own([merge(1)]), { revision: 4, segments: [a, b, above, c, d] }))
    assert.isFalse(rebase(own([merge(1)]), { revision: 4, segments: [a, b, { ...c, text: "theirs" }, d] }))
  })
})

describe("undo", () => {
  it("takes back the newest that still counts", () => {
    const made = (revision: number, undoes: number | null = null) => ({ revision, undoes })
    assert.strictEqual(revisionToUndo([], [], 0), null)
    assert.strictEqual(revisionToUndo([made(2), made(1)], [], 2), 2)
    assert.strictEqual(revisionToUndo([made(3, 2), made(2), made(1)], [], 3), 1)
    assert.strictEqual(revisionToUndo([made(4, 1), made(3, 2), made(2), made(1)], [], 4), null)
    // The undo of revision 2 was undone: it counts again.
    assert.strictEqual(revisionToUndo([made(4, 3), made(3, 2), made(2), made(1)], [], 4), 2)
  })

  it("takes back what was made here before what somebody else made, and nothing that the page does not show", () => {
    const made = (revision: number, undoes: number | null = null) => ({ revision, undoes })
    assert.strictEqual(revisionToUndo([made(3), made(2), made(1)], [1, 2], 2), 2)
    assert.strictEqual(revisionToUndo([made(4, 2), made(3), made(2), made(1)], [1, 2], 2), 1)
    assert.strictEqual(revisionToUndo([made(2), made(1)], [], 1), "unseen")
    // Done elsewhere, and undone there.
    assert.strictEqual(revisionToUndo([made(3, 2), made(2), made(1)], [], 1), 1)
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
