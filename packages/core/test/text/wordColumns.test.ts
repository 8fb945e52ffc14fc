import { gzipSync } from "node:zlib"
import { wordStream } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { decodeWords, encodeWords } from "../../src/text/index.js"
import { assemble, repairWords } from "../../src/transcripts/index.js"

const anyWord = fc.record({
  text: fc.string({ minLength: 1, maxLength: 12 }),
  start: fc.integer({ min: 0, max: 36_000_000 }),
  end: fc.integer({ min: 0, max: 36_000_000 }),
  confidence: fc.option(fc.double({ min: -0.5, max: 1.5, noNaN: true })),
  speaker: fc.constant(null),
})

/** Lines that hold their words, some with a word that they do not hold. */
const anyLine = fc
  .record({ words: fc.array(anyWord, { maxLength: 8 }), between: fc.constantFrom(" ", "", ", ", "\u3000") })
  .chain(({ words, between }) => {
    const whole = words.map(({ text }) => text).join(between)
    return fc.record({ words: fc.constant(words), text: fc.constantFrom(whole, `${between}${whole}`, "") })
  })

const rounded = (milliseconds: number) => Math.round(milliseconds / 10) * 10

describe("words in columns", () => {
  it.prop("are the same when they are read", [fc.array(anyLine, { maxLength: 12 })], ([lines]) => {
    const read = decodeWords(JSON.parse(JSON.stringify(encodeWords(lines))))
    assert.lengthOf(read, lines.length)
    for (const [index, { text, words }] of lines.entries()) {
      const placed = read[index] ?? []
      assert.lengthOf(placed, words.length)
      let from = 0
      for (const [at, { offset, length, ...said }] of placed.entries()) {
        const word = words[at]
        assert.isDefined(word)
        assert.isAtLeast(offset, from)
        assert.isAtMost(offset + length, text.length)
        if (length > 0) assert.strictEqual(text.slice(offset, offset + length), word?.text)
        from = offset + length
        const confidence = word?.confidence ?? null
        assert.deepStrictEqual(said, {
          start: rounded(word?.start ?? -1),
          end: rounded(word?.end ?? -1),
          confidence:
            confidence === null ? null : Math.round(Math.min(1, Math.max(0, confidence)) * 100) / 100,
        })
      }
    }
  })

  it("find a word that is twice in its line where it is said", () => {
    const word = (text: string, start: number) => ({
      text,
      start,
      end: start + 100,
      confidence: 1,
      speaker: null,
    })
    const [line = []] = decodeWords(
      encodeWords([{ text: "no, no 😀 no", words: [word("no,", 0), word("no", 200), word("no", 400)] }]),
    )
    assert.deepStrictEqual(
      line.map(({ offset, length }) => [offset, length]),
      [
        [0, 3],
        [4, 2],
        [10, 2],
      ],
    )
  })

  it("of ten hours are small when they are compressed: the times 150 kB, all columns 280 kB", () => {
    const words = repairWords(wordStream({ words: 91_000 }))
    const { segments } = assemble({ language: "en", duration: words.at(-1)?.end ?? 0, words })
    const { counts, starts, ends, ...places } = encodeWords(segments)
    assert.lengthOf(starts, 91_000)
    const compressed = (value: unknown) => gzipSync(JSON.stringify(value)).byteLength
    const times = { counts, starts, ends }
    assert.isAtMost(compressed(times), 150_000)
    assert.isAtMost(compressed({ ...times, ...places }), 280_000)
  })
})
