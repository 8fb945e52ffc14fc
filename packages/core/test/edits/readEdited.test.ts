import {
  applyEdits,
  distinctNames,
  type EditOperation,
  editableBaseOf,
  LONGEST_LINE,
  MOST_OPERATIONS,
  readEdited,
  writeEditable,
} from "@earmark/core/edits"
import type { Transcript } from "@earmark/core/transcripts"
import { cpuMilliseconds, generatedRecording } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { anyOperation, anyTranscript, edited, line, transcriptOf } from "./world.js"

const base = { id: "tr_1", revision: 0 }

const fileOf = (transcript: Transcript) => writeEditable(transcript, base)

const operationsOf = (file: string, transcript: Transcript) => Either.getOrThrow(readEdited(file, transcript))

const refusal = (file: string, transcript: Transcript) => {
  const { line, detail } = Either.getOrThrow(Either.flip(readEdited(file, transcript)))
  return [line, detail]
}

const shown = ({ segments }: Transcript) =>
  segments.map(({ start, end, speaker, text }) => [start, end, speaker, text])

/** What the transcript is after its file was changed. */
const changed = (transcript: Transcript, change: (file: string) => string) => {
  const operations = operationsOf(change(fileOf(transcript)), transcript)
  return { operations, lines: shown(edited(transcript, ...operations)) }
}

const short = () =>
  transcriptOf(
    line(0, "we met in berlin"),
    line(1000, "and then left", "Speaker 2"),
    line(2000, "it was late", "Speaker 2"),
  )

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

it("refuses what it cannot understand, with the line of the file", () => {
  const [first] = fileOf(short()).split("\n[")
  const number = (first ?? "").split("\n").length + 1
  const cases: ReadonlyArray<readonly [(file: string) => string, number | null, RegExp]> = [
    [(file) => file.replace(" in berlin", "\nin berlin"), number + 1, /^There is no time in front/],
    [(file) => file.replace("berlin\n", "berlin "), number, /^There are times within the text/],
    [(file) => file.replace("[00:00:00.000", "[soon"), number, /^The times or the speaker/],
    [(file) => file.replace("Speaker 1]", "Speaker 1"), number, /^The times or the speaker/],
    [(file) => file.replace(".000 Speaker 1", ".000Speaker 1"), number, /^The times or the speaker/],
    [(file) => file.replace(/\[.*Speaker 1\]/, "[+]"), number, /^\[\+\] continues the line above/],
    [(file) => file.replace("Speaker 1", "x".repeat(101)), number, /100 characters/],
    [(file) => file.replace("berlin", "x".repeat(LONGEST_LINE)), number, /10,010 characters.*10,000/],
    [(file) => file.replace("00:00:00.000", "00:00:02.000"), number, /^The line ends at 00:00:01.000/],
    [(file) => file.replace("00:00:03.000", "00:00:09.000"), number + 2, /^The recording ends before/],
    [
      (file) => file.replace("00:00:00.000 - 00:00:01", "00:00:01.500 - 00:00:02"),
      number,
      /after the line below it/,
    ],
    [(file) => file.replace("00:00:02.000 - ", "00:00:00.500 - "), number + 2, /before the line above it/],
    [() => "", null, /^The file has no lines/],
    [() => "\u0000\u0001 %PDF-1.4", 1, /^There is no time in front/],
    [() => '{"segments": []}', 1, /^There is no time in front/],
  ]
  for (const [change, line, detail] of cases) {
    const [foundLine, foundDetail] = refusal(change(fileOf(short())), short())
    assert.strictEqual(foundLine, line, String(foundDetail))
    assert.match(String(foundDetail), detail)
  }
  const many = transcriptOf(...Array.from({ length: 1001 }, (_, at) => line(at * 1000, `line ${at}`)))
  assert.deepStrictEqual(refusal(fileOf(many).replaceAll("] line", "] row"), many), [
    null,
    "The file has 1,001 changes; one revision may have 1,000 changes. Make them in several steps.",
  ])
})

it("changes nothing of a transcript without lines", () => {
  const silence = transcriptOf()
  assert.deepStrictEqual(operationsOf(fileOf(silence), silence), [])
  assert.match(String(refusal("[0:00 - 0:01] hello", silence)[1]), /none can be added/)
})

const hostileText = fc.oneof(
  fc.constantFrom(
    "[00:00:01.000 - 00:00:02.000 Ann] hello",
    "# not a comment",
    "[+] no",
    "a\nb",
    "a\r\n[0:00 - 0:01] b",
    "\u2028[0:00 - 0:01]\u2028",
    "\u202eright to left\u202c",
    "مرحبا بالعالم",
    "שלום: עולם]",
    "東京で会いました。それから",
    "\u001b[31mred",
    "",
    " ",
  ),
  fc.string({ unit: "grapheme" }),
)

