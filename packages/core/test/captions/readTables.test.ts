import { convertCaptions, readCaptions } from "@earmark/core/captions"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { read, told, toldWords } from "./reading.js"
import { documentOf, segment, textOf } from "./writing.js"

const VTT = `WEBVTT

00:00.000 --> 00:02.500
<v Ann>=1+1, "she" said

00:02.500 --> 00:04.000
<v Ben><00:02.500>Hello <00:03.000>Ann.
`

const written = (to: "csv" | "tsv" | "ctm" | "txt", wordLevel = false): string => {
  const made = convertCaptions(read(VTT.replace(/<v Ann>.*/, wordLevel ? "<v Ann>a" : "$&")), {
    to,
    wordLevel,
  })
  assert(Either.isRight(made))
  return [...made.right.chunks].join("")
}

describe("tables that an export writes", () => {
  it("are read back with speakers, quotes and texts like formulas", () => {
    const file = read(written("csv"))
    assert.deepStrictEqual(
      [file.format, file.cues.map(told), file.problems],
      ["csv", ['0-2500 Ann: =1+1, "she" said', "2500-4000 Ben: Hello Ann."], []],
    )
  })

  it("are read back from tabs and milliseconds", () => {
    const file = read(written("tsv"))
    assert.deepStrictEqual(
      [file.format, file.cues.map(told)],
      ["tsv", ['0-2500 =1+1, "she" said', "2500-4000 Hello Ann."]],
    )
  })

  it("with a row for each word are read back as sentences with the times of their words", () => {
    const said = documentOf([
      segment(0, 2000, "Ann", "Hello and welcome."),
      segment(2000, 4000, "Ben", "Thanks, Ann."),
    ])
    for (const format of ["csv", "tsv"] as const) {
      const file = read(textOf(said, { format, wordLevel: true }))
      const names = format === "csv" ? ["Ann: ", "Ben: "] : ["", ""]
      assert.deepStrictEqual(file.cues.map(told), [
        `0-2000 ${names[0]}Hello and welcome.`,
        `2000-4000 ${names[1]}Thanks, Ann.`,
      ])
      assert.deepStrictEqual(file.cues.flatMap(toldWords), [
        "0-667 Hello",
        "667-1333 and",
        "1333-2000 welcome.",
        "2000-3000 Thanks,",
        "3000-4000 Ann.",
      ])
    }
  })

  it("with a row of text in a script without spaces have no words", () => {
    const rows = Array.from({ length: 5 }, (_, at) => `${at},${at + 1},,今天天气很好我们出去玩`)
    const file = read(`start,end,speaker,text\n${rows.join("\n")}\n`)
    assert.strictEqual(file.cues.length, 5)
    assert.deepStrictEqual(file.cues.flatMap(toldWords), [])
  })

  it("name rows that have no time, and go on", () => {
    const file = read('start,end,speaker,text\n1,2,,"two\nlines"\nx,3,,b\n4,5,,"open')
    assert.deepStrictEqual(file.cues.map(told), ["1000-2000 two / lines", "4000-5000 open"])
    assert.deepStrictEqual(file.problems, [{ line: 4, code: "bad_entry" }])
  })

  it("may be empty, and other tables are no captions", () => {
    for (const text of ["start,end,speaker,text\r\n", "start\tend\ttext\n"])
      assert.deepStrictEqual(read(text).cues, [])
    assert.isTrue(Either.isLeft(readCaptions("name,age\nAnn,4\n")))
  })
})

describe("plain text with times", () => {
  it("is read back word by word, with its speakers", () => {
    const text = written("txt", true)
    assert.match(text, /^Ann:\n00:00:00\.000 a\n/)
    const file = read(text)
    assert.deepStrictEqual([file.format, file.problems], ["txt", []])
    assert.deepStrictEqual(file.cues.map(told), ["0-1000 Ann: a", "2500-4000 Ben: Hello Ann."])
    assert.deepStrictEqual(file.cues.flatMap(toldWords), ["0-1000 a", "2500-3000 Hello", "3000-4000 Ann."])
  })

  it("names lines that have no time, and is no other text", () => {
    const file = read("00:00:01.000 one\nx\n00:00:01.200 two\n\n100:00:00.000 three\n")
    assert.deepStrictEqual(file.cues.map(told), ["1000-2200 one two", "360000000-360001000 three"])
    assert.deepStrictEqual(file.problems, [{ line: 2, code: "bad_entry" }])
    for (const text of ["At 00:00:01.000 it begins.\n", "00:00:01.000 - 00:00:02.000\nHello\n"])
      assert.isTrue(Either.isLeft(readCaptions(text)))
  })
})

describe("CTM", () => {
  it("is read back word by word", () => {
    const file = read(written("ctm", true))
    assert.strictEqual(file.format, "ctm")
    assert.deepStrictEqual(file.cues.flatMap(toldWords), ["0-2500 a", "2500-3000 Hello", "3000-4000 Ann."])
  })

  it("has a cue for what is said without a pause", () => {
    const file = read(
      ";; made by hand\nr 1 0.00 0.40 one 0.9\nr 1 0.40 0.30 two\n\nr 1 2 1 three\nr 1 x\n",
      "ctm",
    )
    assert.deepStrictEqual(file.cues.map(told), ["0-700 one two", "2000-3000 three"])
    assert.deepStrictEqual(file.problems, [{ line: 6, code: "bad_entry" }])
  })
})
