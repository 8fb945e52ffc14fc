import { assert, describe, it } from "@effect/vitest"
import { agoOf, numberOf, percentOf } from "../src/format.js"

describe("numbers and times as people read them", () => {
  it("are those of the browser, without its time", () => {
    const numbers = new Intl.NumberFormat("en")
    for (const value of [0, 7, 999, 1000, -1234, 1_234_567, 12.5, 1234.5678, 0.0004, 1e9])
      assert.strictEqual(numberOf(value), numbers.format(value))
    const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 })
    for (const share of [0, 0.07, 0.29, 0.5, 0.999, 1])
      assert.strictEqual(percentOf(share), percents.format(Math.floor(share * 100) / 100))
  })

  it("tell how long ago something was", () => {
    const now = Date.UTC(2026, 10, 20, 12)
    const distances = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
    const ago = (seconds: number) => agoOf(new Date(now + seconds * 1000).toISOString(), now)
    for (const [count, unit, length] of [
      [-1, "minute", 60],
      [-59, "minute", 60],
      [-1, "hour", 3600],
      [23, "hour", 3600],
      [-1, "day", 86_400],
      [1, "day", 86_400],
      [-6, "day", 86_400],
      [5, "minute", 60],
    ] as const)
      assert.strictEqual(ago(count * length), distances.format(count, unit))
    assert.deepStrictEqual([ago(0), ago(-59), ago(59)], ["just now", "just now", "just now"])
    assert.strictEqual(ago(-8 * 86_400), "Nov 12, 2026")
  })
})
