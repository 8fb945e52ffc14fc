import { warningOf } from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { noWords } from "../../src/transcribe/noWords.js"

describe("why a recording has no text", () => {
  it("names a file that is cut off, unless a voice was detected", () => {
    const warnings = [warningOf("media_truncated")]
    assert.isUndefined(noWords({ voice: [], warnings: [] }).detail)
    assert.match(noWords({ voice: [], warnings }).detail ?? "", /^The file is cut off: /)
    const voice = [{ start: 61_000, end: 64_000 }]
    assert.match(noWords({ voice, warnings }).detail ?? "", /3 s of voice .* first at 1:01/)
  })
})
