import {
  applyEdits,
  type EditOperation,
  newestTranscript,
  nextTranscript,
  type Revision,
  replayRevisions,
} from "@earmark/core/edits"
import type { Transcript } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { anyLine, anyOperation, anyTranscript, edited, line, transcriptOf } from "./world.js"

const remove = (at: number): EditOperation => ({ type: "remove", line: at })
const revision = (...operations: ReadonlyArray<EditOperation>): Revision => ({ operations })
const textsOf = ({ segments }: Transcript) => segments.map(({ text }) => text)

const three = () => transcriptOf(line(0, "one", "Ann"), line(1000, "two", "Ben"), line(2000, "three", "Ann"))

const after = (transcript: Transcript, ...revisions: ReadonlyArray<Revision>) => {
  const newest = Either.getOrThrow(replayRevisions(transcript, revisions)).at(-1)
  assert(newest !== undefined)
  return newest
}

const refusal = (transcript: Transcript, ...revisions: ReadonlyArray<Revision>) =>
  Either.getOrThrow(Either.flip(replayRevisions(transcript, revisions)))

describe("remove", () => {
  it("takes a line away with its words and its speaker, and leaves the others as they were", () => {
    const before = three()
    const { segments } = edited(before, remove(1))
    assert.deepStrictEqual(segments, before.segments.toSpliced(1, 1))
    assert.deepStrictEqual(textsOf(edited(before, remove(0), remove(0))), ["three"])
  })

  it("refuses to remove the last line that is left", () => {
    const refused = Either.getOrThrow(Either.flip(applyEdits(three(), [remove(0), remove(1), remove(0)])))
    assert.deepInclude(refused, { reason: "last_line", operation: 2 })
    assert.strictEqual(
      refused.message,
      "Operation 3: Cannot remove the only line. A transcript keeps at least one.",
    )
  })
})

describe("undo of a removal", () => {
  it("puts lines back between their neighbours, also at the beginning and at the end", () => {
    for (const removed of [[0], [1], [2], [0, 0], [1, 1], [0, 1]])
      assert.deepStrictEqual(after(three(), revision(...removed.map(remove)), { undo: 1 }), three())
  })

  it("finds the place where neighbours were changed, split, joined or removed later", () => {
    const texts = (removed: number, ...later: ReadonlyArray<EditOperation>) =>
      textsOf(after(three(), revision(remove(removed)), revision(...later), { undo: 1 }))
    assert.deepStrictEqual(texts(1, { type: "text", line: 0, text: "1" }), ["1", "two", "three"])
    assert.deepStrictEqual(
      texts(1, { type: "text", line: 0, text: "1 b" }, { type: "split", line: 0, at: 2 }),
      ["1", "b", "two", "three"],
    )
    assert.deepStrictEqual(texts(0, { type: "merge", line: 0 }), ["one", "two three"])
    assert.deepStrictEqual(texts(2, { type: "merge", line: 0 }), ["one two", "three"])
    assert.deepStrictEqual(texts(1, remove(0)), ["two", "three"])
    assert.deepStrictEqual(texts(1, { type: "rename_speaker", from: "Ann", to: "Eve" }), [
      "one",
      "two",
      "three",
    ])
  })

  it("keeps the order of lines that start together", () => {
    const together = transcriptOf(line(0, "one"), line(0, "two"), line(0, "three"))
    for (const [removed, other] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ] as const) {
      const left = textsOf(edited(together, remove(removed)))[other]
      const newest = after(
        together,
        revision(remove(removed)),
        revision({ type: "text", line: other, text: `${left} more` }),
        { undo: 1 },
      )
      assert.deepStrictEqual(
        textsOf(newest).map((text) => text.replace(" more", "")),
        ["one", "two", "three"],
      )
    }
  })

  it("works in any order, and can be undone", () => {
    const removals = [revision(remove(1)), revision(remove(0))]
    for (const order of [
      [1, 2],
      [2, 1],
    ])
      assert.deepStrictEqual(after(three(), ...removals, ...order.map((undo) => ({ undo }))), three())
    assert.deepStrictEqual(textsOf(after(three(), ...removals, { undo: 1 }, { undo: 3 })), ["three"])
  })

  it("is refused where the lines are back already, so that none is there twice", () => {
    const next = (...revisions: ReadonlyArray<Revision>) =>
      nextTranscript(three(), revisions.slice(0, -1), revisions.at(-1) ?? { undo: 0 })
    for (const removed of [[0], [1], [2], [0, 1]]) {
      const undone = [revision(...removed.map(remove)), { undo: 1 }]
      assert.deepStrictEqual(Either.getOrThrow(next(...undone)), three())
      const refused = Either.getOrThrow(Either.flip(next(...undone, { undo: 1 })))
      assert.strictEqual(refused.reason, "changed_later")
      // The undo that was undone is one that can be taken again.
      assert.deepStrictEqual(Either.getOrThrow(next(...undone, { undo: 2 }, { undo: 1 })), three())
    }
  })

  it("that an earlier version took twice is read as it was", () => {
    const revisions = [revision(remove(1)), { undo: 1 }, { undo: 1 }]
    const newest = Either.getOrThrow(newestTranscript(three(), revisions))
    assert.deepStrictEqual(textsOf(newest), ["one", "two", "two", "three"])
    assert.isTrue(Either.isRight(nextTranscript(three(), revisions, revision(remove(2)))))
  })

  it("is refused where it would leave no line", () => {
    const two = transcriptOf(line(0, "one"), line(1000, "two"))
    const refused = refusal(two, revision(remove(0)), { undo: 1 }, revision(remove(1)), { undo: 2 })
    assert.strictEqual(refused.reason, "last_line")
  })

  it.prop(
    "loses no line, doubles none, and keeps them in order of time",
    {
      transcript: anyTranscript,
      operations: fc.array(anyOperation, { maxLength: 8 }),
      removed: fc.array(anyLine, { minLength: 1, maxLength: 3 }),
      later: fc.array(anyOperation, { maxLength: 8 }),
    },
    ({ transcript, operations, removed, later }) => {
      let now = transcript
      const revisions: Array<Revision> = []
      const make = (made: ReadonlyArray<EditOperation>) => {
        const next = applyEdits(now, made)
        if (Either.isLeft(next)) return false
        now = next.right
        revisions.push({ operations: made })
        return true
      }
      for (const each of operations) make([each])
      const before = now
      if (!make(removed.map(remove))) return
      const undo = revisions.length
      const gone = before.segments.filter((each) => !now.segments.includes(each))
      for (const each of later) make([each])
      const { segments } = after(transcript, ...revisions, { undo })
      assert.lengthOf(segments, now.segments.length + gone.length)
      assert.deepStrictEqual(
        segments.filter((each) => gone.some((line) => JSON.stringify(line) === JSON.stringify(each)))
          .length >= gone.length,
        true,
      )
      const starts = segments.map(({ start }) => start)
      assert.deepStrictEqual(
        starts,
        starts.toSorted((first, second) => first - second),
      )
    },
  )

  it("takes no longer for many lines when none of their neighbours is left", () => {
    const count = 20_000
    const long = transcriptOf(...Array.from({ length: count }, (_, at) => line(at * 1000, "we met", "Ann")))
    const removals = Array.from({ length: 1000 }, (_, at) => remove(at * 10))
    const newest = after(
      long,
      revision(...removals),
      revision({ type: "rename_speaker", from: "Ann", to: "Eve" }),
      {
        undo: 1,
      },
    )
    assert.deepStrictEqual(
      newest.segments.map(({ start }) => start),
      long.segments.map(({ start }) => start),
    )
  })
})
