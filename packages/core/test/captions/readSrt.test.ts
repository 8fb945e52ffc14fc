import { readCaptions } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { read, told } from "./reading.js"

const cuesOf = (text: string) => read(text).cues.map(told)

describe("SubRip", () => {
  const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
    [
      "as it should be",
      "1\n00:00:01,000 --> 00:00:02,500\nhello\nworld\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
      ["1000-2500 hello / world", "3000-4000 b"],
    ],
    ["dots, one to three digits, short fields", "1\n0:0:1.5 --> 0:0:2,25\na", ["1500-2250 a"]],
    ["no hours", "00:01,000 --> 00:02,000\na", ["1000-2000 a"]],
    ["no arrow spaces, coordinates behind", "00:00:01,000-->00:00:02,000 X1:1 X2:2\na", ["1000-2000 a"]],
    [
      "no index",
      "00:00:01,000 --> 00:00:02,000\na\n\n00:00:03,000 --> 00:00:04,000\nb",
      ["1000-2000 a", "3000-4000 b"],
    ],
    [
      "no blank line between cues",
      "1\n00:00:01,000 --> 00:00:02,000\na\n2\n00:00:03,000 --> 00:00:04,000\nb",
      ["1000-2000 a", "3000-4000 b"],
    ],
    [
      "a blank line inside a cue joins",
      "1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n\n2\n00:00:03,000 --> 00:00:04,000\nc",
      ["1000-2000 a / b", "3000-4000 c"],
    ],
    [
      "a line of text that is a number",
      "1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:03,000 --> 00:00:04,000\n7\n",
      ["1000-2000 42", "3000-4000 7"],
    ],
    [
      "numbers without index",
      "00:00:01,000 --> 00:00:02,000\n42\n\n00:00:03,000 --> 00:00:04,000\nb",
      ["1000-2000 42", "3000-4000 b"],
    ],
    [
      "CRLF, byte order mark and a number",
      "\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\n42\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nb\r\n",
      ["1000-2000 42", "3000-4000 b"],
    ],
    [
      "no text",
      "1\n00:00:01,000 --> 00:00:02,000\n\n2\n00:00:03,000 --> 00:00:04,000\nb",
      ["1000-2000 ", "3000-4000 b"],
    ],
    [
      "tags and positions go",
      '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<i>a</i> <font color="#fff">b</font> a < b {c}',
      ["1000-2000 a b a < b {c}"],
    ],
    ["entities are text", "1\n00:00:01,000 --> 00:00:02,000\na &amp; b", ["1000-2000 a &amp; b"]],
    ["100 hours", "1\n100:00:01,000 --> 100:00:02,000\na", ["360001000-360002000 a"]],
    ["an arrow in the text", "1\n00:00:01,000 --> 00:00:02,000\na --> b", ["1000-2000 a --> b"]],
  ]
  for (const [name, text, expected] of cases) it(name, () => assert.deepStrictEqual(cuesOf(text), expected))

  it("an arrow between times of the day is spoken", () => {
    const file = read("1\n00:00:01,000 --> 00:00:02,000\n9:00 -> 17:00\n")
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 9:00 -> 17:00"])
    assert.deepStrictEqual(file.problems, [])
    assert.deepStrictEqual(read("1\n00:00:01,000 --> 00:00:02,000\nA --> B\n").problems, [])
  })

  for (const arrow of ["->", "--->", "=>", "==>", "–>", "—>", "→"]) {
    it(`${arrow} between two times is read, and noted`, () => {
      const text = `1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 ${arrow} 00:00:04,000\nb ${arrow} c\n`
      const file = read(text)
      assert.deepStrictEqual(file.cues.map(told), ["1000-2000 a", `3000-4000 b ${arrow} c`])
      assert.deepStrictEqual(file.problems, [{ line: 6, code: "bad_arrow" }])
      const odd = text.replace("-->", arrow)
      assert.deepStrictEqual(read(odd).cues.map(told), file.cues.map(told))
    })
    it(`${arrow} behind a time and before none is noted`, () => {
      const text = `1\n00:00:01,000 --> 00:00:02,000\na\n\n00:00:03,000 ${arrow} soon\nb\n`
      assert.deepStrictEqual(read(text).problems, [{ line: 5, code: "bad_timing" }])
    })
  }

  const first = "1\n00:00:01,000 --> 00:00:02,000\na\n\n"
  const last = "\n\n3\n00:00:05,000 --> 00:00:06,000\nc\n"
  for (const [name, block, problem] of [
    ["half a timing", "2\n00:00:03,000 --> \nb", { line: 6, code: "bad_timing" }],
    ["another arrow and no end", "2\n00:00:03,000 ->\nb\n\nb", { line: 6, code: "bad_timing" }],
    ["no start", "2\n--> 00:00:04,000\nb", { line: 6, code: "bad_timing" }],
    ["letters among digits, without an index", "00:00:0x,000 --> 9\nb", { line: 5, code: "bad_timing" }],
    ["no line with times", "2\nb\nb", { line: 5, code: "bad_block" }],
    ["no arrow", "2\n00:00:03,000 00:00:04,000\nb", { line: 5, code: "bad_block" }],
  ] as const) {
    it(`a block with ${name} does not flow into the cue before it`, () => {
      const file = read(`${first}${block}${last}`)
      assert.deepStrictEqual(file.cues.map(told), ["1000-2000 a", "5000-6000 c"])
      assert.deepStrictEqual(file.problems, [problem])
    })
  }

  it("a number that is said alone, or does not count on, stays text", () => {
    const file = read(`${first}7\nsaid\n\n2\n00:00:03,000 --> 00:00:04,000\n3\n\nb\n`)
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 a / 7 / said", "3000-4000 3 / b"])
    assert.deepStrictEqual(file.problems, [])
  })

  for (const number of ["2", " 2 ", "12", "\t2"])
    it(`the number ${JSON.stringify(number)} right below the text of a numbered file is an index`, () => {
      const file = read(`1\n00:00:01,000 --> 00:00:02,000\na\n${number}\n00:00:03,000 --> 00:00:04,000\nb\n`)
      assert.deepStrictEqual(file.cues.map(told), ["1000-2000 a", "3000-4000 b"])
    })
  it("a number right below a cue without one is an index where other cues have one", () => {
    const file = read(`${first}00:00:03,000 --> 00:00:04,000\nb\n3\n00:00:05,000 --> 00:00:06,000\nc\n`)
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 a", "3000-4000 b", "5000-6000 c"])
  })
  it("a number right below the text of a file without numbers is text", () => {
    const file = read("00:00:01,000 --> 00:00:02,000\na\n 6 \n00:00:03,000 --> 00:00:04,000\nb\n")
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 a / 6", "3000-4000 b"])
  })

  const talk = (lines: ReadonlyArray<string>) =>
    lines.map((line, at) => `${at + 1}\n00:00:${10 + at},000 --> 00:00:${10 + at},900\n${line}\n`).join("\n")

  it("names before the text are speakers when two of them come back three times", () => {
    const lines = [
      "Ann: a",
      "Bob: b",
      "still b",
      "Ann: c",
      "Dr. Bob Lee: no",
      "Bob: d",
      "Ann: e",
      "Bob: f",
      "Note: g",
    ]
    assert.deepStrictEqual(
      read(talk(lines)).cues.map((cue) => `${cue.speaker}|${cue.lines.join(" ")}`),
      [
        "Ann|a",
        "Bob|b",
        "Bob|still b",
        "Ann|c",
        "Ann|Dr. Bob Lee: no",
        "Bob|d",
        "Ann|e",
        "Bob|f",
        "Bob|Note: g",
      ],
    )
  })
  it("names before the text of a short talk are speakers, and so are labels", () => {
    const told = (lines: ReadonlyArray<string>) =>
      read(talk(lines)).cues.map((cue) => `${cue.speaker}|${cue.lines.join(" ")}`)
    assert.deepStrictEqual(told(["Ann: Hello.", "Ben Lee: Hi.", "So?"]), [
      "Ann|Hello.",
      "Ben Lee|Hi.",
      "Ben Lee|So?",
    ])
    assert.deepStrictEqual(told(["Speaker 1: a", "b", "c"]), ["Speaker 1|a", "Speaker 1|b", "Speaker 1|c"])
  })
  it("names with a bracket or a comma are speakers where they come back, or other names support them", () => {
    const speakersOf = (lines: ReadonlyArray<string>) => [
      ...new Set(read(talk(lines)).cues.map(({ speaker }) => speaker)),
    ]
    const long = (name: string) => [
      `${name}: a`,
      "Ben: b",
      `${name}: c`,
      "Ben: d",
      "e",
      `${name}: f`,
      "Ben: g",
    ]
    for (const name of ["Ann (host)", "Ann, host", "ann (host, editor)", "Lee, Ann", "Dr. Ann Lee (host)"])
      assert.deepStrictEqual(speakersOf(long(name)), [name, "Ben"])
    for (const name of ["Ann (host)", "Ann, host", "Lee, Ann"]) {
      assert.deepStrictEqual(speakersOf([`${name}: Hello.`, "to the show", "Ben: Hi."]), [name, "Ben"])
      assert.deepStrictEqual(speakersOf(["Ben: Hello.", `${name}: Hi.`]), ["Ben", name])
    }
    assert.deepStrictEqual(speakersOf(["Ann, host: Hello.", "Ben (guest): Hi.", "So?"]), [
      "Ann, host",
      "Ben (guest)",
    ])
    assert.deepStrictEqual(speakersOf(["Speaker 1: a", "Ann (host): b", "c", "d"]), [
      "Speaker 1",
      "Ann (host)",
    ])
  })
  it("prose with a bracket or a comma before its colon stays text", () => {
    const prose = [
      "He said, and this is true: go",
      "Well, listen: stop",
      "So he went (you know): go",
      "One (two: three",
      "Ann) or (so: it",
    ]
    for (const line of prose) {
      const { cues } = read(talk(["Ann: a", "Ben: b", "Ann: c", "Ben: d", "Ann: e", line, "Ben: f", "g"]))
      assert.deepStrictEqual(
        cues.map(({ speaker, lines }) => [speaker, lines.join(" ")]).slice(5, 7),
        [
          ["Ann", line],
          ["Ben", "f"],
        ],
        line,
      )
      const short = read(talk(["Ann: Hello.", "Ben: Hi.", line, "yes"])).cues
      assert.deepStrictEqual([short[2]?.speaker, short[2]?.lines], ["Ben", [line]])
      assert.isNull(read(talk([line, "a", "b", "c"])).cues[0]?.speaker)
    }
  })
  it("a name on a line of its own is the speaker of the lines below it", () => {
    const { cues } = read(talk(["Ann:\nAnd what does it cost?", "Ben: A lot.", "Ann:\nReally?"]))
    assert.deepStrictEqual(
      cues.map(({ speaker, lines }) => [speaker, ...lines]),
      [
        ["Ann", "And what does it cost?"],
        ["Ben", "A lot."],
        ["Ann", "Really?"],
      ],
    )
  })
  it("names stay in the text where that is asked for", () => {
    const written = talk(["Ann:\nAnd what does it cost?", "Ben: A lot."])
    const { cues } = Either.getOrThrow(readCaptions(written, { names: "in_text" }))
    assert.deepStrictEqual(
      cues.map(({ speaker, lines }) => [speaker, ...lines]),
      [
        [null, "Ann:", "And what does it cost?"],
        [null, "Ben: A lot."],
      ],
    )
  })
  it("one name, names of few cues, sentences and times are no speakers", () => {
    const none = [
      ["Ann: a", "Ann: b", "Ann: c"],
      ["a", "Ann: b", "Bob: c", "Ann: d"],
      ["Ann: a", "b", "c", "d", "Bob: e"],
      ["The first thing of all: a", "Bob: b"],
      Array.from({ length: 6 }, (_, at) => (at % 2 ? "I said it. Then: go" : "You know, this: stop")),
      Array.from({ length: 6 }, (_, at) => (at % 2 ? "12:30 now" : "http://a.b c")),
    ]
    for (const lines of none) assert.isTrue(read(talk(lines)).cues.every((cue) => cue.speaker === null))
  })
})
