import {
  type IntegrityInput,
  integrityOf,
  type Segment,
  type Span,
  type Word,
} from "@earmark/core/transcripts"
import { generatedRecording } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"

const recording = generatedRecording({ seed: 4, topics: 3, sentences: [20, 30] })
const { duration, segments } = recording.transcript
const clean: IntegrityInput = { duration, segments, voice: recording.voice }

const spoken = (text: string, start = 1000, each = 400): Segment => {
  const words = text.split(" ").map(
    (text, index): Word => ({
      text,
      start: start + index * each,
      end: start + (index + 1) * each,
      confidence: 0.9,
      speaker: null,
    }),
  )
  return { start, end: start + words.length * each, speaker: null, text, words }
}

const reportOf = (segments: ReadonlyArray<Segment>, voice: ReadonlyArray<Span> | null = null) =>
  integrityOf({ duration: 3_600_000, segments, voice })

const moved =
  (by: number) =>
  (segment: Segment): Segment => ({
    ...segment,
    start: segment.start + by,
    end: segment.end + by,
    words: segment.words.map((word) => ({ ...word, start: word.start + by, end: word.end + by })),
  })

describe("what a good transcript gets", () => {
  it("nothing to complain about", () => {
    const report = integrityOf(clean)
    assert.deepStrictEqual(report.flags, [])
    assert.deepStrictEqual([report.gaps, report.repeats, report.lowConfidence], [[], [], []])
    assert.isAtLeast(report.coverage ?? 0, 0.99)
    assert.strictEqual(
      report.speech,
      recording.voice.reduce((sum, { start, end }) => sum + end - start, 0),
    )
  })

  it("without audio there is nothing to compare", () => {
    const report = integrityOf({ ...clean, voice: null })
    assert.deepStrictEqual([report.speech, report.transcribed, report.coverage], [null, null, null])
    assert.deepStrictEqual(report.flags, ["no_audio"])
  })
})

describe("lost speech", () => {
  it("a removed span is a gap where it was", () => {
    const first = segments[20]
    const last = segments[29]
    assert.isTrue(first !== undefined && last !== undefined)
    if (first === undefined || last === undefined) return
    const report = integrityOf({ ...clean, segments: segments.toSpliced(20, 10) })
    const found = report.gaps.reduce((sum, { start, end }) => sum + end - start, 0)
    assert.isAbove(found, 0.7 * (last.end - first.start))
    for (const { start, end } of report.gaps) {
      assert.isAtLeast(start, first.start)
      assert.isAtMost(end, last.end)
    }
    assert.include(report.flags, "low_coverage")
  })

  it("silence over a gap is not lost speech", () => {
    const report = reportOf(
      [spoken("one two"), spoken("three four", 60_000)],
      [
        { start: 1000, end: 1800 },
        { start: 60_000, end: 60_800 },
      ],
    )
    assert.deepStrictEqual([report.gaps, report.coverage], [[], 1])
  })

  it("one word stretched over a minute does not hide it", () => {
    const segment = spoken("well", 0, 60_000)
    const report = reportOf([segment], [{ start: 0, end: 60_000 }])
    assert.deepStrictEqual(report.gaps, [{ start: 2700, end: 60_000 }])
  })

  it("an empty transcript over speech is one gap", () => {
    const report = reportOf([], [{ start: 5000, end: 65_000 }])
    assert.deepStrictEqual(
      [report.coverage, report.transcribed, report.gaps],
      [0, 0, [{ start: 5000, end: 65_000 }]],
    )
    assert.deepStrictEqual(report.flags, ["low_coverage", "ends_early"])
  })

  it("a transcript that stops early says so", () => {
    const half = segments.slice(0, segments.length >> 1)
    assert.include(integrityOf({ ...clean, segments: half }).flags, "ends_early")
  })

  it("counts lines without word times by their text", () => {
    const lines = segments.map((segment) => ({ ...segment, words: [] }))
    assert.isAtLeast(integrityOf({ ...clean, segments: lines }).coverage ?? 0, 0.97)
  })
})

