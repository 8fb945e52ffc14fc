import type { ExportFormat, ExportOptions } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import { read } from "./reading.js"
import { documentOf, refusalOf, segment, textOf } from "./writing.js"

const talk = documentOf(
  [
    segment(1000, 3000, "Speaker 1", "Hello and welcome."),
    segment(3500, 5000, "Speaker 2", "Thanks a lot."),
    segment(5500, 7000, "Speaker 2", "Shall we start?"),
  ],
  { speakerNames: { "Speaker 1": "Ann" }, title: "A talk" },
)
const said = (
  text: string,
  options: Partial<ExportOptions> & { readonly format: ExportFormat },
  speaker: string | null = null,
) => textOf(documentOf([segment(0, 4000, speaker, text)]), options)

describe("SubRip", () => {
  it("numbers, commas, a name where another speaker begins", () => {
    assert.strictEqual(
      textOf(talk, { format: "srt" }),
      "1\n00:00:01,000 --> 00:00:03,416\nAnn: Hello and welcome.\n\n" +
        "2\n00:00:03,500 --> 00:00:05,416\nSpeaker 2: Thanks a lot.\n\n" +
        "3\n00:00:05,500 --> 00:00:07,000\nShall we start?\n\n",
    )
  })
  it("word level: one cue for each word", () => {
    assert.strictEqual(
      textOf(documentOf([segment(0, 1000, "A", "one two")]), { format: "srt", wordLevel: true }),
      "1\n00:00:00,000 --> 00:00:00,500\nA: one\n\n2\n00:00:00,500 --> 00:00:01,000\ntwo\n\n",
    )
  })
  it("an arrow becomes a sign, tags are broken, numbers stay", () => {
    assert.include(said("a --> b", { format: "srt" }), "\na → b\n")
    assert.include(
      said("x <b> y {\\an8} z < 1 {q}", { format: "srt" }),
      "\nx <\u2060b> y {\u2060\\an8} z < 1 {q}\n",
    )
    assert.deepStrictEqual(read(said("42", { format: "srt" })).cues[0]?.lines, ["42"])
    assert.deepStrictEqual(read(said("x <b> y {\\an8} z", { format: "srt" })).cues[0]?.lines, [
      "x <b> y {\\an8} z",
    ])
  })
})

describe("WebVTT", () => {
  it("voices, ids, hours", () => {
    assert.strictEqual(
      textOf(talk, { format: "vtt" }),
      "WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.416\n<v Ann>Hello and welcome.</v>\n" +
        "\n2\n00:00:03.500 --> 00:00:05.416\n<v Speaker 2>Thanks a lot.</v>\n" +
        "\n3\n00:00:05.500 --> 00:00:07.000\n<v Speaker 2>Shall we start?</v>\n",
    )
  })
  it("the podcast profile writes names instead of voices", () => {
    const text = textOf(talk, { format: "vtt", profile: "podcast" })
    assert.include(text, "\nAnn: Hello and welcome.\n")
    assert.notInclude(text, "<v")
  })
  it("word level: a stamp before every word but the first", () => {
    assert.include(
      textOf(documentOf([segment(0, 3000, "A", "one two three")]), { format: "vtt", wordLevel: true }),
      "<v A>one <00:00:01.000>two <00:00:02.000>three</v>",
    )
  })
  it("text is escaped, so nothing in it is a tag or an arrow", () => {
    const text = said("a <b>&amp; --> c", { format: "vtt" })
    assert.include(text, "\na &lt;b&gt;&amp;amp; --&gt; c\n")
    assert.deepStrictEqual(read(text).cues[0]?.lines, ["a <b>&amp; --> c"])
  })
  it("a voice name gets look-alikes, an empty one no tag", () => {
    assert.include(said("hi", { format: "vtt" }, "<A>\t& B"), "<v ‹A› ＆ B>hi</v>")
    assert.include(said("hi", { format: "vtt" }, " \n"), "\nhi\n")
  })
  it("a voice name that ends in dashes makes no arrow with the end of its tag", () => {
    for (const name of ["--", "Ann --"]) {
      const text = said("hi", { format: "vtt" }, name)
      assert.include(text, `<v ${name} >hi</v>`)
      assert.deepStrictEqual([read(text).cues[0]?.speaker, read(text).cues[0]?.lines], [name, ["hi"]])
    }
  })
  it("provenance is a note, only when asked for", () => {
    assert.notInclude(textOf(talk, { format: "vtt" }), "NOTE")
    const text = textOf(talk, { format: "vtt", provenance: "made by\nme --> you" })
    assert.isTrue(text.startsWith("WEBVTT\n\nNOTE\nmade by me → you\n\n1\n"))
    assert.strictEqual(read(text).cues.length, 3)
  })
})

