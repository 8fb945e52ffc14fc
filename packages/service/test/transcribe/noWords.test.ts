import { warningOf } from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { noWords } from "../../src/transcribe/noWords.js"

describe("why a recording has no text", () => {
  it("names a file that is cut off, unless a voice was detected", () => {
    const warnings = [warningOf("media_truncated")]
    const asked = { startAt: null, durationSeconds: 90 }
    assert.isUndefined(noWords({ ...asked, voice: [], warnings: [] }).detail)
    assert.match(noWords({ ...asked, voice: [], warnings }).detail ?? "", /^The file is cut off: /)
    const voice = [{ start: 61_000, end: 64_000 }]
    assert.match(noWords({ ...asked, voice, warnings }).detail ?? "", /3 s of voice .* first at 1:01/)
  })

  it("names a start behind the end", () => {
    const silent = { voice: [], warnings: [], durationSeconds: 37 }
    assert.match(
      noWords({ ...silent, startAt: 90_000 }).detail ?? "",
      /^The start 1:30 is behind the end of the media: it is 0:37 long\.$/,
    )
    assert.isUndefined(noWords({ ...silent, startAt: 36_000 }).detail)
  })
})
