import { Integrity } from "@earmark/core/jobs"
import { type HeardWindow, integrityOf, type Segment, type Word } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const ten = 10_000

/** Windows of ten seconds with these misfits. */
const windowsOf = (misfits: ReadonlyArray<number | null>): ReadonlyArray<HeardWindow> =>
  misfits.map((misfit, index) => ({ start: index * ten, end: (index + 1) * ten, misfit }))

const segmentOf = (text: string, start: number, each: number): Segment => {
  const words = text.split(" ").map(
    (text, index): Word => ({
      text,
      start: start + index * each,
      end: start + (index + 1) * each,
      confidence: null,
      speaker: null,
    }),
  )
  return { start, end: start + words.length * each, speaker: null, text, words }
}

const reportOf = (windows: ReadonlyArray<HeardWindow>, segments: ReadonlyArray<Segment> = []) =>
  integrityOf({ duration: windows.length * ten, segments, voice: windows, windows })

describe("doubts", () => {
  it("are the windows whose words do not fit their sound, neighbours joined", () => {
    const { doubts, flags } = reportOf(windowsOf([0.3, 0.9, 0.76, 0.75, null, 0.3, 0.95, 0.3]))
    assert.deepStrictEqual(doubts, [
      { start: 10_000, end: 30_000, reason: "misfit" },
      { start: 60_000, end: 70_000, reason: "misfit" },
    ])
    assert.notInclude(flags, "text_doubtful")
  })

  it("are text in circles, and text that nobody can say so fast", () => {
    const loop = segmentOf("we will be right back ".repeat(6).trim(), 1000, 300)
    const fast = segmentOf(Array.from({ length: 60 }, (_, at) => `word${at}`).join(" "), 20_000, 50)
    const { doubts } = reportOf(windowsOf([0.5, 0.5, 0.5]), [loop, fast])
    assert.deepStrictEqual(
      doubts.map(({ reason }) => reason),
      ["looping", "impossible_rate"],
    )
    const [first, second] = doubts
    assert.isAtLeast(first?.start ?? 0, 1000)
    assert.isAtMost(first?.end ?? 0, 10_000)
    assert.isAtLeast(second?.start ?? 0, 20_000)
    assert.isAtMost(second?.end ?? 0, 23_000)
  })

  it("are none of captions: nobody listened", () => {
    const loop = segmentOf("we will be right back ".repeat(6).trim(), 1000, 300)
    const { doubts, repeats } = integrityOf({ duration: ten, segments: [loop], voice: null })
    assert.deepStrictEqual(doubts, [])
    assert.strictEqual(repeats.length, 1)
  })

  it("stay few, however long the recording is", () => {
    const { doubts } = reportOf(
      windowsOf(Array.from({ length: 5000 }, (_, at) => (at % 3 === 0 ? 0.9 : 0.4))),
    )
    assert.isAtMost(doubts.length, 24)
    assert.strictEqual(doubts[0]?.start, 0)
    assert.isAtLeast(doubts.at(-1)?.end ?? 0, 4999 * ten)
  })

  it("are kept as the wire shows them; a report without them can be read", () => {
    const report = reportOf(windowsOf([0.9, 0.3]))
    const { doubts, ...before } = Schema.encodeSync(Integrity)(report)
    assert.deepStrictEqual(doubts, [{ start: 0, end: 10, reason: "misfit" }])
    assert.isUndefined(Schema.decodeSync(Integrity)(before).doubts)
  })
})

describe("a recording as a whole", () => {
  const isDoubtful = (misfits: ReadonlyArray<number | null>, lost: ReadonlyArray<number> = []) =>
    integrityOf({
      duration: misfits.length * ten,
      segments: [],
      voice: windowsOf(misfits),
      windows: windowsOf(misfits),
      lost: lost.map((index) => ({ start: index * ten, end: (index + 1) * ten })),
    }).flags.includes("text_doubtful")

  it("is doubtful when its text hardly fits on average, although no window is doubtful by itself", () => {
    assert.isTrue(isDoubtful([0.8, 0.7, 0.6]))
    assert.isFalse(isDoubtful([0.8, 0.5, 0.6]))
  })

  it("is in doubt from the first to the last thing that was heard", () => {
    assert.deepStrictEqual(reportOf(windowsOf([0.8, 0.7, 0.6])).doubts, [
      { start: 0, end: 30_000, reason: "misfit" },
    ])
  })

  it("that is short is judged by its windows alone", () => {
    assert.isFalse(isDoubtful([0.74]))
    assert.isTrue(isDoubtful([0.9]))
  })

  it("is doubtful when words were found in little of its voice", () => {
    assert.isTrue(isDoubtful([0.6, null, null], [1, 2]))
    assert.isFalse(isDoubtful([0.5, 0.5, 0.5, null], [3]))
  })

  it("of which nothing was measured is not doubtful", () => {
    assert.isFalse(isDoubtful([null, null, null]))
    assert.isFalse(isDoubtful([]))
  })
})
