import { assert, describe, it } from "@effect/vitest"
import { reachedBy } from "../src/work/served.js"

describe("reachedBy", () => {
  it.each([
    ["of the whole", 600, null, null, 300],
    ["between a beginning and an end", 600, 60_000, 120_000, 90],
    ["up to an end behind that of the media", 600, 300_000, 900_000, 450],
    ["of a length that nobody knows", null, 60_000, null, 0],
  ] as const)("is half way %s", (_, seconds, startAt, endAt, reached) => {
    assert.strictEqual(reachedBy({ seconds, share: 0.5 }, { startAt, endAt }), reached)
  })
})
