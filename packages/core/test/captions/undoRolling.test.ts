import { assert, describe, it } from "@effect/vitest"
import { read, told, toldWords } from "./reading.js"

const time = (milliseconds: number) => `00:00:${(milliseconds / 1000).toFixed(3).padStart(6, "0")}`
const cue = (start: number, end: number, text: string) => `${time(start)} --> ${time(end)}\n${text}\n`
const file = (...cues: ReadonlyArray<string>) => `WEBVTT\n\n${cues.join("\n")}`

describe("rolling captions", () => {
  const automatic = file(
    cue(0, 2000, " \nhello<00:00:00.500><c> brave</c><00:00:01.000><c> new</c>"),
    cue(2000, 2010, "hello brave new\n "),
    cue(2010, 4000, "hello brave new\nworld<00:00:03.000><c> here</c>"),
    cue(4000, 4010, "world here\n "),
    cue(4010, 5000, "world here\nNo."),
    cue(5000, 5010, "No.\n "),
    cue(9000, 9500, " \nNo."),
    cue(9500, 10_000, "No.\nMaybe<00:00:09.800><c> so</c>"),
  )

  it("every line once, with its word times, true repeats kept", () => {
    const { cues } = read(automatic)
    assert.deepStrictEqual(cues.map(told), [
      "0-2010 hello brave new",
      "2010-4010 world here",
      "4010-5010 No.",
      "9000-9500 No.",
      "9500-10000 Maybe so",
    ])
    assert.deepStrictEqual(
      toldWords(cues[1] ?? cues[0] ?? { start: 0, end: 0, speaker: null, lines: [], words: [] }),
      ["2010-3000 world", "3000-4010 here"],
    )
  })
  it("without stamps, two lines that roll up", () => {
    const lines = ["one", "two", "three", "four", "five"]
    const rolled = lines.map((line, at) =>
      cue(at * 1000, at * 1000 + 1000, at === 0 ? line : `${lines[at - 1]}\n${line}`),
    )
    assert.deepStrictEqual(
      read(file(...rolled)).cues.map((each) => each.lines.join(" ")),
      lines,
    )
  })
  it("a word said again and again stays", () => {
    const said = Array.from({ length: 6 }, (_, at) => cue(at * 1000, at * 1000 + 1000, "No."))
    assert.strictEqual(read(file(...said)).cues.length, 6)
  })
  it("our own word level is not rolling", () => {
    const text = file(
      cue(0, 1000, "No <00:00:00.500>no."),
      cue(1000, 2000, "No <00:00:01.500>no."),
      cue(2000, 3000, "No <00:00:02.500>no."),
    )
    assert.strictEqual(read(text).cues.length, 3)
  })
  it("a plain file is left alone", () => {
    const text = file(
      cue(0, 1000, "a\nb"),
      cue(1000, 2000, "b\nc"),
      cue(2000, 3000, "d"),
      cue(3000, 4000, "e"),
      cue(4000, 5000, "f"),
      cue(5000, 6000, "g"),
    )
    assert.strictEqual(read(text).cues[1]?.lines.length, 2)
  })
})