describe("invented speech", () => {
  it("music only, with words, is text in silence; coverage is 1", () => {
    const report = reportOf([spoken("thanks for watching")], [])
    assert.deepStrictEqual([report.speech, report.coverage], [0, 1])
    assert.deepStrictEqual(report.flags, ["text_in_silence"])
  })

  it("music only, without words, is fine", () => {
    assert.deepStrictEqual(reportOf([], []).flags, [])
  })

  it("words near a voice are not in silence", () => {
    const voice = [{ start: 10_000, end: 20_000 }]
    assert.notInclude(reportOf([spoken("late", 21_900)], voice).flags, "text_in_silence")
    assert.include(reportOf([spoken("later", 22_100)], voice).flags, "text_in_silence")
  })

  it("shifted times show", () => {
    const flags = integrityOf({
      ...clean,
      duration: duration + 60_000,
      segments: segments.map(moved(60_000)),
    }).flags
    assert.include(flags, "text_in_silence")
  })
})

describe("repeats", () => {
  const cases: ReadonlyArray<
    readonly [name: string, text: string, found: ReadonlyArray<readonly [string, number]>]
  > = [
    ["no, no, no is not a loop", "No, no, no.", []],
    ["four times is", "No, no, no, no.", [["No,", 4]]],
    ["a doubled phrase is not", "I think we should go I think we should go now", []],
    [
      "three times a long phrase is",
      "we should go there we should go there we should go there",
      [["we should go there", 3]],
    ],
    ["three times a short one is not", "you know you know you know", []],
    ["four times a short one is", "so you know you know you know you know then", [["you know", 4]]],
    [
      "a loop is told once, by its shortest phrase",
      "go on go on go on go on go on go on go on go on",
      [["go on", 8]],
    ],
    [
      "case and punctuation do not hide it",
      "Thank you. thank you, THANK YOU thank you!",
      [["Thank you.", 4]],
    ],
    ["nothing said is nothing repeated", "", []],
  ]
  for (const [name, text, expected] of cases) {
    it(name, () => {
      const { repeats, flags } = reportOf([spoken(text)])
      assert.deepStrictEqual(
        repeats.map(({ text, count }) => [text, count] as const),
        expected,
      )
      assert.strictEqual(flags.includes("looping"), expected.length > 0)
    })
  }

  it("has the time of the loop", () => {
    const [repeat] = reportOf([spoken("one go go go go two", 1000, 500)]).repeats
    assert.deepStrictEqual([repeat?.start, repeat?.end], [1500, 3500])
  })

  it("a segment three times in a row is a loop, unless it is one word", () => {
    const three = (text: string) => [0, 1, 2].map((index) => spoken(text, index * 30_000))
    assert.deepStrictEqual(
      reportOf(three("Thank you.")).repeats.map(({ text, count }) => [text, count]),
      [["Thank you.", 3]],
    )
    assert.deepStrictEqual(reportOf(three("No.")).repeats, [])
    const long = Array.from({ length: 15 }, (_, index) => `word${index}`).join(" ")
    assert.strictEqual(reportOf(three(long)).repeats[0]?.count, 3)
    assert.deepStrictEqual(reportOf(three("Thank you.").slice(0, 2)).repeats, [])
  })

  it("a chorus comes back after each verse, and is no loop", () => {
    const chorus = "we will sing it all night long oh we will sing it all night long"
    const song = [1, 2, 3, 4].flatMap((verse) => [
      spoken(`verse ${verse} tells of the road we took in year ${verse}`, verse * 60_000),
      spoken(chorus, verse * 60_000 + 20_000),
    ])
    assert.deepStrictEqual(reportOf(song).repeats, [])
  })

  it("loops without word times and without spaces are found", () => {
    const line = {
      start: 0,
      end: 20_000,
      speaker: null,
      text: "ご視聴ありがとうございました".repeat(3),
      words: [],
    }
    assert.strictEqual(reportOf([{ ...line, text: "はい".repeat(8) }]).repeats[0]?.count, 8)
    assert.deepStrictEqual(
      reportOf([line]).flags.includes("looping"),
      false,
      "14 letters are more than a phrase",
    )
  })
})

describe("words the engine doubted", () => {
  const withConfidence = (confidences: ReadonlyArray<number | null>): Segment => {
    const segment = spoken(confidences.map((_, index) => `w${index}`).join(" "), 0, 100)
    return {
      ...segment,
      words: segment.words.map((word, index) => ({ ...word, confidence: confidences[index] ?? null })),
    }
  }

  it("five running with a mean under the limit", () => {
    const report = reportOf([withConfidence([0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.9])])
    assert.strictEqual(report.lowConfidence.length, 1)
    assert.isAtMost(report.lowConfidence[0]?.start ?? 9999, 300)
    assert.isBelow(report.lowConfidence[0]?.confidence ?? 1, 0.5)
  })

  it("not four, and not where the engine says nothing", () => {
    assert.deepStrictEqual(reportOf([withConfidence([0.1, 0.1, 0.1, 0.1])]).lowConfidence, [])
    assert.deepStrictEqual(reportOf([withConfidence([0.1, 0.1, 0.1, null, 0.1, 0.1])]).lowConfidence, [])
    assert.deepStrictEqual(reportOf([withConfidence([null, null, null, null, null, null])]).lowConfidence, [])
  })
})

