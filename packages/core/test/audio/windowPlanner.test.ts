import { makeWindowPlanner, type PlanShape, SAMPLE_RATE, type SampleRange } from "@earmark/core/audio"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const seconds = (from: number, to: number): SampleRange => ({
  start: Math.round(from * SAMPLE_RATE),
  end: Math.round(to * SAMPLE_RATE),
})

const middle = ({ start, end }: SampleRange) => Math.floor((start + end) / 2 / 16) * 16

const plan = (shape: PlanShape, speech: ReadonlyArray<SampleRange>, total: number) => {
  const planner = makeWindowPlanner(shape, middle)
  const windows: Array<SampleRange> = []
  for (const span of speech) {
    windows.push(...planner.passed(span.end), ...planner.add(span))
  }
  return [...windows, ...planner.finish(total)]
}

const inSeconds = (windows: ReadonlyArray<SampleRange>) =>
  windows.map(({ start, end }) => [start / SAMPLE_RATE, end / SAMPLE_RATE])

const joining: PlanShape = { longest: 28_000, joinUpTo: 25_000 }
const single: PlanShape = { longest: 28_000, joinUpTo: 0 }

const overlapping: PlanShape = { ...joining, overlap: 1500 }

const shape = FastCheck.record({
  longest: FastCheck.integer({ min: 1000, max: 30_000 }),
  joinUpTo: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: 1000, max: 25_000 })),
})
/** Pauses and lengths of speech in samples. */
const stretches = FastCheck.array(
  FastCheck.tuple(
    FastCheck.oneof(FastCheck.integer({ min: 0, max: 8000 }), FastCheck.integer({ min: 0, max: 2_000_000 })),
    FastCheck.integer({ min: 1, max: 900_000 }),
  ),
  { maxLength: 30 },
)

describe("speech becomes windows", () => {
  it("each stretch has a quarter of a second around it, but not before the beginning or behind the end", () => {
    const speech = [seconds(0.1, 2), seconds(10, 12), seconds(20, 29.9)]
    assert.deepStrictEqual(inSeconds(plan(single, speech, 30 * SAMPLE_RATE)), [
      [0, 2.25],
      [9.75, 12.25],
      [19.75, 30],
    ])
  })

  it("neighbours meet in the middle of a short pause", () => {
    const speech = [seconds(1, 3), seconds(3.2, 5)]
    assert.deepStrictEqual(inSeconds(plan(single, speech, 10 * SAMPLE_RATE)), [
      [0.75, 3.1],
      [3.1, 5.25],
    ])
  })

  it("stretches are joined over pauses up to a second, while the window stays under 25 s", () => {
    const speech = [seconds(1, 9), seconds(10, 20), seconds(20.5, 30), seconds(31.1, 32)]
    assert.deepStrictEqual(inSeconds(plan(joining, speech, 40 * SAMPLE_RATE)), [
      [0.75, 20.25],
      [20.25, 30.25],
      [30.85, 32.25],
    ])
  })

  it("stretches are joined over longer pauses where the shape says so", () => {
    const speech = [seconds(1, 9), seconds(11, 20), seconds(20.5, 30), seconds(32.1, 33)]
    assert.deepStrictEqual(inSeconds(plan({ ...joining, longestPause: 2000 }, speech, 40 * SAMPLE_RATE)), [
      [0.75, 20.25],
      [20.25, 30.25],
      [31.85, 33.25],
    ])
  })

  it("a stretch too long for the engine is cut into as few parts as will do", () => {
    const windows = plan(joining, [seconds(0, 60)], 60 * SAMPLE_RATE)
    assert.deepStrictEqual(inSeconds(windows), [
      [0, 20],
      [20, 40],
      [40, 60],
    ])
  })

  it("where there is no pause between two windows, both hear a second and a half beyond the cut", () => {
    const speech = [seconds(1, 15), seconds(15.1, 30), seconds(30.6, 50)]
    assert.deepStrictEqual(inSeconds(plan(overlapping, speech, 60 * SAMPLE_RATE)), [
      [0.75, 16.55],
      [13.55, 30.25],
      [30.35, 50.25],
    ])
    assert.deepStrictEqual(inSeconds(plan(overlapping, [seconds(0, 36)], 36 * SAMPLE_RATE)), [
      [0, 19.5],
      [16.5, 36],
    ])
  })

  it("a window is certain once its next neighbour can only be far away", () => {
    const planner = makeWindowPlanner(joining, middle)
    assert.deepStrictEqual(planner.add(seconds(1, 3)), [])
    assert.deepStrictEqual(planner.passed(60 * SAMPLE_RATE), [])
    assert.deepStrictEqual(inSeconds(planner.passed(70 * SAMPLE_RATE)), [[0.75, 3.25]])
    assert.deepStrictEqual(planner.finish(80 * SAMPLE_RATE), [])
  })

  const speechOf = (stretches: ReadonlyArray<readonly [pause: number, length: number]>) => {
    let at = 0
    return stretches.map(([pause, length]) => {
      const start = at + pause
      at = start + length
      return { start, end: at }
    })
  }

  it.prop(
    "windows are in order, apart, inside the media, none too long, on whole milliseconds, and hold all the speech",
    { shape, stretches },
    ({ shape, stretches }) => {
      const speech = speechOf(stretches)
      const total = speech.at(-1)?.end ?? 0
      const windows = plan(shape, speech, total)
      let last = 0
      for (const { start, end } of windows) {
        assert.isTrue(start >= last && end > start && end <= total)
        assert.isAtMost(end - start, shape.longest * 16)
        assert.strictEqual((start % 16) + (end % 16), 0)
        last = end
      }
      for (const { start, end } of speech) {
        let heard = 0
        for (const window of windows) {
          heard += Math.max(0, Math.min(end, window.end) - Math.max(start, window.start))
        }
        // What is less than a millisecond at the very end of the media has no time.
        assert.isAtMost(end - start - heard, 15)
      }
    },
  )

  it.prop(
    "windows that overlap do so with their neighbours alone, no further than asked, and none is too long",
    { shape, stretches, overlap: FastCheck.integer({ min: 0, max: 4000 }) },
    ({ shape, stretches, overlap }) => {
      const speech = speechOf(stretches)
      const total = speech.at(-1)?.end ?? 0
      const windows = plan({ ...shape, overlap }, speech, total)
      windows.forEach(({ start, end }, at) => {
        const before = windows[at - 1] ?? { start: -1, end: 0 }
        assert.isTrue(start > before.start && end > before.end && end <= total)
        assert.isAtMost(end - start, shape.longest * 16)
        assert.isAtLeast(start, windows[at - 2]?.end ?? 0)
        assert.isAtMost(before.end - start, 2 * Math.min(overlap, shape.longest / 8) * 16)
      })
      for (const { start, end } of speech) {
        let missing = start
        for (const window of windows) if (window.start <= missing) missing = Math.max(missing, window.end)
        assert.isAtLeast(missing, end - 15)
      }
    },
  )

  it.prop(
    "where every cut is in a pause, nothing overlaps",
    {
      overlap: FastCheck.integer({ min: 0, max: 4000 }),
      stretches: FastCheck.array(
        FastCheck.tuple(
          FastCheck.integer({ min: 4800, max: 60_000 }),
          FastCheck.integer({ min: 1, max: 400_000 }),
        ),
        { maxLength: 30 },
      ),
    },
    ({ overlap, stretches }) => {
      const speech = speechOf(stretches)
      const total = speech.at(-1)?.end ?? 0
      assert.deepStrictEqual(plan({ ...joining, overlap }, speech, total), plan(joining, speech, total))
    },
  )
})
