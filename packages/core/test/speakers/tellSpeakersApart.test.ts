import { setImmediate } from "node:timers/promises"
import { featuresOf, type SoundBlock, speakerSteps, tellSpeakersApart } from "@earmark/core/speakers"
import { conversation, diarizationErrors } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"

const MILLISECOND = 16

/** The recording in blocks of some seconds each. */
const blocksOf = (samples: Int16Array, seconds: number): ReadonlyArray<SoundBlock> => {
  const step = seconds * 1000 * MILLISECOND
  return Array.from({ length: Math.ceil(samples.length / step) }, (_, index) => {
    const features = featuresOf(samples.subarray(index * step, (index + 1) * step))
    return () => [{ start: index * seconds * 1000, features }]
  })
}

const found = (samples: Int16Array, range: Parameters<typeof tellSpeakersApart>[1] = null, seconds = 600) =>
  tellSpeakersApart(blocksOf(samples, seconds), range)

/** The same; the process may do other things between the steps. */
const foundSlowly = async (samples: Int16Array) => {
  const steps = speakerSteps(blocksOf(samples, 600), null)
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) await setImmediate()
  return step.value
}

describe("telling speakers apart", () => {
  for (const speakers of [1, 2, 3, 4]) {
    for (const noise of [0.0005, 0.01]) {
      it(`${speakers} who take turns are found, and all of their turns, with noise at ${noise}`, () => {
        const { samples, turns } = conversation({ speakers, turns: speakers * 5, seed: 10 + speakers, noise })
        const errors = diarizationErrors(turns, found(samples))
        assert.strictEqual(errors.speakers, speakers)
        assert.isBelow(errors.rate, 0.03)
      })
    }
  }

  it("short turns are dealt out as well", () => {
    const { samples, turns } = conversation({ speakers: 3, turns: 50, seconds: [1, 2.5], seed: 4 })
    const errors = diarizationErrors(turns, found(samples))
    assert.strictEqual(errors.speakers, 3)
    assert.isBelow(errors.rate, 0.02)
  })

  it("who goes on after a short pause has the turn all the time, and not after a long one", () => {
    const { samples } = conversation({ speakers: 1, turns: 2, seed: 12 })
    const pause = new Int16Array(16_000)
    const longer = (seconds: number) =>
      found(
        Int16Array.from([
          ...samples,
          ...Array.from({ length: seconds }, () => [...pause]).flat(),
          ...samples,
        ]),
      ).length
    assert.strictEqual(longer(0), 1)
    assert.strictEqual(longer(3), 2)
  })

  it("a number that is given is kept to", () => {
    const { samples } = conversation({ speakers: 3, turns: 15, seed: 5 })
    const count = (range: { min?: number; max?: number }) =>
      new Set(found(samples, range).map(({ speaker }) => speaker)).size
    assert.strictEqual(count({ max: 2 }), 2)
    assert.strictEqual(count({ min: 1, max: 1 }), 1)
    assert.strictEqual(count({ min: 2, max: 8 }), 3)
  })

  it("speakers are numbered by first appearance, and turns are in order and do not overlap", () => {
    const turns = found(conversation({ speakers: 4, turns: 20, seed: 6 }).samples)
    assert.deepStrictEqual([...new Set(turns.map(({ speaker }) => speaker))], ["1", "2", "3", "4"])
    for (const [index, turn] of turns.entries()) {
      assert.isBelow(turn.start, turn.end)
      assert.isAtLeast(turn.start, turns[index - 1]?.end ?? 0)
    }
  })

  it("a recording read in blocks has the same speakers in all of them", () => {
    const { samples, turns } = conversation({ speakers: 3, turns: 30, seed: 7 })
    const errors = diarizationErrors(turns, found(samples, null, 60))
    assert.strictEqual(errors.speakers, 3)
    // A turn that is cut between two blocks may lose a few frames.
    assert.isBelow(errors.rate, 0.02)
  })

  it("a quarter of an hour of changing moods makes no new speakers", async () => {
    const { samples, turns } = conversation({ speakers: 3, turns: 160, seed: 9, noise: 0.01 })
    const errors = diarizationErrors(turns, await foundSlowly(samples))
    assert.strictEqual(errors.speakers, 3)
    assert.isBelow(errors.rate, 0.02)
  })

  it("nothing said has no turns; little said is one speaker's", () => {
    assert.deepStrictEqual(found(new Int16Array(0)), [])
    assert.deepStrictEqual(tellSpeakersApart([], null), [])
    assert.deepStrictEqual(found(new Int16Array(16_000 * 20)), [])
    const { samples, turns } = conversation({ speakers: 1, turns: 1, seconds: [1, 1.2], seed: 8 })
    assert.isBelow(diarizationErrors(turns, found(samples)).rate, 0.05)
  })

  it("a minimum invents nobody where there is too little speech", () => {
    const { samples } = conversation({ speakers: 1, turns: 1, seconds: [1, 1.2], seed: 9 })
    assert.strictEqual(new Set(found(samples, { min: 5 }).map(({ speaker }) => speaker)).size, 1)
  })

  it("a minimum does not split one voice into many", () => {
    const { samples } = conversation({ speakers: 1, turns: 12, seed: 21 })
    assert.strictEqual(new Set(found(samples, { min: 3 }).map(({ speaker }) => speaker)).size, 1)
  })

  it("the work can be paused", () => {
    const { samples } = conversation({ speakers: 2, turns: 10, seed: 3 })
    const blocks = blocksOf(samples, 600)
    const steps = speakerSteps(blocks, null)
    let pauses = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) pauses++
    assert.isAbove(pauses, 20)
    assert.deepStrictEqual(step.value, tellSpeakersApart(blocks, null))
  })
})

describe("features of sound", () => {
  it("are the same wherever a frame is in its stretch, and follow 10 ms after one another", () => {
    const { samples } = conversation({ turns: 1, seed: 2 })
    const whole = featuresOf(samples)
    assert.strictEqual(whole.frames, Math.floor((samples.length - 400) / 160) + 1)
    // One frame later, so that what was left is right.
    const later = featuresOf(samples.subarray(160))
    for (let frame = 1; frame < later.frames; frame += 37) {
      const here = whole.values.subarray((frame + 1) * 19, (frame + 2) * 19)
      const there = later.values.subarray(frame * 19, (frame + 1) * 19)
      for (const [index, value] of here.entries()) assert.closeTo(there[index] ?? Number.NaN, value, 1e-3)
      assert.strictEqual(later.loudness[frame], whole.loudness[frame + 1])
    }
  })

  it("know loudness in decibel of full scale", () => {
    const tone = Int16Array.from(
      { length: 16_000 },
      (_, at) => 32_767 * Math.sin((2 * Math.PI * 1000 * at) / 16_000),
    )
    assert.closeTo(featuresOf(tone).loudness[50] ?? 0, -3.01, 0.05)
    assert.isBelow(featuresOf(new Int16Array(16_000)).loudness[50] ?? 0, -90)
  })

  it("stretches shorter than a frame have none", () => {
    assert.strictEqual(featuresOf(new Int16Array(399)).frames, 0)
    assert.strictEqual(featuresOf(new Int16Array(400)).frames, 1)
  })
})
