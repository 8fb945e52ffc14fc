import { seededRandom } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { inOneGo } from "../../src/audio/steps.js"
import { type VoicePrint, voicePrintSteps } from "../../src/speakers/index.js"

const random = seededRandom(7)
const SIZE = 64
const noise = () => random() + random() + random() - 1.5
const direction = () => Float32Array.from({ length: SIZE }, noise)

/** Prints of 0.75 s, as a model gives them: the voice, and as much noise as `spread` says. */
const printsOf = (said: ReadonlyArray<readonly [voice: Float32Array, prints: number]>, spread = 0.6) => {
  const prints: Array<VoicePrint> = []
  for (const [voice, count] of said) {
    for (let print = 0; print < count; print++) {
      const start = prints.length * 750
      prints.push({ start, end: start + 750, vector: voice.map((value) => value + spread * noise()) })
    }
  }
  return prints
}

const turnsOf = (prints: ReadonlyArray<VoicePrint>, range: Parameters<typeof voicePrintSteps>[1] = null) =>
  inOneGo(voicePrintSteps(prints, range)).map(({ start, end, speaker }) => [speaker, start / 750, end / 750])

const [ann, bob, eve] = [direction(), direction(), direction()]

describe("speakers by voice prints", () => {
  it("are numbered by their first appearance, each turn as long as it lasts", () => {
    const prints = printsOf([
      [bob, 8],
      [ann, 6],
      [bob, 5],
      [eve, 9],
    ])
    assert.deepStrictEqual(turnsOf(prints), [
      ["1", 0, 8],
      ["2", 8, 14],
      ["1", 14, 19],
      ["3", 19, 28],
    ])
  })

  it("are as many as were asked for, at least and at most", () => {
    const prints = printsOf([
      [ann, 8],
      [bob, 8],
      [eve, 8],
    ])
    const count = (range: Parameters<typeof voicePrintSteps>[1]) =>
      new Set(turnsOf(prints, range).map(([speaker]) => speaker)).size
    assert.strictEqual(count(null), 3)
    assert.strictEqual(count({ max: 2 }), 2)
    assert.strictEqual(count({ max: 1 }), 1)
    assert.strictEqual(count({ min: 4 }), 4)
    assert.strictEqual(count({ min: 3, max: 3 }), 3)
  })

  it("are not made of a moment of noise, nor changed by one amid a turn", () => {
    const prints = printsOf([
      [ann, 10],
      [direction(), 1],
      [ann, 10],
      [bob, 10],
    ])
    assert.deepStrictEqual(turnsOf(prints), [
      ["1", 0, 21],
      ["2", 21, 31],
    ])
  })

  it("stay the same ones over hours", () => {
    const said: Array<readonly [Float32Array, number]> = Array.from({ length: 300 }, (_, at) => [
      [ann, bob, eve][at % 3] ?? ann,
      20 + (at % 7),
    ])
    const found = turnsOf(printsOf(said))
    assert.strictEqual(found.length, 300)
    assert.deepStrictEqual([...new Set(found.map(([speaker]) => speaker))], ["1", "2", "3"])
    assert.isTrue(found.every(([speaker], at) => speaker === `${(at % 3) + 1}`))
  })

  it("of nothing are none, of a little one, and rubbish is survived", () => {
    assert.deepStrictEqual(turnsOf([]), [])
    assert.deepStrictEqual(turnsOf(printsOf([[ann, 1]])), [["1", 0, 1]])
    const broken = [0, Number.NaN, Number.POSITIVE_INFINITY].map((value, at) => ({
      start: at * 750,
      end: at * 750 + 750,
      vector: new Float32Array(SIZE).fill(value),
    }))
    assert.isAbove(turnsOf(broken).length, 0)
    assert.isAbove(turnsOf([...broken, ...printsOf([[ann, 4]])], { min: 2, max: 5 }).length, 0)
  })
})
