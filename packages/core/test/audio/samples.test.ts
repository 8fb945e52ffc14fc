import { makeResampler, makeSampleRing, makeStereoMixer, quietestCut, SAMPLE_RATE } from "@earmark/core/audio"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { inPieces, joined, noise, silence, tone } from "./sounds.js"

const sizes = FastCheck.array(FastCheck.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 4 })

const interleaved = (left: Int16Array, right: Int16Array) => {
  const both = new Int16Array(left.length * 2)
  left.forEach((sample, at) => {
    both[2 * at] = sample
    both[2 * at + 1] = right[at] ?? 0
  })
  return both
}

/** To be compared at once: `deepStrictEqual` looks at each sample alone. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Int16Array) =>
  Buffer.from(buffer, byteOffset, byteLength)

const power = (samples: Int16Array) =>
  samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)

describe("the ring of samples", () => {
  it.prop(
    "holds the last ones as they were",
    { sizes },
    ({ sizes }) => {
      const whole = noise(3, 9000)
      const ring = makeSampleRing(SAMPLE_RATE)
      for (const piece of inPieces(whole, sizes)) {
        ring.push(piece)
        const [held, said] = [ring, whole].map((all) => bytesOf(all.slice(ring.oldest(), ring.total())))
        assert.isTrue(held?.equals(said ?? Buffer.of()))
      }
      const memory = new Int16Array(100)
      const last = ring.slice(ring.total() - 100, ring.total(), memory)
      assert.strictEqual(last.buffer, memory.buffer)
      assert.deepStrictEqual(last, whole.slice(-100))
      assert.strictEqual(ring.total(), whole.length)
      assert.throws(() => ring.slice(ring.oldest() - 1, ring.total()), RangeError)
      assert.throws(() => ring.slice(ring.oldest(), ring.total() + 1), RangeError)
    },
    { fastCheck: { numRuns: 10 } },
  )
})

describe("two channels become one", () => {
  const mix = (samples: Int16Array, sizes: ReadonlyArray<number>) => {
    const mixer = makeStereoMixer()
    const pieces = inPieces(samples, sizes).map((piece) => mixer.push(piece).slice())
    return { mixed: joined(...pieces, mixer.finish()), cancelled: mixer.cancelled() }
  }

  it.prop(
    "the mean of both, however the samples are cut",
    { sizes },
    ({ sizes }) => {
      const left = joined(tone(1.3), noise(1, 3000))
      const right = joined(noise(1, 2000, 3), silence(1.3))
      const { mixed, cancelled } = mix(interleaved(left, right), sizes)
      assert.isFalse(cancelled)
      assert.deepStrictEqual(
        mixed,
        left.map((sample, at) => (sample + (right[at] ?? 0)) >> 1),
      )
    },
    { fastCheck: { numRuns: 10 } },
  )

  it("opposite phases do not become silence: the louder channel is taken", () => {
    const left = joined(tone(2), silence(1))
    const right = left.map((sample) => Math.round(-0.9 * sample))
    const { mixed, cancelled } = mix(interleaved(left, right), [4096])
    assert.isTrue(cancelled)
    assert.deepStrictEqual(mixed, left)
  })

  it("silence is nothing that cancels", () => {
    assert.isFalse(mix(interleaved(silence(2), silence(2)), [5000]).cancelled)
    assert.isFalse(
      mix(
        interleaved(
          noise(2, 1),
          noise(2, 1).map((sample) => -sample),
        ),
        [5000],
      ).cancelled,
    )
  })
})

describe("the best place for a cut", () => {
  it("is the middle of the quietest fifth of a second, on a whole millisecond", () => {
    const samples = joined(noise(2, 3000), noise(0.3, 10), noise(4, 3000))
    const cut = quietestCut(samples)
    assert.strictEqual(cut % 16, 0)
    assert.approximately(cut / SAMPLE_RATE, 2.15, 0.05)
  })

  it("is near the middle where all is equally quiet, and the middle of what is very short", () => {
    assert.approximately(quietestCut(silence(4)) / SAMPLE_RATE, 2, 0.01)
    assert.strictEqual(quietestCut(silence(0.1)), 800)
  })
})

describe("other rates become 16 kHz", () => {
  const resample = (rate: number, samples: Float32Array, size: number) => {
    const resampler = makeResampler(rate)
    const parts: Array<Int16Array> = []
    for (let at = 0; at < samples.length; at += size) parts.push(resampler.push(samples.slice(at, at + size)))
    return joined(...parts, resampler.finish())
  }
  const toneAt = (rate: number, hertz: number) =>
    Float32Array.from({ length: rate }, (_, at) => 10_000 * Math.sin((2 * Math.PI * hertz * at) / rate))

  for (const rate of [8000, 11_025, 22_050, 44_100, 48_000, 96_000, 12_345]) {
    it(`a tone at ${rate} Hz stays the tone it was, of the same length`, () => {
      const made = resample(rate, toneAt(rate, 440), 1000)
      assert.approximately(made.length, SAMPLE_RATE, 1)
      const wanted = tone(1, 10_000, 440)
      const off = made.slice(1000, 15_000).map((sample, at) => sample - (wanted[at + 1000] ?? 0))
      assert.isBelow(power(off) / power(wanted), 1e-4)
      assert.deepStrictEqual(made, resample(rate, toneAt(rate, 440), 777))
    })
  }

  it("what 16 kHz cannot hold is gone, not folded back", () => {
    const made = resample(48_000, toneAt(48_000, 11_000), 4096)
    assert.isBelow(power(made.slice(500, 15_500)) / power(tone(1, 10_000)), 1e-4)
  })
})
