import {
  assemble,
  mergeSpans,
  type Segment,
  type Turn,
  textOf,
  type Word,
  wordCountOf,
} from "@earmark/core/transcripts"
import { cpuMilliseconds, generatedRecording } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { assembled, lines, said } from "./saidWords.js"

const turn = (speaker: string, start: number, end: number): Turn => ({ speaker, start, end })

it("a transcript is a whole number of milliseconds long, whatever its file is", () => {
  const { duration } = assemble({ language: "en", duration: 4743.4375, words: said("one two") })
  assert.strictEqual(duration, 4743)
})

describe("words get speakers", () => {
  const words = said("one two three four five six")

  it("by the most overlap", () => {
    assert.deepStrictEqual(lines(words, [turn("B", 0, 900), turn("A", 900, 2400)]), [
      "Speaker 1: one two",
      "Speaker 2: three four five six",
    ])
  })

  it("a tie goes to the speaker before", () => {
    const even = [turn("x", 0, 1000), turn("y", 1000, 2400)]
    assert.strictEqual(lines(said("one two three", 0, 400), even)[0], "Speaker 1: one two three")
  })

  it("where nobody talks the speaker before goes on, and the first turn reaches back", () => {
    assert.deepStrictEqual(lines(words, [turn("x", 900, 1300)]), ["Speaker 1: one two three four five six"])
  })

  it("a short turn inside another's is absorbed, a longer one is not", () => {
    const words = [...said("one", 0, 880), ...said("two", 900)]
    const talking = (end: number) => [turn("y", 0, 800), turn("x", 700, 2400), turn("y", 900, end)]
    assert.deepStrictEqual(lines(words, talking(1399)), ["Speaker 1: one", "Speaker 2: two"])
    assert.deepStrictEqual(lines(words, talking(1400)), ["Speaker 1: one two"])
  })

  it("a turn between two of another's is heard", () => {
    assert.strictEqual(
      lines(words, [turn("x", 0, 800), turn("x", 1600, 2400), turn("y", 800, 1600)]).length,
      3,
    )
  })

  it("a short turn that nobody talks over stays", () => {
    assert.strictEqual(
      lines(words, [turn("x", 0, 800), turn("y", 800, 1200), turn("x", 1200, 2400)]).length,
      3,
    )
  })

  it("numbers go by first appearance, whatever the diarizer says", () => {
    const speakers = assembled(words, [turn("SPEAKER_07", 0, 1200), turn("SPEAKER_01", 1200, 2400)])
    assert.deepStrictEqual(
      speakers.map(({ speaker }) => speaker),
      ["Speaker 1", "Speaker 2"],
    )
    assert.isTrue(speakers.every(({ words, speaker }) => words.every((word) => word.speaker === speaker)))
  })

  it("without turns they keep what they had", () => {
    assert.deepStrictEqual(lines(said("hello there", 0, 400, "Ann")), ["Ann: hello there"])
    assert.deepStrictEqual(lines(words), ["one two three four five six"])
  })
})

describe("segments end", () => {
  it("at a pause", () => assert.deepStrictEqual(lines(said("one two 1500 three")), ["one two", "three"]))
  it("not at a short pause", () => assert.strictEqual(lines(said("one two 1400 three")).length, 1))

  it("at a sentence end, once there is something to show", () => {
    const long = "this sentence has more than forty letters in it."
    assert.deepStrictEqual(lines(said(`Yes. No. ${long} And on`)), [`Yes. No. ${long}`, "And on"])
  })

  it("not after a short form", () => {
    assert.strictEqual(lines(said("this sentence has more than forty letters with Dr. Marsh")).length, 1)
  })

  it("at a length, at the best place in the second half", () => {
    const words = said(`${"word ".repeat(30)}end, ${"word ".repeat(30)}`.trim(), 0, 100)
    const [first, ...rest] = assembled(words)
    assert.match(first?.text ?? "", /end,$/)
    assert.strictEqual(rest.length, 1)
    for (const { text } of assembled(said("word ".repeat(500).trim(), 0, 100)))
      assert.isAtMost(text.length, 240)
  })

  it("at a duration", () => {
    for (const { start, end } of assembled(said("slow ".repeat(100).trim(), 0, 1200)))
      assert.isAtMost(end - start, 20_000)
  })

  it("and join by script", () => {
    const words = said("今日 は 天気 が いい。", 0, 300)
    assert.deepStrictEqual(lines(words), ["今日は天気がいい。"])
  })
})

describe("two speakers at once", () => {
  const ann = said("I was saying that we need to go there now", 0, 400, "Ann")
  const bob = said("yes of course", 1000, 400, "Bob")
  const mixed = [...ann, ...bob].sort((a, b) => a.start - b.start)

  it("are never interleaved word by word", () => {
    for (const words of [mixed, [...ann, ...bob]]) {
      const found = lines(words)
      assert.include(found, "Bob: yes of course")
      assert.isAtMost(found.length, 3)
    }
  })

  it("and no word is lost", () => {
    assert.strictEqual(wordCountOf(assembled(mixed)), ann.length + bob.length)
  })
})