const hostileTranscript = fc
  .array(fc.tuple(hostileText, fc.oneof(fc.constant(null), hostileText)), { minLength: 1, maxLength: 5 })
  .map((lines) =>
    transcriptOf(...lines.map(([text, speaker], at) => ({ ...line(at * 1000, text, speaker), words: [] }))),
  )

/** The operations that apply, all together. */
const applicable = (transcript: Transcript, operations: ReadonlyArray<EditOperation>): Transcript =>
  operations.reduce((now, operation) => Either.getOrElse(applyEdits(now, [operation]), () => now), transcript)

/** Whether a joined line has just the times that one of its parts had: those are taken for times that nobody looked at. */
const hasOldTimes = (before: Transcript, after: Transcript): boolean =>
  after.segments.length < before.segments.length &&
  after.segments.some(({ start, end, text }) =>
    before.segments.some(
      (line) => line.start === start && line.end === end && line.text.length < text.length,
    ),
  )

const withoutTimes = (transcript: Transcript) => shown(transcript).map(([, , ...others]) => others)

describe("laws", () => {
  it.prop("an unchanged file asks for nothing", { transcript: anyTranscript }, ({ transcript }) => {
    assert.deepStrictEqual(operationsOf(fileOf(transcript), transcript), [])
  })

  it.prop(
    "no text and no name breaks the file, with any line breaks",
    { transcript: hostileTranscript, lineBreak: fc.constantFrom("\n", "\r\n", "\r") },
    ({ transcript, lineBreak }) => {
      const file = fileOf(transcript)
      assert.lengthOf(file.split("\n"), transcript.segments.length + 7)
      assert.deepStrictEqual(operationsOf(file.replaceAll("\n", lineBreak), transcript), [])
    },
  )

  it.prop(
    "the file of what operations made asks for what they made",
    { transcript: anyTranscript, operations: fc.array(anyOperation, { maxLength: 8 }) },
    ({ transcript, operations }) => {
      const wanted = applicable(transcript, operations)
      // No operation gives a line that is new such times.
      fc.pre(wanted.segments.every(({ start, end }) => start < end))
      const found = operationsOf(fileOf(wanted), transcript)
      const made = edited(transcript, ...found)
      assert.deepStrictEqual(withoutTimes(made), withoutTimes(wanted))
      if (!hasOldTimes(transcript, wanted)) assert.deepStrictEqual(shown(made), shown(wanted))
    },
    { fastCheck: { numRuns: 500 } },
  )

  it.prop(
    "any other text is refused or understood, and never throws",
    { text: fc.string(), hostile: hostileText },
    (given) => {
      for (const text of Object.values(given)) readEdited(text, short())
    },
  )
})

it("refuses 200,000 new lines, and a file of other lines, in two seconds of processor time", () => {
  const start = cpuMilliseconds()
  const [, detail] = refusal(`${fileOf(short())}${"[+] x\n".repeat(200_000)}`, short())
  assert.strictEqual(
    detail,
    "The file has 200,000 changes; one revision may have 1,000 changes. Make them in several steps.",
  )
  const numbered = (word: string) =>
    transcriptOf(...Array.from({ length: 6000 }, (_, at) => line(at * 1000, `${word} ${word}${at}`)))
  const other = fileOf(numbered("row")).replaceAll(".000 -", ".500 -")
  assert.match(String(refusal(other, numbered("line"))[1]), /changes/)
  assert.isBelow(cpuMilliseconds() - start, 2000)
})

describe("accepts as many changes as one revision may have", () => {
  const pairs = transcriptOf(
    ...Array.from({ length: 3000 }, (_, at) => line(at * 1000, `left${at} right${at}`)),
  )
  const most = MOST_OPERATIONS
  const cases: ReadonlyArray<readonly [string, (file: string) => string]> = [
    [
      "splits",
      (file) => file.replaceAll(/ right(\d+)/g, (old, at) => (at < most ? `\n[+] right${at}` : old)),
    ],
    [
      "joined lines",
      (file) =>
        file.replaceAll(/\n\[.*\] left(\d+)/g, (old, at) =>
          at % 2 === 1 && at < 2 * most ? ` left${at}` : old,
        ),
    ],
    [
      "times",
      (file) =>
        file.replaceAll(/000 (Speaker 1\] left(\d+))/g, (old, rest, at) => (at < most ? `900 ${rest}` : old)),
    ],
  ]
  for (const [name, change] of cases)
    it(name, () => assert.lengthOf(operationsOf(change(fileOf(pairs)), pairs), most))
})

it("refuses lines in another order", () => {
  const rows = Array.from({ length: 6000 }, (_, at) => `row ${at}`)
  const inOrder = (texts: ReadonlyArray<string>) =>
    transcriptOf(...texts.map((text, at) => line(at * 1000, text)))
  assert.deepStrictEqual(refusal(fileOf(inOrder(rows.toReversed())), inOrder(rows)), [
    null,
    "The file has more than 1,000 changes; one revision may have 1,000 changes. Make them in several steps.",
  ])
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
