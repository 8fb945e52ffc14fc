import { type ConvertOptions, convertCaptions, exportFormats } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { read } from "./reading.js"

const SRT =
  "1\n00:00:01,000 --> 00:00:02,000\nAn odd\nlayout\n\n2\n00:00:01,500 --> 00:00:04,000\nthat overlaps & stays\n"

const converted = (text: string, options: ConvertOptions) => {
  const made = convertCaptions(read(text), options)
  assert(Either.isRight(made))
  return Buffer.concat([...made.right.chunks].map((chunk) => Buffer.from(chunk))).toString()
}

describe("converting captions", () => {
  it("from captions to captions the layout stays", () => {
    assert.strictEqual(
      converted(SRT, { to: "vtt" }),
      "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\nAn odd\nlayout\n\n2\n00:00:01.500 --> 00:00:04.000\nthat overlaps &amp; stays\n",
    )
  })
  it("there and back again gives the same file", () => {
    assert.strictEqual(converted(converted(SRT, { to: "vtt" }), { to: "srt" }), `${SRT}\n`)
    for (const to of ["ass", "ttml"] as const)
      assert.strictEqual(converted(converted(SRT, { to }), { to: "srt" }), `${SRT}\n`)
  })
  it("a profile or a line length makes new cues", () => {
    for (const options of [{ profile: "standard" }, { maxLines: 1 }, { maxCharsPerLine: 42 }] as const)
      assert.include(converted(SRT, { to: "srt", ...options }), "An odd layout")
  })
  it("chapters are found in the text", () => {
    const chapters = JSON.parse(converted(SRT, { to: "chapters" })).chapters
    assert.strictEqual(chapters.length, 1)
  })
  it("new cues are cut by the language of the text", () => {
    const text = "今日は天気がとても良いので、みんなで公園へ行ってお弁当を食べました。楽しかったです。"
    const srt = `1\n00:00:01,000 --> 00:00:12,000\n${text}\n`
    const made = converted(srt, { to: "srt", profile: "netflix" })
    assert.strictEqual(made, converted(srt, { to: "srt", profile: "netflix", language: "ja" }))
    assert.notStrictEqual(made, converted(srt, { to: "srt", profile: "netflix", language: "en" }))
  })
  it("speakers become prefixes and voices, or go", () => {
    const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>hi\n\n00:02.000 --> 00:03.000\n<v Ann>there\n"
    assert.include(converted(vtt, { to: "srt" }), "\nAnn: hi\n\n2\n00:00:02,000 --> 00:00:03,000\nthere\n")
    assert.notInclude(converted(vtt, { to: "srt", speakers: false }), "Ann")
    assert.include(converted(vtt, { to: "vtt" }), "<v Ann>hi</v>")
  })
  it("word times go along", () => {
    const vtt = "WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.000\none <00:00:02.000>two\n"
    assert.strictEqual(converted(vtt, { to: "vtt", wordLevel: true }), vtt)
    assert.include(converted(vtt, { to: "srt", wordLevel: true }), "2\n00:00:02,000 --> 00:00:03,000\ntwo\n")
  })
  it("word level without word times is refused", () => {
    for (const options of [{ to: "vtt" }, { to: "json" }, { to: "vtt", profile: "podcast" }] as const) {
      const made = convertCaptions(read(SRT), { ...options, wordLevel: true })
      assert(Either.isLeft(made))
      assert.strictEqual(made.left.code, "no_word_timing")
    }
  })
  it("two voices in one cue speak in turn", () => {
    const vtt = "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ann>one two</v>\n<v Bob>ten six</v>\n"
    const { segments } = JSON.parse(converted(vtt, { to: "json" }))
    assert.deepStrictEqual(segments, [
      { start: 0, end: 2, speaker: "Ann", text: "one two" },
      { start: 2, end: 4, speaker: "Bob", text: "ten six" },
    ])
  })
  it("to every format there is", () => {
    const vtt = "WEBVTT\nLanguage: de\n\n00:01.000 --> 00:02.000\n<v Ann>eins <00:00:01.500>zwei\n"
    for (const format of Object.keys(exportFormats)) {
      const to = Object.keys(exportFormats).find((name): name is ConvertOptions["to"] => name === format)
      assert(to !== undefined)
      const text = converted(vtt, { to, title: "Titel" })
      if (to === "chapters") assert.include(text, '"chapters":[{')
      else assert.match(text, to === "rttm" ? /Ann/ : /eins/)
    }
  })
})