const anyWord = fc.record({
  text: fc.constantFrom("a", "word", "end.", "no,", "今日", " ", "x".repeat(300)),
  start: fc.integer({ min: -100, max: 100_000 }),
  end: fc.integer({ min: -100, max: 100_000 }),
  confidence: fc.constant(null),
  speaker: fc.constantFrom(null, "A", "B", "C"),
})
const anyTurn = fc.record({
  speaker: fc.constantFrom("A", "B", "C"),
  start: fc.integer({ min: 0, max: 100_000 }),
  end: fc.integer({ min: 0, max: 100_000 }),
})

it.prop(
  "every word once, each speaker's in order",
  { words: fc.array(anyWord), turns: fc.array(anyTurn) },
  ({ words, turns }) => {
    const segments = assembled(words, turns)
    const kept = words.filter(({ text }) => text.trim() !== "")
    assert.strictEqual(wordCountOf(segments), kept.length)
    for (const { words, speaker, start, end } of segments) {
      assert.isTrue(words.length > 0 && words.every((word) => word.speaker === speaker))
      assert.isTrue(start <= end)
    }
    if (turns.length === 0) {
      for (const speaker of [null, "A", "B", "C"]) {
        const before = kept
          .filter((word) => word.speaker === speaker)
          .map(({ start, text }) => [start, text.trim()])
        const after = segments
          .flatMap(({ words }) => words)
          .filter((word) => word.speaker === speaker)
          .map(({ start, text }) => [start, text])
        assert.deepStrictEqual(after, before)
      }
    }
  },
)

it("without words the lines given are the segments", () => {
  const line = (text: string, start: number, end: number): Segment => ({
    text,
    start,
    end,
    speaker: null,
    words: [],
  })
  const { segments } = assemble({
    language: null,
    duration: 9000,
    words: [],
    segments: [line("first", 0, 4000), line("  ", 4000, 5000), line("second", 5000, 9000)],
    turns: [turn("b", 0, 4500), turn("a", 4500, 9000)],
  })
  assert.deepStrictEqual(
    segments.map(({ text, speaker }) => [text, speaker]),
    [
      ["first", "Speaker 1"],
      ["second", "Speaker 2"],
    ],
  )
  assert.strictEqual(wordCountOf(segments), 2)
})

it("ten hours are assembled in a second, in time that grows with the words and not with their square", () => {
  const { words, transcript } = generatedRecording({ seed: 1, topics: 130, sentences: [30, 80] })
  const turns = transcript.segments.map(({ start, end, speaker }) => ({ start, end, speaker: speaker ?? "" }))
  const time = (count: number) => {
    const started = cpuMilliseconds()
    assemble({ language: "en", duration: transcript.duration, words: words.slice(0, count), turns })
    return cpuMilliseconds() - started
  }
  time(words.length)
  const quarter = Math.min(...[1, 2, 3].map(() => time(words.length >> 2)))
  const whole = Math.min(...[1, 2, 3].map(() => time(words.length)))
  assert.isBelow(whole, 1000)
  assert.isBelow(whole, 10 * quarter + 20)
})

describe("text", () => {
  it("joins segments by script and counts words", () => {
    const segments = [...assembled(said("Hello there.")), ...assembled(said("Bye."))]
    assert.strictEqual(textOf(segments), "Hello there. Bye.")
    assert.strictEqual(wordCountOf(segments), 3)
    const lines = segments.map((segment) => ({ ...segment, text: "今日は天気がいい。", words: [] }))
    assert.strictEqual(wordCountOf(lines), 10)
    assert.strictEqual(textOf(lines).includes(" "), false)
  })
})

describe("windows of a worker", () => {
  const window = (text: string, start: number, end: number) => ({
    start,
    end,
    words: said(text, start, 1000),
  })
  const texts = (words: ReadonlyArray<Word>) => words.map(({ text }) => text).join(" ")

  it("are put in order, whichever ended first", () => {
    assert.strictEqual(texts(mergeSpans([window("c d", 2000, 4000), window("a b", 0, 2000)])), "a b c d")
  })

  it("a word that two of them heard is taken once, and one done twice counts once", () => {
    const overlapping = [window("a b c", 0, 3000), window("c d e", 2000, 5000)]
    assert.strictEqual(texts(mergeSpans(overlapping)), "a b c d e")
    assert.strictEqual(texts(mergeSpans([...overlapping, ...overlapping])), "a b c d e")
    assert.strictEqual(texts(mergeSpans([window("a b c d", 0, 4000), window("b", 1000, 2000)])), "a b c d")
  })
})
