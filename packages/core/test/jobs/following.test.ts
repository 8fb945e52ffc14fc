import {
  type FollowPlace,
  firstPlace,
  followFinished,
  followSpans,
  formatPlace,
  fromFirstSpan,
  isSamePlan,
  parsePlace,
  spansAfter,
} from "@earmark/core/jobs"
import { assemble, mergeSpans, type Word } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"

const LENGTH = 10_000

const wordAt = (start: number, text: string): Word => ({
  text,
  start,
  end: start + 400,
  confidence: null,
  speaker: null,
})

/** Spans of ten seconds, each with some words of its own. */
const spansOf = (counts: ReadonlyArray<number>) =>
  counts.map((count, index) => {
    const start = index * LENGTH
    const step = LENGTH / (count + 1)
    const words = Array.from({ length: count }, (_, at) =>
      wordAt(start + Math.round(at * step), `w${index}_${at}${at % 3 === 2 ? "." : ""}`),
    )
    return { index, start, end: start + LENGTH, words }
  })

const counts = FastCheck.array(FastCheck.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 8 })

const reread = (place: FollowPlace): FollowPlace => Option.getOrThrow(parsePlace(formatPlace(place)))

describe("following a job", () => {
  it.prop("a place survives its text", [counts], ([given]) => {
    for (const { place } of followSpans(firstPlace(2), spansOf(given)).lines) {
      assert.deepStrictEqual(reread(place), place)
    }
  })

  it("what is no place is none", () => {
    for (const text of ["", "x", "1-2-3-4", "1-2-3-4-5-", "1-2-3-4-5-over", "-1-2-3-4-5", "1-2-3-4-5e9"])
      assert.isTrue(Option.isNone(parsePlace(text)), text)
  })

  it.prop(
    "every word is told once and in order, wherever the stream breaks and however the spans come",
    [counts, FastCheck.infiniteStream(FastCheck.nat(5)), FastCheck.nat(8)],
    ([given, breaks, heardBefore]) => {
      const spans = spansOf(given)
      const told: Array<string> = []
      const indexes: Array<number> = []
      let place = firstPlace(0)
      const take = (followed: ReturnType<typeof followSpans>) => {
        const kept = followed.lines.slice(0, 1 + (breaks.next().value ?? 0))
        for (const { line, index } of kept) {
          told.push(line.text)
          indexes.push(index)
        }
        const isWhole = kept.length === followed.lines.length
        place = isWhole ? followed.place : reread(kept.at(-1)?.place ?? place)
        return isWhole
      }
      const stored = spans.slice(0, heardBefore)
      let isWhole = false
      while (!isWhole) {
        const read = stored.filter(({ index }) => index > spansAfter(place))
        assert.isTrue(isSamePlan(place, read) || place.spans === 0)
        isWhole = take(followSpans(place, read))
      }
      const { segments } = assemble({ language: null, duration: LENGTH * 9, words: mergeSpans(spans) })
      isWhole = false
      while (!isWhole) isWhole = take(followFinished(place, segments))
      assert.deepStrictEqual(told.join(" "), segments.map(({ text }) => text).join(" "))
      assert.deepStrictEqual(
        indexes,
        indexes.map((_, index) => index),
      )
    },
  )

  it("waits at a gap until the span in it is there", () => {
    const [first, second, third] = spansOf([1, 1, 1])
    assert.isDefined(first)
    if (first === undefined || second === undefined || third === undefined) return
    const before = followSpans(firstPlace(0), [first, third])
    assert.deepStrictEqual(
      before.lines.map(({ line }) => line.text),
      ["w0_0"],
    )
    const after = followSpans(before.place, [first, second, third])
    assert.deepStrictEqual(
      after.lines.map(({ line, index }) => [index, line.text]),
      [
        [1, "w1_0"],
        [2, "w2_0"],
      ],
    )
  })

  it("tells what two spans heard once, wherever the stream breaks", () => {
    const spans = [
      { index: 0, start: 0, end: 3000, words: ["a", "b.", "c"].map((text, at) => wordAt(at * 1000, text)) },
      {
        index: 1,
        start: 2000,
        end: 5000,
        words: ["c.", "d.", "e"].map((text, at) => wordAt(2000 + at * 1000, text)),
      },
    ]
    const all = followSpans(firstPlace(0), spans)
    assert.strictEqual(all.lines.map(({ line }) => line.text).join(" "), "a b. c d. e")
    for (const { index, place } of all.lines) {
      const read = spans.filter((span) => span.index > spansAfter(place))
      const rest = followSpans(place, read).lines.map(({ line }) => line.text)
      assert.deepStrictEqual(
        rest,
        all.lines.slice(index + 1).map(({ line }) => line.text),
      )
    }
  })

  it("goes on at its moment when the media is heard anew, cut otherwise", () => {
    const { place } = followSpans(firstPlace(0), spansOf([3, 3, 3]))
    const anew = [
      {
        index: 0,
        start: 0,
        end: 45_000,
        words: [wordAt(100, "old."), wordAt(31_000, "new."), wordAt(40_000, "newer.")],
      },
    ]
    assert.isFalse(isSamePlan(place, []))
    const { lines } = followSpans(fromFirstSpan(place), anew)
    assert.include(lines.map(({ line }) => line.text).join(" "), "newer.")
    assert.notInclude(lines.map(({ line }) => line.text).join(" "), "old.")
    assert.strictEqual(lines[0]?.index, place.lines)
  })
})
