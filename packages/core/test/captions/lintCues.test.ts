import {
  buildCues,
  captionProfile,
  type ExportFormat,
  exportTranscript,
  hasFaults,
  type LintCode,
  type LintMedia,
  lintCues,
  readCaptions,
} from "@earmark/core/captions"
import type { Cue, Word } from "@earmark/core/transcripts"
import { wordStream } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"

const profile = captionProfile("standard", { language: "en" })

const cue = (
  lines: ReadonlyArray<string>,
  start = 0,
  end = start + 3_000,
  others: Partial<Cue> = {},
): Cue => ({
  start,
  end,
  speaker: null,
  lines,
  words: [],
  ...others,
})

const word = (speaker: string): Word => ({ text: "x", start: 0, end: 1, confidence: null, speaker })

const good = cue(["All is well here."])

const isAdvice = (code: LintCode) =>
  ["gap_too_small", "leaning_end", "leaning_line", "unbalanced", "doubtful"].includes(code)

const unitOf = (code: LintCode) => {
  if (code === "too_fast") return "characters_per_second"
  if (code === "too_many_lines") return "lines"
  if (code === "line_too_wide" || code === "empty") return "cells"
  const isTime = /^(?:too_short|too_long|overlap|out_of_order|past_media_end|gap_too_small)$/.test(code)
  return isTime ? "ms" : null
}

describe("findings", () => {
  it("a cue that ends before it starts is one thing", () => {
    const { findings } = lintCues([cue(["Nine letters."], 2_000, 1_000)], profile)
    assert.deepStrictEqual(findings, [
      { cue: 1, code: "out_of_order", weight: "fault", value: -1_000, limit: 0, unit: "ms" },
    ])
  })

  const cases: ReadonlyArray<
    readonly [LintCode, ReadonlyArray<Cue>, number, number | string, number | null, LintMedia?]
  > = [
    ["line_too_wide", [cue(["x".repeat(43)])], 1, 43, 42],
    ["line_too_wide", [cue(["今".repeat(22)])], 1, 44, 42],
    ["too_many_lines", [cue(["one here", "two here", "three here"])], 1, 3, 2],
    ["too_fast", [cue(["x".repeat(42)], 0, 2_000)], 1, 21, 20],
    ["too_short", [cue(["Yes."], 0, 800)], 1, 800, 834],
    ["too_long", [cue(["Yes."], 0, 7_002)], 1, 7_002, 7_000],
    ["overlap", [good, cue(["Next."], 2_900)], 2, 100, 0],
    ["gap_too_small", [good, cue(["Next."], 3_050)], 2, 50, 84],
    ["out_of_order", [cue(["Next."], 9_000), cue(["Yes."], 5_000)], 2, 5_000, 9_000],
    ["out_of_order", [cue(["Next."], 9_000, 8_000)], 1, -1_000, 0],
    ["empty", [cue([])], 1, 0, 1],
    ["empty", [cue([" ", ""])], 1, 0, 1],
    ["two_speakers", [cue(["Yes. No."], 0, 3_000, { words: [word("A"), word("B")] })], 1, 2, 1],
    ["two_speakers", [cue(["- Are you there?", "- I am over here."])], 1, 2, 1],
    ["leaning_end", [cue(["She opened the"]), cue(["door."], 4_000)], 1, "the", null],
    ["leaning_line", [cue(["She opened the", "heavy door."])], 1, "the", null],
    ["unbalanced", [cue(["No,", "that is not what I have said."])], 1, 0.1, 1 / 3],
    ["past_media_end", [good], 1, 3_000, 2_500, { duration: 2_500 }],
    ["bom", [good], 0, 1, 0, { source: "\ufeffWEBVTT\n\n00:00.000 --> 00:03.000\nAll is well here.\n" }],
    ["crlf", [good], 0, 4, 0, { source: "1\r\n00:00:00,000 --> 00:00:03,000\r\nAll is well here.\r\n\r\n" }],
    ["unescaped", [good], 0, 4, 0, { source: "WEBVTT\n\n00:00.000 --> 00:03.000\nfish & chips\n" }],
    ["unescaped", [good], 0, 5, 0, { source: "WEBVTT\n\n1\n00:00.000 --> 00:03.000\n1 < 2\n" }],
    ["unescaped", [good], 0, 3, 0, { source: "1\n00:00:00,000 --> 00:00:03,000\na --> b\n" }],
  ]
  for (const [code, cues, number, value, limit, media] of cases) {
    it(`${code}: ${value}`, () => {
      const report = lintCues(cues, profile, media)
      const found = report.findings.filter((finding) => finding.code === code)
      const weight = isAdvice(code) ? "advice" : "fault"
      assert.deepStrictEqual(found, [{ cue: number, code, weight, value, limit, unit: unitOf(code) }])
      assert.strictEqual(report.counts[code], 1)
      if (isAdvice(code)) {
        assert.isFalse(hasFaults(report))
        assert.strictEqual(report.ok, cues.length)
      } else {
        assert.isTrue(hasFaults(report))
        if (number > 0) assert.isBelow(report.ok, cues.length)
      }
    })
  }
})

