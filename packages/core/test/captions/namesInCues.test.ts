import { captionProfile, lintCues, readCaptions } from "@earmark/core/captions"
import { cellWidth } from "@earmark/core/text"
import type { Cue } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { read } from "./reading.js"
import { documentOf, segment, textOf } from "./writing.js"

const LONG = "Prof. Dr. Maximiliane von Hohenlohe-Langenburg"

const TALK = [
  segment(820, 2930, "A", "Good morning and welcome to the museum."),
  segment(3010, 4260, "A", "We open the doors at nine."),
  segment(5680, 6240, "B", "Thank you."),
  segment(6680, 8380, "B", "I would like to see the old books."),
  segment(11_330, 14_130, "A", "The old books are in the room on the left."),
  segment(17_210, 20_000, "B", "And may I write down some words from them?"),
  segment(22_632, 25_500, "A", "You can write as much as you like."),
  segment(26_500, 28_500, "B", "That is a good rule."),
]

const talk = (a: string, b = "Ben") => documentOf(TALK, { speakerNames: { A: a, B: b } })

/** Cues as players show them, with the names in their text. */
const shown = (text: string): ReadonlyArray<Cue> =>
  Either.getOrThrow(readCaptions(text, { names: "in_text" })).cues

const ONE_LINE = { format: "srt", maxLines: 1 } as const

describe("names in the text of cues", () => {
  const cases = [
    ["Ann", "Ann", { ...ONE_LINE, maxCharsPerLine: 16 }],
    ["Bartholomew", "Bartholomew", { ...ONE_LINE, maxCharsPerLine: 24 }],
    ["Bartholomew", "B", { ...ONE_LINE, maxCharsPerLine: 16 }],
    [LONG, "Hohenlohe-Langenburg", { format: "srt", profile: "podcast" }],
    [LONG, "Hohenlohe-Langenburg", { format: "vtt", profile: "podcast" }],
    [LONG, "Maximiliane von Hohenlohe-Langenburg", { format: "srt" }],
    [LONG, LONG, { format: "srt", maxCharsPerLine: 80 }],
    ["Ann Lee (who presents the programme)", "Ann Lee", { format: "srt", profile: "podcast" }],
  ] as const
  it.each(cases)("%s is shown as %s by %j, never alone, and is read again", (name, short, options) => {
    const text = textOf(talk(name), options)
    for (const { lines } of shown(text)) assert.notMatch(lines.join(" "), /:$/)
    const said = (label: string) =>
      TALK.filter(({ speaker }) => speaker === label)
        .map((each) => each.text)
        .join(" ")
    const { cues } = read(text)
    for (const [label, speaker] of [
      ["A", short],
      ["B", "Ben"],
    ] as const) {
      const own = cues.filter((cue) => cue.speaker === speaker)
      assert.strictEqual(own.flatMap(({ lines }) => lines).join(" "), said(label))
    }
  })

  it("are not cut to what another speaker is called", () => {
    const initials = textOf(talk("Bartholomew", "B"), { ...ONE_LINE, maxCharsPerLine: 16 })
    assert.deepStrictEqual([...new Set(read(initials).cues.map(({ speaker }) => speaker))], ["B2", "B"])
    const both = textOf(talk("Ann Maria Lee-Hohenlohe (host of it)", "Ann Maria Lee-Hohenlohe"), {
      format: "srt",
      profile: "podcast",
    })
    assert.deepStrictEqual(
      [...new Set(read(both).cues.map(({ speaker }) => speaker))],
      ["Lee-Hohenlohe", "Ann Maria Lee-Hohenlohe"],
    )
  })

  it("share their cue with the first word where the words without it would fill the line", () => {
    const ends = [950, 1560, 1800, 2170, 2360, 2440, 2930]
    const spoken = segment(820, 2930, "Ann", "Good morning and welcome to the museum.")
    const words = spoken.words.map((word, at) => ({
      ...word,
      start: ends[at - 1] ?? 820,
      end: ends[at] ?? 2930,
    }))
    const [first] = shown(textOf(documentOf([{ ...spoken, words }]), { ...ONE_LINE, maxCharsPerLine: 16 }))
    assert.deepStrictEqual(first?.lines, ["Ann: Good"])
  })

  it("wait for a word that the line has room for beside them", () => {
    const document = documentOf([
      segment(0, 2000, "Ann", "Hello Ben."),
      segment(2000, 4000, "Ben", "Unfortunately we must go."),
    ])
    const cues = shown(textOf(document, { ...ONE_LINE, maxCharsPerLine: 16 }))
    assert.deepStrictEqual(
      cues.map(({ lines }) => lines.join("/")),
      ["Ann: Hello Ben.", "Unfortunately", "Ben: we must go."],
    )
  })

  const words = FastCheck.array(
    FastCheck.constantFrom(..."I so we understand that Donaudampfschiff a, is. 今日は東京".split(" ")),
    { minLength: 1, maxLength: 25 },
  )
  const turns = FastCheck.array(
    FastCheck.record({ words, pause: FastCheck.nat(1500), speaker: FastCheck.nat(2) }),
    { minLength: 1, maxLength: 6 },
  )
  const names = FastCheck.constantFrom("Ann", "Bartholomew", LONG, "Ann Lee (host)", "Lee, Ann")
  const layout = FastCheck.record({
    format: FastCheck.constantFrom("srt" as const, "vtt" as const),
    profile: FastCheck.constantFrom("standard" as const, "podcast" as const, "netflix" as const),
    maxLines: FastCheck.constantFrom(1, 2, 3),
    maxCharsPerLine: FastCheck.constantFrom(16, 24, 42),
  })
  it.prop(
    "fit the lines, and cues have every word, in order, one after the other",
    [turns, names, layout],
    ([turns, name, options]) => {
      let clock = 0
      const segments = turns.map((turn) => {
        const start = clock + turn.pause
        clock = start + turn.words.length * 210
        return segment(start, clock, ["A", "B", null][turn.speaker] ?? null, turn.words.join(" "))
      })
      const document = documentOf(segments, { speakerNames: { A: name, B: "Ben" } })
      const cues = shown(textOf(document, options))
      const ink = (texts: ReadonlyArray<string>) => texts.join("").replace(/\s/g, "")
      const without = (text: string) => text.replace(/^[^:]*:/, "")
      assert.strictEqual(
        ink(cues.map(({ lines }) => without(lines.join(" ")))),
        ink(segments.map(({ text }) => text)),
      )
      cues.forEach((cue, index) => {
        assert.isAbove(cue.end, cue.start)
        assert.isAtMost(cue.end, cues[index + 1]?.start ?? Number.POSITIVE_INFINITY)
        assert.isAtMost(cue.lines.length, options.maxLines)
        for (const line of cue.lines) assert.isAtMost(cellWidth(line), options.maxCharsPerLine)
        if (options.maxLines > 1) assert.notMatch(cue.lines.join(" "), /:$/)
      })
    },
  )
})

