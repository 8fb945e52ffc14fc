import { LONGEST_LINE, MOST_OPERATIONS } from "@earmark/core/edits"
import { cpuMilliseconds } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { fileOf, operationsOf, refusal, short } from "./editedFiles.js"
import { line, transcriptOf } from "./world.js"

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
