import { describe, it } from "@effect/vitest"
import { assert } from "vitest"
import { leastFirst, quantile } from "../../src/alignment/quantile.js"

const numbers = (length: number, kinds: number) => {
  let seed = 1
  return Float32Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % kinds
  })
}

describe("quantile", () => {
  it("is what stands there in a sorted list, also where values are alike", () => {
    for (const kinds of [1, 2, 10, 1_000_000])
      for (const length of [1, 2, 3, 7, 100, 901]) {
        const values = numbers(length, kinds)
        const sorted = values.slice().sort()
        for (const share of [0, 0.05, 0.1, 0.5, 0.95, 1])
          assert.strictEqual(
            quantile(values, share),
            sorted[Math.min(length - 1, Math.floor(length * share))],
            `${kinds} ${length} ${share}`,
          )
        for (const count of [0, 1, Math.floor(length / 10), length]) {
          const parted = values.slice()
          leastFirst(parted, count)
          assert.deepStrictEqual(parted.slice(0, count).sort(), sorted.slice(0, count))
          assert.deepStrictEqual(parted.sort(), sorted)
        }
      }
  })
})
