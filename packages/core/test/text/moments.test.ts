import { assert, describe, it } from "@effect/vitest"
import { readLength, readMoment } from "../../src/text/moments.js"

const NOON = Date.UTC(2026, 10, 26, 12)
const DAY = 86_400_000

describe("a moment as people write it", () => {
  it("is a day, a time, or how long ago", () => {
    assert.strictEqual(readMoment("2026-11-01", NOON), Date.UTC(2026, 10, 1))
    assert.strictEqual(readMoment("2026-11-01T08:30:00Z", NOON), Date.UTC(2026, 10, 1, 8, 30))
    assert.strictEqual(readMoment("2026-11-01T08:30:00+02:00", NOON), Date.UTC(2026, 10, 1, 6, 30))
    for (const [text, days] of [
      ["1d", 1],
      ["2w", 14],
      ["6m", 180],
      ["1y", 365],
    ] as const)
      assert.strictEqual(readMoment(text, NOON), NOON - days * DAY, text)
  })

  it("is nothing else", () => {
    for (const text of ["", "soon", "30", "30h", "2026-11", "2026-13-01", "2026-11-01 08:00", "-1d"])
      assert.isNull(readMoment(text, NOON), text)
  })
})

describe("a length of time as people write it", () => {
  it("is a number of seconds, minutes, hours or days", () => {
    assert.deepStrictEqual(["90s", "30m", "6h", "1d"].map(readLength), [90, 1800, 21_600, 86_400])
    for (const text of ["", "30", "m", "1.5h", "1w"]) assert.isNull(readLength(text), text)
  })
})
