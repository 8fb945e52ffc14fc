import { parseFeedDuration } from "@earmark/core/feeds"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"

describe("durations", () => {
  const cases: ReadonlyArray<readonly [string, number | null]> = [
    ["0", 0],
    ["1824.618204", 1824],
    ["59.999", 59],
    ["05:10", 310],
    ["61:08", 3668],
    ["25:3:30 ", 90210],
    ["01:02:03.500", 3723],
    ["99:59", 5999],
    ["99:59:59", 359_999],
    ["00:04:60", 300],
    ["00:60:05", 3605],
    ["1:60:60", 7260],
    ["10:60", 660],
    ["99:99:99", null],
    ["1:61:00", null],
    ["1:00:61", null],
    ["10:61", null],
    ["10:600", null],
    ["", null],
    ["-5", null],
    ["1:2:3:4", null],
    ["1h 20m", null],
    ["PT1H2M3S", null],
    ["45 min", null],
    ["99999999999999999999", null],
    [":30", null],
    ["10:", null],
  ]
  for (const [text, seconds] of cases) {
    it(`${JSON.stringify(text)} is ${seconds}`, () => assert.strictEqual(parseFeedDuration(text), seconds))
  }

  it.prop("hours, minutes and seconds add up", { seconds: fc.nat(400_000) }, ({ seconds }) => {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    const padded = parts.map((part) => String(part).padStart(2, "0")).join(":")
    assert.strictEqual(parseFeedDuration(padded), seconds)
    assert.strictEqual(parseFeedDuration(`${seconds}.9`), seconds)
  })
})
