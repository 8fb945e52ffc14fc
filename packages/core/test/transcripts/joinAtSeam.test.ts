import { mergeSpans, type Word } from "@earmark/core/transcripts"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const LENGTH = 300

/** Words of 0.3 seconds, one after the other; `_` is a pause as long as a word. */
const said = (text: string, start: number): ReadonlyArray<Word> =>
  text.split(" ").flatMap((word, at) => {
    const from = start + at * LENGTH
    return word === "_" ? [] : [{ text: word, start: from, end: from + 250, confidence: null, speaker: null }]
  })

const joined = (
  left: readonly [text: string, start: number, end: number],
  right: readonly [text: string, start: number, end: number],
): string =>
  mergeSpans([left, right].map(([text, start, end]) => ({ start, end, words: said(text, start) })))
    .map(({ text }) => text)
    .join(" ")

describe("words of two windows that overlap", () => {
  it("meet in the run that both have heard, without the halves of words at their ends", () => {
    assert.strictEqual(
      joined(["we walked along the quiet riv.", 0, 1800], ["Ong the quiet river bank", 600, 2100]),
      "we walked along the quiet river bank",
    )
    assert.strictEqual(
      joined(["a b the quiet", 0, 1200], ["The quiet river bank", 600, 1800]),
      "a b the quiet river bank",
    )
  })

  it("meet in a single word that both have heard at the same time, written as the one that had heard more of the sentence", () => {
    assert.strictEqual(joined(["go to town.", 0, 900], ["Own town hall", 300, 1200]), "go to town hall")
    assert.strictEqual(joined(["go to town", 0, 900], ["Town hall is", 600, 1500]), "go to town hall is")
  })

  it("are not joined in the same word at another time", () => {
    // Both say `the`, 0.9 seconds apart.
    assert.strictEqual(
      joined(["one the two three", 0, 1200], ["too tree the four", 600, 1800]),
      "one the two tree the four",
    )
  })

  it("are taken from the one that has words where the other has none", () => {
    assert.strictEqual(joined(["a b c d", 0, 1200], ["_ _ e f", 600, 1800]), "a b c d e f")
    assert.strictEqual(joined(["a b _ _", 0, 1200], ["c d e f", 600, 1800]), "a b c d e f")
    assert.strictEqual(joined(["_ _", 0, 1200], ["c d e f", 600, 1800]), "c d e f")
  })

  it("are heard twice where they are said twice", () => {
    assert.strictEqual(joined(["no no no no", 0, 1200], ["no no no yes", 600, 1800]), "no no no no no yes")
  })

  it.prop(
    "a text in windows that overlap is that text again, however the words repeat and the times of each window are off",
    {
      words: FastCheck.array(FastCheck.constantFrom("a", "b", "c", "the", "no", "river"), {
        minLength: 30,
        maxLength: 80,
      }),
      shifts: FastCheck.infiniteStream(FastCheck.integer({ min: -60, max: 60 })),
    },
    ({ words, shifts }) => {
      const text = said(words.map((word, at) => (at % 7 === 0 ? `${word}${at}` : word)).join(" "), 0)
      const OWN = 12
      const MORE = 5
      const spans = Array.from({ length: Math.ceil(text.length / OWN) }, (_, index) => {
        const from = Math.max(0, index * OWN - MORE)
        const to = Math.min(text.length, (index + 1) * OWN + MORE)
        const shift = shifts.next().value ?? 0
        const heard = text.slice(from, to).map((word) => ({
          ...word,
          start: word.start + shift,
          end: word.end + shift,
        }))
        const half = (word: Word | undefined, other: string) =>
          word === undefined ? [] : [{ ...word, text: other }]
        const isFirst = from === 0
        const isLast = to === text.length
        const inner = heard.slice(isFirst ? 0 : 1, isLast ? heard.length : -1)
        return {
          start: from * LENGTH,
          end: to * LENGTH,
          words: [
            ...(isFirst ? [] : half(heard[0], "Ha")),
            ...inner,
            ...(isLast ? [] : half(heard.at(-1), "lf.")),
          ],
        }
      })
      assert.deepStrictEqual(
        mergeSpans(spans).map(({ text }) => text),
        text.map(({ text }) => text),
      )
    },
  )
})
