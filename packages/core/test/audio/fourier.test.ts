import { describe, it } from "@effect/vitest"
import { assert } from "vitest"
import { makeFourier } from "../../src/audio/fourier.js"

const numbers = (length: number, kinds: number) => {
  let seed = 1
  return Float32Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % kinds
  })
}

describe("the Fourier transform", () => {
  for (const size of [4, 8, 16, 64, 512])
    it(`of ${size} numbers is the sum of their turns`, () => {
      const real = Float64Array.from(numbers(size, 1000))
      const imaginary = Float64Array.from(numbers(size, 77))
      const [toReal, toImaginary] = [real.slice(), imaginary.slice()]
      makeFourier(size)(toReal, toImaginary)
      for (let bin = 0; bin < size; bin++) {
        let [sumReal, sumImaginary] = [0, 0]
        for (let at = 0; at < size; at++) {
          const angle = (-2 * Math.PI * at * bin) / size
          sumReal += (real[at] ?? 0) * Math.cos(angle) - (imaginary[at] ?? 0) * Math.sin(angle)
          sumImaginary += (real[at] ?? 0) * Math.sin(angle) + (imaginary[at] ?? 0) * Math.cos(angle)
        }
        assert.closeTo(toReal[bin] ?? 0, sumReal, 1e-6)
        assert.closeTo(toImaginary[bin] ?? 0, sumImaginary, 1e-6)
      }
    })
})