describe("no findings", () => {
  const clean: ReadonlyArray<readonly [string, ReadonlyArray<Cue>, LintMedia?]> = [
    ["a good cue", [good], { duration: 3_000 }],
    ["no cues", []],
    ["rounding of a millisecond", [cue(["Yes."], 0, 833)]],
    ["a leaning word before punctuation", [cue(["That is what it was for.", "Is it? I think it is."])]],
    [
      "a leaning word before another speaker",
      [cue(["She opened the"]), cue(["What?"], 4_000, 7_000, { speaker: "B" })],
    ],
    ["a leaning word at the very end", [cue(["She opened the"])]],
    [
      "escaped text, notes and styles",
      [good],
      {
        source:
          "WEBVTT & more\n\nNOTE fish & chips\n\nSTYLE\n::cue { color: a & b }\n\n00:00.000 --> 00:03.000 line:0\n<v Ann>fish &amp; &lt;chips&gt; &#38;</v>\n",
      },
    ],
    ["SRT text has no escapes", [good], { source: "1\n00:00:00,000 --> 00:00:03,000\nfish & chips < 2\n" }],
  ]
  for (const [name, cues, media] of clean) {
    it(name, () => {
      const report = lintCues(cues, profile, media)
      assert.deepStrictEqual(report, {
        profile: "standard",
        cues: cues.length,
        ok: cues.length,
        share: 1,
        counts: {},
        findings: [],
      })
    })
  }
})

it("lists a thousand findings and counts them all", () => {
  const report = lintCues(
    Array.from({ length: 1_500 }, (_, index) => cue(["x".repeat(50)], index * 4_000)),
    profile,
  )
  assert.strictEqual(report.findings.length, 1_000)
  assert.strictEqual(report.counts.line_too_wide, 1_500)
  assert.strictEqual(report.ok, 0)
})

it("finds nothing but too much speed or too little time in our own cues", () => {
  const cues = buildCues(wordStream({ words: 10_000 }), { profile })
  const report = lintCues(cues, profile)
  const allowed = ["too_fast", "too_short", "gap_too_small", "leaning_end", "leaning_line", "unbalanced"]
  assert.deepStrictEqual(
    Object.keys(report.counts).filter((code) => !allowed.includes(code)),
    [],
  )
  assert.isAbove(report.share, 0.97)
})

it("survives a cue of very many lines", () => {
  assert.strictEqual(
    lintCues([cue(Array.from({ length: 300_000 }, () => "x"))], profile).counts.too_many_lines,
    1,
  )
})

describe("text in doubt", () => {
  const doubts = [{ start: 3_000, end: 9_000, reason: "misfit" as const }]
  const spoken: ReadonlyArray<Cue> = [cue(["All is well here."]), cue(["But who said that?"], 4_000)]
  const segments = spoken.map(({ start, end, lines }) => ({
    ...{ start, end, speaker: null, words: [] },
    text: lines.join(" "),
  }))
  const document = { language: "en", duration: 10_000, segments, doubts }
  const textOf = (format: ExportFormat) =>
    [...Either.getOrThrow(exportTranscript(document, { format })).chunks].join("")

  it("is advice for the captions it is shown in, and no fault", () => {
    const report = lintCues(spoken, profile, { doubts })
    assert.deepStrictEqual(report.findings, [
      { cue: 2, code: "doubtful", weight: "advice", value: "misfit", limit: null, unit: null },
    ])
    assert.isFalse(hasFaults(report))
  })

  it("is told by exports: in JSON as data, which readers take up, in WebVTT as a comment", () => {
    const json = JSON.parse(textOf("json"))
    assert.deepStrictEqual(json.doubts, [{ start: 3, end: 9, reason: "misfit" }])
    const read = Either.getOrThrow(readCaptions(textOf("json")))
    assert.deepStrictEqual(read.doubts, doubts)
    assert.include(textOf("vtt"), "NOTE\nThe text may not be what was said: 0:00:03 to 0:00:09.")
    assert.notInclude(textOf("srt"), "may not be")
  })

  it("that a file tells wrongly is passed over", () => {
    const json = JSON.parse(textOf("json"))
    const odd = [{ start: 9, end: 3, reason: "misfit" }, { start: 1, end: 2, reason: "taste" }, 7, null]
    assert.isUndefined(Either.getOrThrow(readCaptions(JSON.stringify({ ...json, doubts: odd }))).doubts)
  })
})
