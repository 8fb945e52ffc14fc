import {
  distinctNames,
  type EditOperation,
  editableBaseOf,
  readEdited,
  writeEditable,
} from "@earmark/core/edits"
import type { Transcript } from "@earmark/core/transcripts"
import { cpuMilliseconds, generatedRecording } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { fileOf, operationsOf, refusal, short, shown } from "./editedFiles.js"
import { edited, line, transcriptOf } from "./world.js"

/** What the transcript is after its file was changed. */
const changed = (transcript: Transcript, change: (file: string) => string) => {
  const operations = operationsOf(change(fileOf(transcript)), transcript)
  return { operations, lines: shown(edited(transcript, ...operations)) }
}

it("writes a line for each line, with what can be done at the top", () => {
  const file = writeEditable(short(), { id: "tr_1", revision: 3, title: "On\nbees" })
  assert.match(file, /^# Transcript tr_1, revision 3: On bees\n(?:#.+\n){4}\n\[/)
  assert.strictEqual(
    file.slice(file.indexOf("[00")),
    "[00:00:00.000 - 00:00:01.000 Speaker 1] we met in berlin\n" +
      "[00:00:01.000 - 00:00:02.000 Speaker 2] and then left\n" +
      "[00:00:02.000 - 00:00:03.000 Speaker 2] it was late\n",
  )
  assert.deepStrictEqual(editableBaseOf(file.replaceAll("\n", "\r\n")), { id: "tr_1", revision: 3 })
  assert.isNull(editableBaseOf("[00:00:00.000 - 00:00:01.000] # Transcript tr_1, revision 3"))
})

describe("reads what was changed", () => {
  const cases: ReadonlyArray<
    readonly [string, (file: string) => string, ReadonlyArray<EditOperation>, ReadonlyArray<unknown>?]
  > = [
    ["nothing", (file) => file, []],
    ["nothing, with other line breaks", (file) => `\ufeff${file.replaceAll("\n", " \t\r\n")}\r\n`, []],
    [
      "a text",
      (file) => file.replace("berlin", "Berlin."),
      [{ type: "text", line: 0, text: "we met in Berlin." }],
    ],
    [
      "the speaker of a line",
      (file) => file.replace("Speaker 2] and", "Speaker 1] and"),
      [{ type: "speaker", line: 1, speaker: "Speaker 1" }],
    ],
    [
      "a speaker taken away",
      (file) => file.replace(" Speaker 1]", "]"),
      [{ type: "speaker", line: 0, speaker: null }],
    ],
    [
      "all lines of a speaker",
      (file) => file.replaceAll("Speaker 2", "Ann"),
      [{ type: "rename_speaker", from: "Speaker 2", to: "Ann" }],
    ],
    [
      "all lines of a speaker for another",
      (file) => file.replaceAll("Speaker 2", "Speaker 1"),
      [{ type: "merge_speakers", from: "Speaker 2", into: "Speaker 1" }],
    ],
    [
      "times, as people write them",
      (file) => file.replace("00:00:01.000 - 00:00:02.000", "0:01.1 – 0:01.95"),
      [{ type: "times", line: 1, start: 1100, end: 1950 }],
    ],
    [
      "a line split by [+]",
      (file) => file.replace(" in berlin", "\n[+] in berlin"),
      [{ type: "split", line: 0, at: 7 }],
      [
        [0, 500, "Speaker 1", "we met"],
        [500, 1000, "Speaker 1", "in berlin"],
      ],
    ],
    [
      "a line split by [+] between two speakers",
      (file) => file.replace(" in berlin", "\n[+ Ann] In Berlin"),
      [
        { type: "split", line: 0, at: 7 },
        { type: "text", line: 1, text: "In Berlin" },
        { type: "speaker", line: 1, speaker: "Ann" },
      ],
    ],
    [
      "a line split with times",
      (file) =>
        file.replace("01.000 Speaker 1] we met in", "00.400 Speaker 1] we met\n[0:00.6 - 0:01 Speaker 1] in"),
      [
        { type: "split", line: 0, at: 7 },
        { type: "times", line: 1, start: 600, end: 1000 },
        { type: "times", line: 0, start: 0, end: 400 },
      ],
    ],
    [
      "two lines joined in the first",
      (file) => file.replace(/left\n\[.*\] it/, "left it"),
      [{ type: "merge", line: 1 }],
      [
        [0, 1000, "Speaker 1", "we met in berlin"],
        [1000, 3000, "Speaker 2", "and then left it was late"],
      ],
    ],
    [
      "two lines joined in the second",
      (file) => file.replace(/\[.*\] and then left\n(.*\]) it/, "$1 and then left it"),
      [{ type: "merge", line: 1 }],
    ],
    ["a line deleted", (file) => file.replace(/\[.*\] and then left\n/, ""), [{ type: "remove", line: 1 }]],
    [
      "the first line, of which the text was deleted",
      (file) => file.replace("we met in berlin", ""),
      [{ type: "remove", line: 0 }],
    ],
    [
      "all lines but one deleted, and that one changed",
      (file) => file.replace(/\[.*\] we met in berlin\n/, "").replace(/left\n\[.*\n?/, "parted\n"),
      [
        { type: "remove", line: 0 },
        { type: "remove", line: 1 },
        { type: "text", line: 0, text: "and then parted" },
      ],
    ],
    [
      "a new line between two others",
      (file) => file.replace("berlin\n", "berlin\n[0:00.800 - 0:01.000 Ann] yes indeed\n"),
      [
        { type: "text", line: 0, text: "we met in berlin yes indeed" },
        { type: "split", line: 0, at: 16 },
        { type: "times", line: 1, start: 800, end: 1000 },
        { type: "speaker", line: 1, speaker: "Ann" },
      ],
    ],
    [
      "all times moved",
      (file) => file.replaceAll(/0(\d)\.000/g, (_, second: string) => `0${second}.500`),
      [
        { type: "times", line: 2, start: 2500, end: 3500 },
        { type: "times", line: 1, start: 1500, end: 2500 },
        { type: "times", line: 0, start: 500, end: 1500 },
      ],
    ],
  ]
  for (const [name, change, operations, lines = []] of cases)
    it(name, () => {
      const found = changed(short(), change)
      assert.deepStrictEqual(found.operations, operations)
      assert.deepStrictEqual(found.lines.slice(0, lines.length), lines)
    })
})

it("gives words that stay their times when lines are joined and split elsewhere", () => {
  const { operations } = changed(short(), (file) =>
    file
      .replace("01.000 Speaker 1] we met in berlin", "00.500 Speaker 1] we met")
      .replace("01.000 - 00:00:02.000 Speaker 2] and", "00.500 - 00:00:02.000 Speaker 2] in berlin and"),
  )
  const after = edited(short(), ...operations)
  assert.deepStrictEqual(
    after.segments[1]?.words.slice(0, 3).map(({ text, start }) => [text, start]),
    [
      ["in", 500],
      ["berlin", 750],
      ["and", 1000],
    ],
  )
})

it("shows only names that mean one speaker, so that each can be read back", () => {
  const { segments } = transcriptOf(line(0, "a"), line(1000, "b", "Speaker 2"), line(2000, "c", "Ben"))
  const names = { "Speaker 1": "Ann", "Speaker 2": "Ben" }
  assert.deepStrictEqual(distinctNames(names, segments), { "Speaker 1": "Ann" })
  assert.deepStrictEqual(distinctNames({ ...names, "Speaker 2": "Ann" }, segments), {})
})

it("changes nothing of a transcript without lines", () => {
  const silence = transcriptOf()
  assert.deepStrictEqual(operationsOf(fileOf(silence), silence), [])
  assert.match(String(refusal("[0:00 - 0:01] hello", silence)[1]), /none can be added/)
})

it("reads the file of 10 hours with 200 changes in a second of processor time", () => {
  const { transcript } = generatedRecording({ seed: 7, topics: 145, sentences: [30, 80] })
  assert.isAtLeast(transcript.duration, 10 * 3_600_000)
  const lines = fileOf(transcript).split("\n")
  const file = lines.map((each, at) => (at % 25 === 20 ? `${each} indeed` : each)).join("\n")
  const start = cpuMilliseconds()
  assert.isAbove(operationsOf(file, transcript).length, 150)
  assert.isBelow(cpuMilliseconds() - start, 1000)
  const moved = file.replaceAll(/\.(\d)/g, (_, tenths: string) => `.${(Number(tenths) + 5) % 10}`)
  const again = cpuMilliseconds()
  readEdited(moved, transcript)
  assert.isBelow(cpuMilliseconds() - again, 2000)
})
