import { buildCues, captionProfile, cuesByTurn } from "@earmark/core/captions"
import { cellWidth } from "@earmark/core/text"
import { type Cue, repairWords, type Word } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"

const LANGUAGES = ["en", "de", "ja", "zh", "th", "ar", null] as const
const PROFILES = ["standard", "podcast", "netflix"] as const

const texts = FastCheck.oneof(
  {
    weight: 8,
    arbitrary: FastCheck.constantFrom(
      ..."the and of a station. it, Anna Marsh So 42 why? well, — is".split(" "),
    ),
  },
  {
    weight: 3,
    arbitrary: FastCheck.constantFrom(
      "今日",
      "は",
      "、",
      "「",
      "東京",
      "」",
      "。",
      "っ",
      "て",
      "ラーメン",
      "สวัสดี",
      "ครับ วัน",
    ),
  },
  {
    weight: 1,
    arbitrary: FastCheck.constantFrom(
      "👨‍👩‍👧‍👦",
      "e\u0301",
      "\u0301",
      "",
      "  ",
      " two words ",
      "!",
      "( ",
      "»",
    ),
  },
  {
    weight: 1,
    arbitrary: FastCheck.integer({ min: 20, max: 120 }).map((length) => "Donau".repeat(30).slice(0, length)),
  },
  { weight: 1, arbitrary: FastCheck.string({ unit: "binary", maxLength: 30 }) },
)

const ordinary = FastCheck.record({
  text: texts,
  pause: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: 0, max: 900 })),
  length: FastCheck.integer({ min: 1, max: 700 }),
  voice: FastCheck.integer({ min: 0, max: 9 }),
})

const wild = FastCheck.record({
  text: texts,
  pause: FastCheck.oneof(
    FastCheck.integer({ min: -3_000, max: 3_000 }),
    FastCheck.constantFrom(-400_000, 9_000_000),
  ),
  length: FastCheck.oneof(
    FastCheck.integer({ min: -500, max: 900 }),
    FastCheck.constantFrom(0, 300_000, Number.NaN, 1e300, 0.4),
  ),
  voice: FastCheck.integer({ min: 0, max: 9 }),
})

type Beat = { readonly text: string; readonly pause: number; readonly length: number; readonly voice: number }

/** Nine beats of ten go on with the speaker before. */
const wordsOf = (beats: ReadonlyArray<Beat>, firstStart: number): ReadonlyArray<Word> => {
  let clock = firstStart
  let speaker: string | null = "Speaker 1"
  return beats.map(({ text, pause, length, voice }) => {
    if (voice === 8) speaker = speaker === "Speaker 1" ? "Speaker 2" : "Speaker 1"
    if (voice === 9) speaker = null
    const start: number = clock + pause
    clock = start + (length > 0 && length < 5_000 ? length : 0)
    return { text, start, end: start + length, confidence: null, speaker }
  })
}

const ordinaryWords = FastCheck.tuple(
  FastCheck.array(ordinary, { maxLength: 150, size: "max" }),
  FastCheck.nat(5_000),
).map(([beats, firstStart]) => wordsOf(beats, firstStart))
const wildWords = FastCheck.tuple(
  FastCheck.array(wild, { maxLength: 150, size: "max" }),
  FastCheck.integer({ min: -2_000, max: 2_000 }),
).map(([beats, firstStart]) => wordsOf(beats, firstStart))
const anyWords = FastCheck.oneof(ordinaryWords, wildWords)

const profiles = FastCheck.record({
  name: FastCheck.constantFrom(...PROFILES),
  language: FastCheck.constantFrom(...LANGUAGES),
  maxLines: FastCheck.constantFrom(1, 2, 2, 3),
  maxCharsPerLine: FastCheck.constantFrom(undefined, undefined, 10, 17, 100),
}).map(({ name, ...options }) => captionProfile(name, options))

