import { paragraphsOf, type Segment } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"

describe("paragraphs", () => {
  const line = (text: string, start: number, speaker: string | null = null): Segment => ({
    text,
    start,
    end: start + 1000,
    speaker,
    words: [],
  })

  it("end at a change of speaker and after two seconds of silence", () => {
    const paragraphs = [
      ...paragraphsOf([line("a", 0, "x"), line("b", 1000, "x"), line("c", 2000, "y"), line("d", 5000, "y")]),
    ]
    assert.deepStrictEqual(
      paragraphs.map(({ text, start, end, speaker, isTurn }) => [text, start, end, speaker, isTurn]),
      [
        ["a b", 0, 2000, "x", true],
        ["c", 2000, 3000, "y", true],
        ["d", 5000, 6000, "y", false],
      ],
    )
  })

  it("begin where they are told to, also in the middle of a turn", () => {
    const lines = ["a", "b", "c"].map((text, index) => line(text, index * 1000, "x"))
    const texts = [...paragraphsOf(lines, [0, 500, 700, 2000, 9000])].map(({ text }) => text)
    assert.deepStrictEqual(texts, ["a", "b", "c"])
  })

  it("end at a silence within a segment", () => {
    const said = (text: string, start: number) => ({
      text,
      start,
      end: start + 500,
      speaker: null,
      confidence: 1,
    })
    const words = [said("a", 0), said("b", 600), said("c", 4000)]
    const segment = { text: "a b c", start: 0, end: 4500, speaker: "x", words }
    assert.deepStrictEqual(
      [...paragraphsOf([segment])].map(({ text, start, end, speaker }) => [text, start, end, speaker]),
      [
        ["a b", 0, 1100, "x"],
        ["c", 4000, 4500, "x"],
      ],
    )
  })

  it("end at a sentence end near 800 characters, and never far beyond", () => {
    const sentences = Array.from({ length: 40 }, (_, index) =>
      line(`${"word ".repeat(11)}end.`, index * 1000),
    )
    for (const { text } of paragraphsOf(sentences)) assert.isAtMost(text.length, 900)
    const endless = Array.from({ length: 80 }, (_, index) => line("word ".repeat(12).trim(), index * 1000))
    for (const { text } of paragraphsOf(endless)) assert.isAtMost(text.length, 1700)
    assert.strictEqual(
      [...paragraphsOf(endless)].map(({ text }) => text).join(" "),
      endless.map(({ text }) => text).join(" "),
    )
  })
})