describe("other flags", () => {
  it("nobody says more than seven words a second for five seconds", () => {
    assert.notInclude(reportOf([spoken("word ".repeat(60).trim(), 0, 150)]).flags, "impossible_rate")
    assert.include(reportOf([spoken("word ".repeat(60).trim(), 0, 120)]).flags, "impossible_rate")
    const letters = spoken([..."今日は天気がいいから出かけます".repeat(6)].join(" "), 0, 100)
    assert.notInclude(reportOf([letters]).flags, "impossible_rate", "letters are not words")
  })

  it("times run forwards, inside the media", () => {
    const disorder = (segments: ReadonlyArray<Segment>) => reportOf(segments).flags.includes("time_disorder")
    assert.isFalse(disorder([spoken("a b", 0), spoken("c", 500)]))
    assert.isTrue(disorder([spoken("a b", 1000), spoken("c", 500)]))
    assert.isTrue(disorder([{ ...spoken("a b", 0), words: spoken("a b", 0).words.toReversed() }]))
    assert.isTrue(disorder([spoken("a", -500)]))
    assert.isTrue(disorder([spoken("a", 3_700_000)]))
    assert.isTrue(disorder([{ ...spoken("a"), start: Number.NaN }]))
  })

  it("what the caller knows", () => {
    assert.include(integrityOf({ ...clean, interpolated: 3 }).flags, "interpolated_words")
    assert.include(integrityOf({ ...clean, language: "en", textLanguage: "de" }).flags, "language_switch")
    assert.notInclude(
      integrityOf({ ...clean, language: "en-GB", textLanguage: "en" }).flags,
      "language_switch",
    )
    assert.notInclude(integrityOf({ ...clean, language: null, textLanguage: "en" }).flags, "language_switch")
  })
})

const anySpan = fc.record({
  start: fc.integer({ min: -10, max: 5000 }),
  end: fc.integer({ min: -10, max: 5000 }),
})

it.prop(
  "gaps lie in speech and hold no word; coverage is what the two say",
  { voice: fc.array(anySpan), words: fc.array(anySpan) },
  ({ voice, words }) => {
    const input = words.map(
      ({ start, end }): Segment => ({ ...spoken("word", start), end: Math.max(start, end) }),
    )
    const { gaps, speech, transcribed, coverage } = reportOf(input, voice)
    assert.isTrue((speech ?? -1) >= (transcribed ?? 0) && (transcribed ?? -1) >= 0)
    assert.isTrue((coverage ?? -1) >= 0 && (coverage ?? 2) <= 1)
    const lost = gaps.reduce((sum, { start, end }) => sum + end - start, 0)
    assert.isAtMost(lost, (speech ?? 0) - (transcribed ?? 0))
    for (const { start, end } of gaps) {
      assert.isAtLeast(end - start, 2000)
      assert.isTrue(voice.some((span) => span.start <= start && span.end > start))
      for (const word of input) assert.isTrue(word.start >= end || word.start + 400 <= start)
    }
  },
)

it("ten hours take a moment, and hostile ones not much longer", () => {
  const long = generatedRecording({ seed: 2, topics: 130, sentences: [30, 80] })
  const time = (segments: ReadonlyArray<Segment>) => {
    const started = performance.now()
    integrityOf({ duration: long.transcript.duration, segments, voice: long.voice })
    return performance.now() - started
  }
  time(long.transcript.segments)
  assert.isBelow(Math.min(...[1, 2, 3].map(() => time(long.transcript.segments))), 250)
  const loop = spoken("no ".repeat(200_000).trim(), 0, 10)
  assert.isBelow(time([loop]), 2000)
  assert.isBelow(time([{ ...loop, words: [] }]), 2000)
  assert.isBelow(time(Array.from({ length: 100_000 }, () => spoken("thank you", 0))), 2000)
})