/** All the letters, whatever spaces and joints lie between them. */
const letters = (texts: ReadonlyArray<string>) =>
  texts
    .join("")
    .replace(/[\s\u0085]+/g, "")
    .replace(/\p{Cc}/gu, "")
    .replace(/\p{Cs}/gu, "\ufffd")

const assertSound = (cues: ReadonlyArray<Cue>, columns: number, maxLines: number, maxDuration: number) => {
  cues.forEach((cue, index) => {
    const next = cues[index + 1]
    assert.isTrue(Number.isSafeInteger(cue.start) && Number.isSafeInteger(cue.end), "whole milliseconds")
    assert.isAbove(cue.end, cue.start)
    assert.isAtMost(cue.end - cue.start, maxDuration)
    if (next !== undefined) assert.isAtMost(cue.end, next.start)
    assert.isAtLeast(cue.lines.length, 1)
    assert.isAtMost(cue.lines.length, maxLines)
    for (const line of cue.lines) {
      assert.isAtMost(cellWidth(line), columns, line)
      assert.strictEqual(line, line.trim())
      assert.notStrictEqual(line, "")
    }
    for (const word of cue.words) assert.strictEqual(word.speaker, cue.speaker)
  })
}

const shifted = (words: ReadonlyArray<Word>, by: number) =>
  words.map((word) => ({ ...word, start: word.start + by, end: word.end + by }))

describe("whatever the words", () => {
  it.prop(
    "shows cues that fit the profile and never overlap",
    [anyWords, profiles],
    ([words, profile]) => {
      const cues = buildCues(words, { profile })
      assertSound(cues, profile.maxCharsPerLine, profile.maxLines, profile.maxDuration)
    },
    { fastCheck: { numRuns: 500 } },
  )

  it.prop(
    "shows every word once and in order",
    [anyWords, profiles],
    ([words, profile]) => {
      const cues = buildCues(words, { profile })
      const spoken = letters(words.map((word) => word.text))
      assert.strictEqual(letters(cues.flatMap((cue) => cue.lines)), spoken)
      assert.strictEqual(letters(cues.flatMap((cue) => cue.words.map((word) => word.text))), spoken)
      for (const cue of cues) {
        assert.strictEqual(letters(cue.words.map((word) => word.text)), letters(cue.lines))
      }
    },
    { fastCheck: { numRuns: 500 } },
  )

  it.prop(
    "gives the same cues for the same words, at once or turn by turn",
    [anyWords, profiles],
    ([words, profile]) => {
      const cues = buildCues(words, { profile })
      assert.deepStrictEqual(buildCues(words, { profile }), cues)
      assert.deepStrictEqual([...cuesByTurn(words, { profile })].flat(), cues)
    },
  )

  it.prop(
    "moves its cues with the words",
    [ordinaryWords, profiles, FastCheck.nat(400_000_000)],
    ([words, profile, by]) => {
      const cues = buildCues(shifted(words, by), { profile })
      const expected = buildCues(words, { profile }).map((cue) => ({
        ...cue,
        start: cue.start + by,
        end: cue.end + by,
        words: shifted(cue.words, by),
      }))
      assert.deepStrictEqual(cues, expected)
    },
  )
})

/** A second between turns: nobody waits for anybody. */
const calm = (words: ReadonlyArray<Word>) => {
  let later = 0
  return repairWords(words).map((word, index, all) => {
    if (index > 0 && all[index - 1]?.speaker !== word.speaker) later += 1_000
    return { ...word, start: word.start + later, end: word.end + later }
  })
}

it.prop("a stream cut at a turn has the same cues", [ordinaryWords, profiles], ([words, profile]) => {
  const all = calm(words.filter((word) => letters([word.text]) !== ""))
  const cut = all.findIndex((word, index) => index > 0 && word.speaker !== all[index - 1]?.speaker)
  const after = all[cut]
  if (after === undefined) return
  const parts = [
    ...buildCues(all.slice(0, cut), { profile, until: after.start }),
    ...buildCues(all.slice(cut), { profile }),
  ]
  assert.deepStrictEqual(parts, buildCues(all, { profile }))
})
