import { assert, describe, it } from "@effect/vitest"
import { millisecondsOf } from "../src/database/values.js"

describe("times as the database writes them", () => {
  for (const [text, iso] of [
    ["2026-01-31 08:00:00+00", "2026-01-31T08:00:00Z"],
    ["2026-01-31 08:00:00.5+00", "2026-01-31T08:00:00.500Z"],
    ["2026-01-31 08:00:00.123999+00", "2026-01-31T08:00:00.123Z"],
    ["2026-01-31 08:00:00.000999+05:30", "2026-01-31T02:30:00.000Z"],
    ["2024-02-29 23:59:59.999-08", "2024-03-01T07:59:59.999Z"],
    ["1969-12-31 23:59:59.25+00", "1969-12-31T23:59:59.250Z"],
    ["0099-07-01 00:00:00+00", "0099-07-01T00:00:00Z"],
    ["0001-01-01 00:00:00+00", "0001-01-01T00:00:00Z"],
  ] as const) {
    it(`reads ${text}`, () => assert.strictEqual(millisecondsOf(text), Date.parse(iso)))
  }
})
