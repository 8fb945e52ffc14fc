import { exportTranscript } from "@earmark/core/captions"
import type { Segment, Word } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { lengthenWords } from "../../src/transcripts/lengthenWords.js"

const heard = (text: string, start: number, end: number): Word => ({
  text,
  start,
  end,
  confidence: 0.9,
  speaker: "Speaker 1",
})
const added = (text: string, at: number): Word => ({ ...heard(text, at, at), confidence: null })
const timesOf = (words: ReadonlyArray<Word>) => words.map(({ text, start, end }) => [text, start, end])

const line = (start: number, end: number, words: ReadonlyArray<Word>): Segment => ({
  start,
  end,
  speaker: "Speaker 1",
  text: words.map(({ text }) => text).join(" "),
  words,
})

const CORRECTED = "most certainly and without any doubt at all"
const meeting = line(2000, 4500, [
  heard("Then", 2000, 2500),
  heard("we", 2500, 3056),
  ...CORRECTED.split(" ").map((text) => added(text, 3056)),
  heard("will", 3056, 3500),
  heard("meet", 3500, 4400),
])

describe("words without length", () => {
  it("take part of the time of the words beside them, by letters, and of no other", () => {
    assert.deepStrictEqual(
      timesOf(
        lengthenWords(
          [
            heard("we", 0, 500),
            added("have", 500),
            added("now", 500),
            heard("met", 500, 900),
            heard("Ann", 900, 1200),
          ],
          { start: 0, end: 1200 },
        ),
      ),
      [
        ["we", 0, 403],
        ["have", 403, 503],
        ["now", 503, 578],
        ["met", 578, 900],
        ["Ann", 900, 1200],
      ],
    )
    const two = [heard("we", 1000, 1500), heard("met", 1500, 2000)]
    const span = { start: 1000, end: 2000 }
    assert.deepStrictEqual(timesOf(lengthenWords([added("so", 1000), ...two], span))[1], ["we", 1050, 1500])
    assert.deepStrictEqual(timesOf(lengthenWords([...two, added("so", 2000)], span)).slice(1), [
      ["met", 1500, 1950],
      ["so", 1950, 2000],
    ])
    assert.strictEqual(lengthenWords(two, span), two)
  })

  it("have cues that follow each other in captions by word, and none where lines are shown", () => {
    const document = { segments: [meeting], language: "en", duration: 5000 }
    const stampsIn = (wordLevel: boolean) => {
      const file = Either.getOrThrow(exportTranscript(document, { format: "srt", wordLevel }))
      return [...file.chunks].join("").match(/\d\d:\d\d:\d\d,\d{3}/g) ?? []
    }
    const stamps = stampsIn(true)
    assert.lengthOf(stamps, 2 * 12)
    stamps.forEach((stamp, at) => {
      const before = stamps[at - 1] ?? ""
      if (at % 2 === 1) assert.isTrue(stamp > before, `${before} to ${stamp}`)
      else assert.isTrue(stamp >= before, `${before}, then ${stamp}`)
    })
    assert.isBelow(stampsIn(false).length, 8)
  })

  const anyWord = fc.record({
    text: fc.constantFrom("a", "bb", "other", "consideration"),
    length: fc.nat(300),
    pause: fc.constantFrom(0, 0, 200),
    isAdded: fc.boolean(),
  })

  it.prop(
    "stay in their line and in order, whatever it holds",
    { parts: fc.array(anyWord, { minLength: 1, maxLength: 12 }) },
    ({ parts }) => {
      let now = 1000
      const words = parts.map(({ text, length, pause, isAdded }) => {
        if (isAdded) return added(text, now)
        const word = heard(text, now, now + length)
        now += length + pause
        return word
      })
      const span = { start: 1000, end: now }
      const longer = lengthenWords(words, span)
      assert.deepStrictEqual(
        longer.map(({ text }) => text),
        words.map(({ text }) => text),
      )
      longer.forEach((word, at) => {
        assert.isAtLeast(word.start, longer[at - 1]?.end ?? span.start)
        assert.isAtLeast(word.end, word.start)
        assert.isAtMost(word.end, span.end)
      })
    },
  )
})
