import { type ExportDocument, exportFormats, exportTranscript } from "@earmark/core/captions"
import { documentOfJson, publicMediaUrl } from "@earmark/core/publishing"
import { assert, describe, it } from "@effect/vitest"
import { Either, Struct } from "effect"
import { documentOf, segment, textOf } from "../captions/writing.js"

const whole: ExportDocument = documentOf(
  [segment(0, 4000, "Speaker 1", "Good morning to you."), segment(4200, 9000, null, "We open at nine.")],
  {
    id: "tr_1",
    title: "The museum",
    summary: "A visit.",
    speakerNames: { "Speaker 1": "Ann" },
    chapters: [{ start: 0, end: 9000, title: "Opening" }],
    wordTiming: "estimated",
    doubts: [{ start: 1000, end: 2000, reason: "looping" }],
  },
)

describe("a document of an export in JSON", () => {
  it("is what it was written from: every format is the same", () => {
    const read = documentOfJson(textOf(whole, { format: "json", wordLevel: true }))
    assert(read !== null)
    for (const format of Struct.keys(exportFormats)) {
      if (format === "docx") continue
      assert.strictEqual(textOf(read, { format }), textOf(whole, { format }), format)
    }
    assert.strictEqual(
      textOf(read, { format: "vtt", wordLevel: true }),
      textOf(whole, { format: "vtt", wordLevel: true }),
    )
  })

  it("has no words where the export had none", () => {
    const read = documentOfJson(textOf(whole, { format: "json" }))
    assert(read !== null)
    assert.isTrue(Either.isLeft(exportTranscript(read, { format: "srt", wordLevel: true })))
    assert.strictEqual(textOf(read, { format: "txt" }), textOf(whole, { format: "txt" }))
  })

  it("is none of other JSON", () => {
    for (const text of ["[]", "null", "{}", '{"version":2,"segments":[]}', '{"version":1,"segments":{}}'])
      assert.isNull(documentOfJson(text))
    assert.deepStrictEqual(
      documentOfJson('{"version":1,"segments":[1,{"start":-1,"words":[null]}]}')?.segments.length,
      2,
    )
  })
})

describe("the address of a recording for everyone", () => {
  it("is of the web, and has no login and no secret", () => {
    const good = "https://media.example/12.mp3?from=feed"
    assert.strictEqual(publicMediaUrl(good), good)
    for (const address of [
      "file:///home/ann/12.mp3",
      "javascript:alert(1)",
      "12.mp3",
      "https://ann:word@media.example/12.mp3",
      "https://media.example/12.mp3?token-hash=x",
      "https://media.example/12.mp3?X-Amz-Signature=x",
      "https://media.example/12.mp3?Expires=1",
    ])
      assert.isNull(publicMediaUrl(address), address)
  })
})
