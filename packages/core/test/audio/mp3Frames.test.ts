import { assert, describe, it } from "@effect/vitest"
import { isSteadyMp3 } from "../../src/audio/index.js"

/** Frames of MPEG 1, layer III, 44.1 kHz, mono, by the numbers of their bitrates. */
const frames = (...numbers: ReadonlyArray<number>) =>
  Buffer.concat(
    numbers.map((number) => {
      const kilobits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160][number] ?? 0
      const frame = Buffer.alloc(Math.floor((144 * kilobits * 1000) / 44_100))
      frame.writeUInt32BE((0xfffb_00c0 | (number << 12)) >>> 0)
      return frame
    }),
  )

const steady = (count: number, number = 5) => frames(...Array.from({ length: count }, () => number))

const tagged = (tag: string) => {
  const frame = frames(5)
  frame.write(tag, 21, "latin1")
  return frame
}

describe("an MP3 of steady bitrate", () => {
  it("has one bitrate wherever it is looked at", () => {
    assert.isTrue(isSteadyMp3([steady(40), steady(40).subarray(77), steady(40).subarray(100)]))
    assert.isTrue(isSteadyMp3([Buffer.concat([tagged("Info"), steady(40)]), steady(40)]))
  })

  it("is none that says otherwise, or that has another bitrate somewhere", () => {
    assert.isFalse(isSteadyMp3([Buffer.concat([tagged("Xing"), steady(40)])]))
    assert.isFalse(isSteadyMp3([Buffer.concat([steady(8), frames(6, 4), steady(8)])]))
    assert.isFalse(isSteadyMp3([steady(40), steady(40, 7)]))
    assert.isFalse(isSteadyMp3([Buffer.from("no sound at all")]))
    assert.isFalse(isSteadyMp3([]))
  })
})
