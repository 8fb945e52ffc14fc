import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { makePeakMeter, PEAKS_PER_SECOND, peaksTo } from "../../src/audio/index.js"

describe("a waveform", () => {
  it.prop(
    "is the same however the samples come in pieces",
    [
      fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 5000 }),
      fc.integer({ min: 1, max: 999 }),
    ],
    ([samples, size]) => {
      const whole = makePeakMeter(1)
      whole.push(Int16Array.from(samples))
      const inPieces = makePeakMeter(1)
      for (let at = 0; at < samples.length; at += size)
        inPieces.push(Int16Array.from(samples.slice(at, at + size)))
      assert.deepStrictEqual(inPieces.finish(), whole.finish())
    },
  )

  it("has the greatest sample of all channels, for each twentieth of a second", () => {
    const meter = makePeakMeter(2)
    const samples = new Int16Array(2 * 1600 + 10)
    samples[3] = -32_768
    samples[1601] = 16_384
    samples[3205] = 128
    meter.push(samples)
    assert.deepStrictEqual([...meter.finish()], [255, 128, 1])
  })

  it("of two hours fits", () => {
    const meter = makePeakMeter(1)
    for (let second = 0; second < 7200; second++) meter.push(new Int16Array(16_000).fill(second))
    const peaks = meter.finish()
    assert.lengthOf(peaks, 7200 * PEAKS_PER_SECOND)
    assert.strictEqual(peaks.at(-1), Math.round((7199 * 255) / 32_768))
  })

  it("in fewer points loses no peak, in more repeats them, and is silent behind its end", () => {
    const peaks = Uint8Array.of(1, 9, 2, 3, 7, 0)
    assert.deepStrictEqual([...peaksTo(peaks, { from: 0, to: 6, points: 3 })], [9, 3, 7])
    assert.deepStrictEqual([...peaksTo(peaks, { from: 0, to: 2, points: 4 })], [1, 1, 9, 9])
    assert.deepStrictEqual([...peaksTo(peaks, { from: 4, to: 8, points: 4 })], [7, 0, 0, 0])
    assert.deepStrictEqual([...peaksTo(new Uint8Array(0), { from: 0, to: 1, points: 2 })], [0, 0])
  })
})