describe("time that cues borrow", () => {
  const faults = (cues: ReadonlyArray<Cue>, profile: "standard" | "netflix") =>
    lintCues(cues, captionProfile(profile, { language: "en" })).findings.flatMap(({ cue, code, weight }) =>
      weight === "fault" ? [`${cue} ${code}`] : [],
    )
  const fast = "The old books are in the room on the left of us. "
  const told = (segments: Parameters<typeof documentOf>[0], profile: "standard" | "netflix" = "standard") =>
    shown(textOf(documentOf(segments), { format: "vtt", profile }))

  for (const profile of ["standard", "netflix"] as const) {
    it(`comes from the pause before them, by ${profile}`, () => {
      const cues = told(
        [
          segment(1000, 2000, "A", "Yes."),
          segment(5000, 7200, "B", fast),
          segment(7200, 9500, "A", "No, it is not."),
        ],
        profile,
      )
      assert.deepStrictEqual(faults(cues, profile), [])
      const second = cues[1]
      assert.isBelow(second?.start ?? 0, 5000)
      assert.isAtLeast(second?.start ?? 0, 4500)
    })
    it(`comes from the cues beside them where those have enough, by ${profile}`, () => {
      const cues = told(
        [
          segment(0, 3000, "A", "Yes, I know."),
          segment(3000, 5300, "B", fast),
          segment(5300, 8000, "A", "No, it is."),
        ],
        profile,
      )
      assert.deepStrictEqual(faults(cues, profile), [])
      assert.isAtLeast(cues[1]?.start ?? 0, 2750)
      if (profile === "netflix") assert.isAtLeast((cues[1]?.start ?? 0) - (cues[0]?.end ?? 0), 84)
    })
  }
  it("is not taken where nothing can be spared: the fault stays", () => {
    const cues = told([segment(0, 2000, "A", fast), segment(2000, 4000, "B", fast)])
    assert.deepStrictEqual(faults(cues, "standard"), ["1 too_fast", "2 too_fast"])
  })
  it("is not taken where every word shows its own time", () => {
    const document = documentOf([segment(1000, 3000, "A", fast), segment(3000, 5500, "B", "No, it is not.")])
    const cues = shown(textOf(document, { format: "vtt", wordLevel: true }))
    assert.strictEqual(cues[0]?.start, 1000)
  })
})
