import { assert, describe, it } from "@effect/vitest"
import { read, told } from "./reading.js"
import { documentOf, refusalOf, segment, textOf } from "./writing.js"

const talk = documentOf(
  [
    segment(1000, 3000, "Speaker 1", "Hello and welcome."),
    segment(3100, 5000, "Speaker 1", "Nice to see you."),
    segment(9000, 10_000, "Speaker 1", "After a pause."),
    segment(10_000, 12_000, "Speaker 2", "Thanks."),
  ],
  {
    id: "tr_1",
    title: "A *talk*",
    summary: "They greet.\n\nThey thank.",
    chapters: [
      { start: 0, end: 9000, title: "Start <1>" },
      { start: 9000, end: 12_000, title: "End" },
    ],
    speakerNames: { "Speaker 1": "Ann_B" },
  },
)
const nobody = documentOf([])

describe("paragraphs", () => {
  it("txt: a turn, a pause and a chapter begin a new one", () => {
    assert.strictEqual(
      textOf(talk, { format: "txt" }),
      "Ann_B: Hello and welcome. Nice to see you.\n\nAfter a pause.\n\nSpeaker 2: Thanks.\n",
    )
    assert.notInclude(textOf(talk, { format: "txt", speakers: false }), "Ann")
  })
  it("txt: a long turn is cut at a sentence end after about 800 characters", () => {
    const sentences = Array.from({ length: 40 }, (_, at) =>
      segment(at * 1000, at * 1000 + 1000, "A", `This is the sentence with number ${at} of them.`),
    )
    const paragraphs = textOf(documentOf(sentences), { format: "txt" }).split("\n\n")
    assert.isAbove(paragraphs.length, 1)
    for (const paragraph of paragraphs.slice(0, -1)) {
      assert.isAtLeast(paragraph.length, 800)
      assert.isAtMost(paragraph.length, 860)
      assert.match(paragraph, /\.$/)
    }
  })
  it("txt: a long segment is read word by word", () => {
    const long = segment(0, 100_000, null, "One more sentence here. ".repeat(100).trim())
    assert.isAbove(textOf(documentOf([long]), { format: "txt" }).split("\n\n").length, 2)
  })
  it("txt: Chinese is joined without spaces", () => {
    const chinese = documentOf([segment(0, 1000, null, "你好。"), segment(1000, 2000, null, "世界。")])
    assert.strictEqual(textOf(chinese, { format: "txt" }), "你好。世界。\n")
  })
  it("md: everything that Markdown would read is escaped", () => {
    assert.strictEqual(
      textOf(talk, { format: "md" }),
      "# A \\*talk\\*\n\nThey greet.\n\nThey thank.\n\n## Start \\<1\\>\n\n**Ann\\_B** [0:00:01]\n\n" +
        "Hello and welcome. Nice to see you.\n\n## End\n\n**Ann\\_B** [0:00:09]\n\nAfter a pause.\n\n**Speaker 2** [0:00:10]\n\nThanks.\n\n",
    )
    const tricky = (text: string) => textOf(documentOf([segment(0, 1000, null, text)]), { format: "md" })
    assert.include(tricky("1. one"), "\n1\\. one")
    assert.include(tricky("- one"), "\n\\- one")
    assert.include(tricky("# one [a](b) `c` ![d]"), "\n\\# one \\[a\\](b) \\`c\\` !\\[d\\]")
    assert.include(tricky("+ a = b | c"), "\n\\+ a = b \\| c")
  })
  it("txt at word level: each word behind its time, the text of a segment without words behind that of the segment", () => {
    const mixed = documentOf([
      segment(0, 2000, "Speaker 1", "Hello there, and good morning to all of you who listen to this show."),
      segment(2000, 2500, "Speaker 1", "Hm.", false),
      segment(9000, 10_000, "Speaker 1", "Yes."),
      segment(10_000, 11_000, "Speaker 2", "No."),
    ])
    const lines = textOf(mixed, { format: "txt", wordLevel: true }).split("\n")
    assert.deepStrictEqual(lines.slice(0, 3), ["Speaker 1:", "00:00:00.000 Hello", "00:00:00.143 there,"])
    assert.deepStrictEqual(lines.slice(-7), [
      "00:00:02.000 Hm.",
      "",
      "00:00:09.000 Yes.",
      "",
      "Speaker 2:",
      "00:00:10.000 No.",
      "",
    ])
  })
  it("md at word level: a list of the words under each speaker and time", () => {
    const text = textOf(talk, { format: "md", wordLevel: true })
    assert.include(
      text,
      "## Start \\<1\\>\n\n**Ann\\_B** [0:00:01]\n\n- 00:00:01.000 Hello\n- 00:00:01.667 and\n- 00:00:02.333 welcome.\n- 00:00:03.100 Nice\n",
    )
    assert.match(text, /- 00:00:10\.000 Thanks\.\n\n$/)
  })
  it("word level in txt and md needs times for the words", () => {
    const untimed = documentOf([segment(0, 1000, null, "No times here.", false)])
    for (const format of ["txt", "md"] as const)
      assert.strictEqual(refusalOf(untimed, { format, wordLevel: true }), "no_word_timing")
  })
  it("html: a page that our reader reads back", () => {
    const page = textOf(talk, { format: "html" })
    assert.include(page, "<title>A *talk*</title>")
    assert.include(page, "<h2>Start &lt;1&gt;</h2>")
    assert.include(
      page,
      "<cite>Ann_B:</cite><time>0:00:01</time>\n<p>Hello and welcome. Nice to see you.</p>",
    )
    assert.notMatch(page, /<script|src=|href=|url\(/)
    assert.deepStrictEqual(read(page).cues.map(told).slice(-1), ["10000-11000 Speaker 2: Thanks."])
  })
  it("nobody speaks: the title only", () => {
    const titled = { ...nobody, title: "Silence" }
    assert.strictEqual(textOf(nobody, { format: "txt" }), "")
    assert.strictEqual(textOf(titled, { format: "md" }), "# Silence\n\n")
    assert.include(textOf(titled, { format: "html" }), '<body dir="auto">\n<h1>Silence</h1>\n</body>')
  })
})

describe("tables", () => {
  it("csv: seconds, CRLF, quotes, no formula", () => {
    const tricky = documentOf([
      segment(0, 1500, "Ann, B", 'say "hi", you'),
      segment(1500, 2001, null, "=1+1"),
      segment(2001, 2002, "@x", "-1"),
    ])
    assert.strictEqual(
      textOf(tricky, { format: "csv" }),
      'start,end,speaker,text\r\n0,1.5,"Ann, B","say ""hi"", you"\r\n1.5,2.001,,\'=1+1\r\n2.001,2.002,\'@x,\'-1\r\n',
    )
  })
  it("csv and tsv at word level: one row for each word", () => {
    const two = documentOf([segment(0, 1000, "A", "one two")])
    assert.strictEqual(
      textOf(two, { format: "csv", wordLevel: true }),
      "start,end,speaker,text\r\n0,0.5,A,one\r\n0.5,1,A,two\r\n",
    )
    assert.strictEqual(
      textOf(two, { format: "tsv", wordLevel: true }),
      "start\tend\ttext\n0\t500\tone\n500\t1000\ttwo\n",
    )
  })
  it("tsv: whole milliseconds, no tab or line end in the text", () => {
    const tricky = documentOf([{ ...segment(0.4, 1500.6, "A", "x"), text: "a\tb\r\nc" }])
    assert.strictEqual(textOf(tricky, { format: "tsv" }), "start\tend\ttext\n0\t1501\ta b c\n")
  })
  it("nobody speaks: the header row", () => {
    assert.strictEqual(textOf(nobody, { format: "csv" }), "start,end,speaker,text\r\n")
    assert.strictEqual(textOf(nobody, { format: "tsv" }), "start\tend\ttext\n")
  })
  it("ctm and rttm", () => {
    assert.strictEqual(
      textOf(documentOf([segment(0, 1000, "A", "one two")], { id: "my talk" }), { format: "ctm" }),
      "my_talk 1 0.000 0.500 one 0.900\nmy_talk 1 0.500 0.500 two 0.900\n",
    )
    assert.strictEqual(
      textOf(talk, { format: "rttm" }),
      "SPEAKER tr_1 1 1.000 4.000 <NA> <NA> Ann_B <NA> <NA>\nSPEAKER tr_1 1 9.000 1.000 <NA> <NA> Ann_B <NA> <NA>\n" +
        "SPEAKER tr_1 1 10.000 2.000 <NA> <NA> Speaker_2 <NA> <NA>\n",
    )
  })
})

describe("JSON", () => {
  it("all that is known", () => {
    const json = JSON.parse(textOf(talk, { format: "json" }))
    assert.deepStrictEqual(Object.keys(json), [
      "version",
      "id",
      "title",
      "language",
      "duration_seconds",
      "word_timing",
      "doubts",
      "text",
      "summary",
      "chapters",
      "speakers",
      "segments",
      "translation",
    ])
    assert.strictEqual(json.text, "Hello and welcome. Nice to see you. After a pause. Thanks.")
    assert.deepStrictEqual(json.speakers, [
      { label: "Speaker 1", name: "Ann_B" },
      { label: "Speaker 2", name: "Speaker 2" },
    ])
    assert.deepStrictEqual(json.chapters[1], { start: 9, end: 12, title: "End" })
    assert.deepStrictEqual(json.segments[3], { start: 10, end: 12, speaker: "Speaker 2", text: "Thanks." })
  })
  it("words at word level", () => {
    const json = JSON.parse(textOf(talk, { format: "json", wordLevel: true }))
    assert.deepStrictEqual(json.segments[3].words, [{ start: 10, end: 12, text: "Thanks.", confidence: 0.9 }])
  })
  it("a translation beside the text", () => {
    const translation = { language: "de", segments: [segment(10_000, 12_000, "Speaker 2", "Danke.", false)] }
    const json = JSON.parse(textOf({ ...talk, translation }, { format: "json" }))
    assert.deepStrictEqual(json.translation, {
      language: "de",
      text: "Danke.",
      segments: [{ start: 10, end: 12, speaker: "Speaker 2", text: "Danke." }],
    })
  })
  it("nobody speaks", () => {
    const json = JSON.parse(textOf(nobody, { format: "json" }))
    assert.deepStrictEqual(
      [json.text, json.segments, json.chapters, json.speakers, json.translation],
      ["", [], [], [], null],
    )
    assert.deepStrictEqual(JSON.parse(textOf(nobody, { format: "chapters" })), {
      version: "1.2.0",
      chapters: [],
    })
  })
  it("chapters in plain seconds", () => {
    assert.deepStrictEqual(JSON.parse(textOf(talk, { format: "chapters" })).chapters, [
      { startTime: 0, endTime: 9, title: "Start <1>" },
      { startTime: 9, endTime: 12, title: "End" },
    ])
  })
})
