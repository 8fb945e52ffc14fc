import type { Cue } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { CueSheet } from "../../src/captions/writers/CueSheet.js"
import { writeCueSheet } from "../../src/captions/writers/writeCueSheet.js"
import { writeSrt } from "../../src/captions/writers/writeSrt.js"
import { writeVtt } from "../../src/captions/writers/writeVtt.js"
import { cleanText } from "../../src/text/cleanText.js"

const everyCharacter = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code))
const hostile = [
  "a",
  "b c",
  " ",
  "  ",
  "-",
  "--",
  "-->",
  "&",
  "<",
  "\n",
  "\r",
  "\0",
  "é",
  "ł",
  "\u2028",
  "\ud800",
  "😀",
]

const line = FastCheck.oneof(
  { weight: 6, arbitrary: FastCheck.constantFrom("Well", "so it goes", "a - b", "x = 1;") },
  {
    weight: 1,
    arbitrary: FastCheck.array(FastCheck.constantFrom(...hostile)).map((parts) => parts.join("")),
  },
)
const time = FastCheck.oneof(
  FastCheck.integer({ min: -1000, max: 500_000_000 }),
  FastCheck.double({ min: 0, max: 5e12, noNaN: true }),
  FastCheck.constantFrom(0, 999.5, 59_999, 3_599_999.6, 359_999_999, 360_000_000, 3.6e12),
)
const cue = FastCheck.record({
  start: time,
  end: time,
  speaker: FastCheck.oneof(
    { weight: 5, arbitrary: FastCheck.constant(null) },
    { weight: 1, arbitrary: FastCheck.constantFrom("Ann", "") },
  ),
  lines: FastCheck.array(line, { maxLength: 3 }),
  words: FastCheck.constant([]),
})

const sheetOf = (cues: ReadonlyArray<Cue>, speakerAs: CueSheet["speakerAs"]): CueSheet => ({
  cues,
  language: null,
  title: null,
  speakers: ["Ann", ""],
  speakerAs,
  wordLevel: false,
  note: null,
})

/** What the writer prints, one cue after the other. */
const oneByOne = (format: "srt" | "vtt", sheet: CueSheet): string => {
  const writer = format === "srt" ? writeSrt(sheet) : writeVtt(sheet)
  return writer.head + Array.from(writer.cues, (each) => writer.cue(each)).join("") + writer.tail()
}

const isSame = (cues: ReadonlyArray<Cue>): void => {
  for (const format of ["srt", "vtt"] as const)
    for (const speakerAs of ["voice", "prefix", "text"] as const) {
      const sheet = sheetOf(cues, speakerAs)
      assert.strictEqual([...writeCueSheet(format, sheet)].join(""), oneByOne(format, sheet))
    }
}

describe("plain cues", () => {
  it.prop(
    "printed at once they read as printed one by one",
    { cues: FastCheck.array(cue) },
    ({ cues }) => {
      isSame(cues)
    },
    { fastCheck: { numRuns: 1000 } },
  )

  it("every character, alone, doubled, first, last, between", () => {
    for (const character of everyCharacter)
      for (const text of [
        character,
        `a${character}${character}b`,
        `${character}a`,
        `a${character}`,
        `a${character}b`,
      ])
        isSame([{ start: 1, end: 1000, speaker: null, lines: ["before", text], words: [] }])
  })

  it("numbers and batches", () => {
    const cues = (count: number, odd: number): ReadonlyArray<Cue> =>
      Array.from({ length: count }, (_, index) => {
        const lines = [index === odd ? "a & b" : "a", "b"]
        return { start: index * 1000, end: index * 1000 + 900, speaker: null, lines, words: [] }
      })
    for (const count of [0, 1, 9, 10, 1023, 1024, 1025, 2050]) isSame(cues(count, -1))
    isSame(cues(3000, 1500))
    isSame([{ start: 0, end: 1, speaker: null, lines: ["a".repeat(300_000)], words: [] }])
  })
})

describe("cleanText", () => {
  /** The rule without a look beforehand. */
  const rule = (text: string): string =>
    text
      .replace(/[^\P{Cc}\t\n\v\f\r\u0085]/gu, "")
      .replace(/[\s\u0085]+/g, " ")
      .trim()
      .replace(/\p{Cs}/gu, "\ufffd")
  const units = FastCheck.oneof(
    FastCheck.integer({ min: 0, max: 0xffff }),
    FastCheck.constantFrom(32, 32, 65),
  )

  it("every code unit, alone, first, last, between", () => {
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code)
      for (const text of [character, `${character}a`, `a${character}`, `a${character}b`, `a ${character}b`])
        if (cleanText(text) !== rule(text)) assert.fail(`differs at U+${code.toString(16)}`)
    }
  })

  it.prop(
    "is the plain rule",
    { codes: FastCheck.array(units) },
    ({ codes }) => {
      const text = String.fromCharCode(...codes)
      assert.strictEqual(cleanText(text), rule(text))
    },
    { fastCheck: { numRuns: 2000 } },
  )
})