describe("every cue format", () => {
  it("text cannot end a cue or break a line", () => {
    const hostile =
      "one\n\n2\r\n00:00:09.000 --> 00:00:10.000\u0085two\u2028three\u2029four\u0000\u0007five \ud800six"
    for (const format of ["srt", "vtt", "ttml", "ass"] as const) {
      const file = read(said(hostile, { format }))
      const text = file.cues.map((cue) => cue.lines.join(" ")).join(" ")
      assert.strictEqual(
        text.replace("→", "-->"),
        "one 2 00:00:09.000 --> 00:00:10.000 two three four\u0000\u0007five \ufffdsix".replace(
          /[\u0000\u0007]/g,
          "",
        ),
        format,
      )
    }
  })
  it("hours grow past two digits", () => {
    const far = documentOf([segment(360_000_000, 360_001_000, null, "far")])
    assert.include(textOf(far, { format: "srt" }), "100:00:00,000 --> 100:00:0")
    assert.include(textOf(far, { format: "vtt" }), "100:00:00.000 --> 100:00:0")
    assert.include(textOf(far, { format: "ttml" }), 'begin="100:00:00.000"')
    assert.include(textOf(far, { format: "ass" }), "Dialogue: 0,100:00:00.00,100:00:0")
    assert.include(textOf(far, { format: "podcast_json" }), '"startTime":360000')
  })
  it("nobody speaks: the frame only", () => {
    const nobody = documentOf([])
    assert.strictEqual(textOf(nobody, { format: "srt" }), "")
    assert.strictEqual(textOf(nobody, { format: "vtt" }), "WEBVTT\n")
    assert.deepStrictEqual(JSON.parse(textOf(nobody, { format: "podcast_json" })), {
      version: "1.0.0",
      segments: [],
    })
    for (const format of ["ass", "ttml"] as const)
      assert.deepStrictEqual(read(textOf(nobody, { format })).cues, [])
  })
  it("without speakers the bytes are those of a transcript that has none", () => {
    const one = [segment(0, 2000, "A", "Hello there."), segment(2500, 4000, "A", "And more.")]
    const none = one.map((each) => segment(each.start, each.end, null, each.text))
    for (const format of ["srt", "vtt", "podcast_json", "ass", "ttml"] as const)
      assert.strictEqual(
        textOf(documentOf(one), { format, speakers: false }),
        textOf(documentOf(none), { format }),
      )
  })
  it("words without times are spread, but word level is refused", () => {
    const untimed = documentOf([segment(0, 3000, "A", "Hello out there.", false)])
    assert.include(textOf(untimed, { format: "vtt" }), "<v A>Hello out there.</v>")
    for (const format of ["srt", "vtt", "json", "podcast_json", "csv", "tsv", "ass", "ctm"] as const)
      assert.strictEqual(refusalOf(untimed, { format, wordLevel: true }), "no_word_timing")
  })
  it("word level is allowed when 95 % of the text is timed", () => {
    const mostly = documentOf([
      segment(0, 60_000, "A", "word ".repeat(100).trim()),
      segment(60_000, 61_000, "A", "end", false),
    ])
    assert.include(textOf(mostly, { format: "srt", wordLevel: true }), "\nend\n")
  })
  it("formats without words refuse word level", () => {
    for (const format of ["chapters", "html", "docx", "ttml", "rttm"] as const)
      assert.strictEqual(refusalOf(talk, { format, wordLevel: true }), "invalid_request")
  })
  it("a translation takes its own text and has no word times", () => {
    const translated = {
      ...talk,
      translation: { language: "de", segments: [segment(1000, 3000, "Speaker 1", "Hallo zusammen.", false)] },
    }
    assert.include(textOf(translated, { format: "srt", language: "de" }), "Ann: Hallo zusammen.")
    assert.strictEqual(
      refusalOf(translated, { format: "srt", language: "de", wordLevel: true }),
      "no_word_timing",
    )
    assert.strictEqual(refusalOf(translated, { format: "srt", language: "fr" }), "no_translation")
  })
})

describe("ASS, TTML, podcast JSON", () => {
  it("ASS: names, karaoke, backslashes and braces are text", () => {
    const text = textOf(documentOf([segment(0, 3000, "A, B", "one two\\Nthree {x}")]), {
      format: "ass",
      wordLevel: true,
    })
    assert.include(
      text,
      "Dialogue: 0,0:00:00.00,0:00:03.00,Default,A， B,0,0,0,,{\\k100}one {\\k100}two\\\u2060Nthree {\\k100}｛x｝",
    )
  })
  it("TTML is escaped and names agents", () => {
    const text = textOf(documentOf([segment(0, 3000, 'A & "B"', "x < y & z")]), { format: "ttml" })
    assert.include(
      text,
      '<ttm:agent xml:id="speaker1" type="person"><ttm:name type="full">A &amp; &quot;B&quot;</ttm:name></ttm:agent>',
    )
    const [cue] = read(text).cues
    assert.deepStrictEqual([cue?.speaker, cue?.lines], ['A & "B"', ["x < y & z"]])
  })
  it("podcast JSON: names, and no field for nobody", () => {
    const { segments } = JSON.parse(textOf(talk, { format: "podcast_json" }))
    assert.deepStrictEqual(segments[0], {
      speaker: "Ann",
      startTime: 1,
      endTime: 3,
      body: "Hello and welcome.",
    })
    const alone = JSON.parse(said("hi there", { format: "podcast_json", wordLevel: true }))
    assert.deepStrictEqual(alone.segments, [
      { startTime: 0, endTime: 2, body: "hi" },
      { startTime: 2, endTime: 4, body: "there" },
    ])
  })
})
