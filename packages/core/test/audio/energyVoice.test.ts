import { makeEnergyVoice } from "@earmark/core/audio"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { inPieces, joined, noise, silence, tone } from "./sounds.js"

const spansOf = (pieces: ReadonlyArray<Int16Array>) => {
  const voice = makeEnergyVoice()
  return [...pieces.flatMap((piece) => [...voice.push(piece)]), ...voice.finish()]
}

const sizes = FastCheck.array(FastCheck.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 4 })

const loudAndQuiet = joined(
  noise(3, 20),
  tone(2),
  noise(1, 20, 2),
  tone(0.5),
  noise(0.1, 20, 3),
  tone(0.5),
  noise(25, 20, 4),
  tone(4, 2000),
  noise(2, 20, 5),
)

describe("speech is told from silence by loudness", () => {
  it("loud stretches are found where they are, over short pauses and quiet noise", () => {
    const spans = spansOf([loudAndQuiet])
    assert.deepStrictEqual(spans, [
      { start: 3000, end: 5000 },
      { start: 6000, end: 7100 },
      { start: 32_100, end: 36_100 },
    ])
  })

  it.prop(
    "however the samples are cut, the spans are the same",
    { sizes },
    ({ sizes }) => {
      assert.deepStrictEqual(spansOf(inPieces(loudAndQuiet, sizes)), spansOf([loudAndQuiet]))
    },
    { fastCheck: { numRuns: 20 } },
  )

  it("an hour of silence, digital or not, has nobody in it", () => {
    const voice = makeEnergyVoice()
    const minute = silence(60)
    for (let at = 0; at < 60; at++) assert.deepStrictEqual(voice.push(minute), [])
    assert.deepStrictEqual(voice.finish(), [])
    assert.deepStrictEqual(spansOf([noise(120, 300)]), [])
  })

  it("a click is no speech", () => {
    assert.deepStrictEqual(spansOf([joined(noise(2, 20), tone(0.15), noise(2, 20, 2))]), [])
  })

  it("speech without a pause is cut at its quietest, and nothing of it is lost", () => {
    const spans = spansOf([joined(noise(2, 20), tone(13), tone(0.25, 1500), tone(40), noise(2, 20))])
    assert.isTrue(spans.every(({ start, end }) => end - start <= 20_000))
    const [first, ...more] = spans
    assert.strictEqual(first?.start, 2000)
    assert.approximately(first?.end ?? 0, 15_125, 100)
    let end = first?.end
    for (const span of more) {
      assert.strictEqual(span.start, end)
      end = span.end
    }
    assert.strictEqual(end, 55_250)
  })
})
