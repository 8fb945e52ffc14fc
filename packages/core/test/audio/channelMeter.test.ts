import { makeChannelMeter } from "@earmark/core/audio"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"

const SECOND = 16_000

const noise = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return (state / 1_073_741_824 - 1) * 8000
  }
}

/** Two voices, A in the first second and B in the second; every channel holds so much of each. */
const mixed = (channels: ReadonlyArray<readonly [number, number]>) => {
  const [a, b] = [noise(1), noise(2)]
  const samples = new Int16Array(2 * SECOND * channels.length)
  for (let at = 0; at < 2 * SECOND; at++) {
    const [one, two] = at < SECOND ? [a(), 0] : [0, b()]
    channels.forEach(([ofOne, ofTwo], channel) => {
      samples[at * channels.length + channel] = Math.round(ofOne * one + ofTwo * two)
    })
  }
  return samples
}

const measured = (channels: ReadonlyArray<readonly [number, number]>, from = 0) => {
  const meter = makeChannelMeter(channels.length, from)
  meter.push(mixed(channels))
  return meter.finish()
}

describe("the channels of a recording", () => {
  it("have their level measured at every moment", () => {
    const { levelAt } = measured([
      [1, 0.1],
      [0.1, 1],
    ])
    assert.closeTo(levelAt(0, 0, 1000) - levelAt(1, 0, 1000), 20, 0.5)
    assert.closeTo(levelAt(1, 1000, 2000) - levelAt(0, 1000, 2000), 20, 0.5)
    assert.closeTo(levelAt(0, 200, 210), levelAt(0, 0, 1000), 0.7)
    assert.strictEqual(levelAt(0, 5000, 6000), 0)
  })

  it("are measured from the moment where transcription starts", () => {
    const { levelAt } = measured([[1, 0]], 60_000)
    assert.isAbove(levelAt(0, 60_000, 61_000), 60)
    assert.strictEqual(levelAt(0, 61_100, 61_900), 0)
  })

  it("count as the same sound when they are equal or of opposite phase", () => {
    assert.deepStrictEqual(
      measured([
        [1, 1],
        [1, 1],
      ]).sameAs,
      [0, 0],
    )
    assert.deepStrictEqual(
      measured([
        [1, 1],
        [-1, -1],
      ]).sameAs,
      [0, 0],
    )
    assert.deepStrictEqual(
      measured([
        [1, 0],
        [0, 1],
        [1, 0],
        [0, 0],
        [0, 0],
      ]).sameAs,
      [0, 1, 0, 3, 3],
    )
  })

  it("count as different when each has its own speaker, however strong the crosstalk", () => {
    for (const bleed of [0, 0.03, 0.1, 0.5, 0.8])
      assert.deepStrictEqual(
        measured([
          [1, bleed],
          [bleed, 1],
        ]).sameAs,
        [0, 1],
        String(bleed),
      )
    // Only one of them speaks, and is heard quietly in the other channel.
    assert.deepStrictEqual(
      measured([
        [1, 0],
        [0.1, 0],
      ]).sameAs,
      [0, 1],
    )
  })

  it.prop("give the same result however the samples are split", [fc.array(fc.nat(9000))], ([cuts]) => {
    const channels = [
      [1, 0.2],
      [0.3, 1],
      [1, 0.2],
    ] as const
    const all = mixed(channels)
    const meter = makeChannelMeter(3)
    let at = 0
    for (const frames of cuts) {
      meter.push(all.subarray(3 * at, 3 * (at + frames)))
      at = Math.min(2 * SECOND, at + frames)
    }
    meter.push(all.subarray(3 * at))
    const [one, two] = [meter.finish(), measured(channels)]
    assert.deepStrictEqual(one.sameAs, two.sameAs)
    for (const start of [0, 333, 1700])
      assert.strictEqual(one.levelAt(1, start, start + 90), two.levelAt(1, start, start + 90))
  })
})

describe("crosstalk: a voice that leaks into another channel", () => {
  /** Whether a channel is an echo in each half second of a recording in which first A speaks, and then B. */
  const echoesOf = (channels: ReadonlyArray<readonly [number, number]>, channel: number) => {
    const { isEcho } = measured(channels)
    return [250, 750, 1250, 1750].map((moment) => isEcho(channel, moment))
  }

  it("is an echo while only the other channel has a speaker", () => {
    const bled = [
      [1, 0.05],
      [0.05, 1],
    ] as const
    assert.deepStrictEqual(echoesOf(bled, 0), [false, false, true, true])
    assert.deepStrictEqual(echoesOf(bled, 1), [true, true, false, false])
  })

  it("is not assumed when the whole channel is quiet: the speaker may be on a quiet line", () => {
    // A quiet line speaks in the second half, and both do in the first.
    const quiet = [
      [1, 0],
      [0.1, 0.1],
    ] as const
    assert.deepStrictEqual(echoesOf(quiet, 1), [false, false, false, false])
  })

  it("is not decided by level in a channel without a speaker of its own: the words decide", () => {
    const silent = [
      [1, 1],
      [0.05, 0.05],
    ] as const
    assert.deepStrictEqual(echoesOf(silent, 1), [false, false, false, false])
  })
})
