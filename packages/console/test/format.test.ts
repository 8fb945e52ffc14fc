import { assert, describe, it } from "@effect/vitest"
import {
  agoOf,
  bytesOf,
  clockOf,
  dateOf,
  dayOf,
  momentOf,
  numberOf,
  percentOf,
  preciseOf,
} from "../src/format.js"

describe("numbers and times as people read them", () => {
  it("are those of the browser, without its time", () => {
    const numbers = new Intl.NumberFormat("en")
    for (const value of [0, 7, 999, 1000, -1234, 1_234_567, 12.5, 1234.5678, 0.0004, 1e9, 99_999_999_999_999])
      assert.strictEqual(numberOf(value), numbers.format(value))
    const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 })
    for (const share of [0, 0.07, 0.29, 0.5, 0.999, 1])
      assert.strictEqual(percentOf(share), percents.format(Math.floor(share * 100) / 100))
  })

  it("are dates of the browser, too", () => {
    const formats = [
      [dateOf, { dateStyle: "medium" }],
      [momentOf, { dateStyle: "medium", timeStyle: "medium" }],
      [dayOf, { month: "short", day: "numeric", timeZone: "UTC" }],
    ] as const
    for (const [ours, format] of formats)
      for (const hours of [0, 1, 11.999, 12, 13.5, 23.9999]) {
        const at = new Date(Date.UTC(2026, 1, 28) + hours * 3_600_000)
        const wanted = new Intl.DateTimeFormat("en", format).format(at).replace("\u202F", " ")
        assert.strictEqual(ours(at.toISOString()), wanted)
      }
    assert.deepStrictEqual([0, 999, 1500, 1_250_000, 3e12].map(bytesOf), [
      "0 B",
      "999 B",
      "1.5 kB",
      "1.3 MB",
      "3,000 GB",
    ])
  })

  it("are the moment that has begun, in whole seconds and in tenths alike", () => {
    for (const [seconds, clock, precise] of [
      [0, "0:00", "0:00.0"],
      [8.96, "0:08", "0:08.9"],
      [9, "0:09", "0:09.0"],
      [59.999, "0:59", "0:59.9"],
      [3725.05, "1:02:05", "1:02:05.0"],
    ] as const)
      assert.deepStrictEqual([clockOf(seconds), preciseOf(seconds)], [clock, precise])
    // Each tenth of a second is shown as itself, though most are no binary fractions.
    for (let tenths = 0; tenths < 6000; tenths++)
      assert.isTrue(preciseOf(tenths / 10).endsWith(`.${tenths % 10}`))
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
