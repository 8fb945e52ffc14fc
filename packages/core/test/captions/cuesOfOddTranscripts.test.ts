import { spreadWords } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { cuesOf, heard, linesOf, say, timesOf } from "./sayingCues.js"

describe("odd transcripts", () => {
  it("no words", () => {
    assert.deepStrictEqual(cuesOf([]), [])
    assert.deepStrictEqual(cuesOf([heard(" ", 0, 1), heard("\u0000", 2, 3)]), [])
  })

  it("segments without words", () => {
    const text = "Nobody had seen the doctor since the evening before, and the door was open."
    const cues = cuesOf(spreadWords({ start: 2_000, end: 7_000, speaker: "Ann", text }))
    assert.strictEqual(cues.map((cue) => cue.lines.join(" ")).join(" "), text)
    assert.strictEqual(cues[0]?.start, 2_000)
    assert.strictEqual(cues[0]?.speaker, "Ann")
  })

  it("some words without time", () => {
    const words = say("this one has no time").map((word, index) =>
      index === 2 ? { ...word, start: Number.NaN, end: Number.NaN } : word,
    )
    const [cue] = cuesOf(words)
    assert.strictEqual(cue?.lines.join(" "), "this one has no time")
    assert.strictEqual(cue?.words[2]?.start, 700)
  })

  it("no speakers: one turn", () => {
    const cues = cuesOf(say("yes. no. yes."))
    assert.isTrue(cues.every((cue) => cue.speaker === null))
  })

  it("three words at no time are one cue that can be read", () => {
    const cues = cuesOf([heard("one", 0, 0), heard("two", 0, 0), heard("three", 0, 0)])
    assert.deepStrictEqual(
      cues.map(({ start, end, lines }) => ({ start, end, lines })),
      [{ start: 0, end: 834, lines: ["one two three"] }],
    )
  })

  it("negative and disordered times lose nothing", () => {
    const cues = cuesOf([heard("a", -900, -500), heard("b", 700, 300), heard("c", 200, 900)])
    assert.strictEqual(cues.flatMap((cue) => cue.lines).join(" "), "a b c")
    assert.strictEqual(cues[0]?.start, 0)
  })

  it("a word of minutes is shown for seconds", () => {
    assert.deepStrictEqual(timesOf([heard("Ommm", 1_000, 301_000)]), [[1_000, 8_000]])
  })

  it("a hundred hours in", () => {
    assert.deepStrictEqual(timesOf([heard("Still here.", 360_000_000, 360_001_000)]), [
      [360_000_000, 360_001_000],
    ])
  })

  it("emoji and marks count as they look", () => {
    const family = "👨‍👩‍👧‍👦"
    const words = say(Array.from({ length: 14 }, () => family).join(" "))
    assert.deepStrictEqual(linesOf(words, { maxLines: 1 }), [[words.map((word) => word.text).join(" ")]])
    assert.strictEqual(
      linesOf(say(Array.from({ length: 15 }, () => family).join(" ")), { maxLines: 1 }).length,
      2,
    )
    const marked = "e\u0301".repeat(42)
    assert.deepStrictEqual(linesOf(say(marked)), [[marked]])
  })

  it("a word longer than a line is cut between graphemes, without a hyphen", () => {
    const long = "e\u0301".repeat(100)
    const cues = cuesOf([heard("So", 0, 200), heard(long, 200, 6_200), heard("then.", 6_200, 6_600)])
    assert.strictEqual(
      cues
        .flatMap((cue) => cue.lines)
        .join("")
        .replace(/ /g, ""),
      `So${long}then.`,
    )
    for (const line of cues.flatMap((cue) => cue.lines)) {
      assert.isAtMost(line.normalize("NFC").length, 42)
      assert.notMatch(line, /^\u0301|-/)
    }
    const parts = cues.flatMap((cue) => cue.words)
    assert.strictEqual(parts.map((word) => word.text).join(""), `So${long}then.`)
    for (const part of parts) assert.isTrue(part.start >= 0 && part.end <= 6_600 && part.end > part.start)
  })

  it("a word too long and too quick for its cues holds up the next one", () => {
    const cues = cuesOf([heard("x".repeat(400), 0, 2, "A"), heard("No.", 2, 900, "B")])
    assert.strictEqual(cues.flatMap((cue) => cue.lines).join(""), `${"x".repeat(400)}No.`)
    cues.forEach((cue, index) => {
      assert.isAbove(cue.end, cue.start)
      assert.isAtMost(cue.end, cues[index + 1]?.start ?? Number.POSITIVE_INFINITY)
    })
  })

  it("tags, entities, arrows and line breaks are spoken text on one line", () => {
    const cues = cuesOf([
      heard("<b>", 0, 200),
      heard("&amp;", 200, 400),
      heard("a-->b", 400, 600),
      heard("x\n\ny", 600, 800),
    ])
    assert.deepStrictEqual(cues[0]?.lines, ["<b> &amp; a-->b x y"])
  })

  it("spaces around words go, empty words go, two words in one token may part", () => {
    const words = [
      heard(" hello", 0, 200),
      heard("", 200, 300),
      heard("  ", 300, 400),
      heard("New  York ", 400, 900),
    ]
    const [cue] = cuesOf(words)
    assert.deepStrictEqual(cue?.lines, ["hello New York"])
    assert.deepStrictEqual(
      cue?.words.map((word) => word.text),
      ["hello", "New York"],
    )
    const spaced = say("one two three four five", { each: 400 })
    const token = [heard("one two three four five", 0, 2_000)]
    assert.deepStrictEqual(linesOf(token, { maxCharsPerLine: 13 }), linesOf(spaced, { maxCharsPerLine: 13 }))
  })
})
