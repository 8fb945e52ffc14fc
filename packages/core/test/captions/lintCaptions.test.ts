import { languageOfCaptions, lintCaptions, readCaptions } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"

const GERMAN = `WEBVTT

00:00.000 --> 00:06.000
Heute sprechen wir darüber, wie die Bienen im Winter leben.

00:06.000 --> 00:12.000
Sie bleiben im Stock und wärmen sich gegenseitig.
`

describe("the language of captions", () => {
  it("is what the file says, else what its text is in, where that is clear", () => {
    const file = Either.getOrThrow(readCaptions(GERMAN))
    assert.strictEqual(languageOfCaptions(file), "de")
    assert.strictEqual(languageOfCaptions({ ...file, language: "fr" }), "fr")
    assert.isNull(languageOfCaptions({ cues: [], language: null }))
  })
})

describe("a caption file that is judged", () => {
  it("is judged by its profile, in the format that is named", () => {
    const report = Either.getOrThrow(lintCaptions(GERMAN))
    assert.strictEqual(report.profile, "standard")
    assert.strictEqual(report.cues, 2)
    assert.isAbove(report.counts.line_too_wide ?? 0, 0)
    const wide = Either.getOrThrow(lintCaptions(GERMAN, { profile: "netflix", maxCharsPerLine: 80 }))
    assert.strictEqual(wide.profile, "netflix")
    assert.isUndefined(wide.counts.line_too_wide)
  })

  it("has to be captions", () => {
    assert.isTrue(Either.isLeft(lintCaptions("not captions at all")))
  })
})
