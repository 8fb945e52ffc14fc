import { countOf, type Planned } from "@earmark/batch"
import { assert, describe, it } from "@effect/vitest"
import { summaryOf } from "../../src/transcribe/summary.js"

const planOf = (seconds: number | null, takesCredits = true): Planned => ({
  status: "planned",
  source: "talk.mp3",
  identity: { title: "talk.mp3", path: null, feed: null, guid: null, index: null, mediaUrl: null },
  outputs: [],
  printed: null,
  origin: "engine",
  seconds,
  partSeconds: seconds,
  minutes: seconds === null ? null : seconds / 60,
  credits: seconds === null ? null : seconds / 60,
  creditsAtMost: seconds === null ? null : seconds / 60,
  takesCredits,
})

const sumsOf = (...lengths: ReadonlyArray<number | null>) => {
  const results = lengths.map((seconds) => planOf(seconds))
  return summaryOf(results, countOf(results)).split("\n").at(-1)
}

describe("the sums of a plan", () => {
  it("say how much of it is unknown", () => {
    assert.strictEqual(sumsOf(60, 120), "2 sources: 2 to do. 3 minutes and 3 credits.")
    assert.strictEqual(
      sumsOf(60, null),
      "2 sources: 2 to do. 1 minute and 1 credit, and some of unknown length.",
    )
    assert.strictEqual(sumsOf(null, null), "2 sources: 2 to do. All lengths are unknown.")
    assert.match(summaryOf([planOf(60)], countOf([planOf(60)])), /credits/)
    const free = [planOf(60, false)]
    assert.notMatch(summaryOf(free, countOf(free)), /credit/)
    assert.strictEqual(sumsOf(null), "1 source: 1 to do. The length is unknown.")
  })
})
