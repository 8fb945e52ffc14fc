import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { alignWindow, alignWords, DOUBTFUL_MISFIT } from "@earmark/core/alignment"
import {
  canSpeak,
  leastCpuMilliseconds,
  samplesOfWav,
  seededRandom,
  shareWithin,
  spokenSentences,
  spokenWords,
  type Timed,
} from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"

const folder = fileURLToPath(new URL("../../../../test/speech/librivox/", import.meta.url))
const utterances = Object.entries(
  JSON.parse(readFileSync(`${folder}words.json`, "utf8")) as Record<string, ReadonlyArray<Timed>>,
).map(([name, words]) => ({ samples: samplesOfWav(readFileSync(`${folder}${name}.wav`)), words }))

const textsOf = (words: ReadonlyArray<Timed>) => words.map(({ text }) => text)

type Times = ReadonlyArray<{ readonly start: number; readonly end: number }>

const assertInOrder = (times: Times, length: number) => {
  let last = 0
  for (const { start, end } of times) {
    assert.isAtLeast(start, last)
    assert.isAtLeast(end, start)
    assert.isAtMost(end, length)
    assert.isTrue(Number.isInteger(start) && Number.isInteger(end))
    last = end
  }
}

/** Milliseconds by which words start too early or too late, least first. */
const errorsOf = (words: ReadonlyArray<Timed>, times: Times) =>
  words.flatMap(({ start }, index) =>
    Number.isNaN(start) ? [] : [Math.abs(start - (times[index]?.start ?? Number.POSITIVE_INFINITY))],
  )

const meanOf = (values: ReadonlyArray<number>) =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const noise = (length: number, level: number, seed: number) => {
  const random = seededRandom(seed)
  return Int16Array.from({ length }, () => (random() - 0.5) * 2 * level)
}

/** Enough for one to be undisturbed. */
const TRIES = 10

describe("aligning words", () => {
  it("finds the words of people reading aloud", () => {
    const errors = utterances.flatMap(({ samples, words }) => {
      const { times, timing } = alignWords(samples, textsOf(words))
      assert.strictEqual(timing, "aligned")
      return errorsOf(words, times)
    })
    assert.isBelow(meanOf(errors), 25)
    assert.isAtLeast(shareWithin(errors, 50), 0.9)
  })

  it("finds the words of synthesised voices as far as the synthesiser can tell", (context) => {
    if (!canSpeak()) context.skip("flite is not installed")
    const errors = (["slt", "rms"] as const).flatMap((voice) =>
      spokenSentences.slice(0, 4).flatMap((sentence) => {
        const { samples, words } = spokenWords(voice, sentence)
        return errorsOf(words, alignWords(samples, textsOf(words)).times)
      }),
    )
    assert.isBelow(meanOf(errors), 20)
    assert.isAtLeast(shareWithin(errors, 50), 0.95)
  })

  it("marks, capitals and digits change nothing", () => {
    const [utterance] = utterances
    assert.isDefined(utterance)
    const { samples, words } = utterance
    const plain = alignWords(samples, textsOf(words)).times
    const written = textsOf(words).map((text) => `“${text.toUpperCase()}”`)
    const { times } = alignWords(samples, written)
    const errors = plain.map(({ start }, index) => Math.abs(start - (times[index]?.start ?? 0)))
    assert.isBelow(meanOf(errors), 20)
  })

  it("what nothing can be said for stands behind the word before", () => {
    const [utterance] = utterances
    assert.isDefined(utterance)
    const { samples, words } = utterance
    const texts = textsOf(words)
    const dashed = [texts[0] ?? "", "—", ...texts.slice(1)]
    const { times } = alignWords(samples, dashed)
    assert.strictEqual(times.length, dashed.length)
    assert.deepStrictEqual(times[1], { start: times[0]?.end ?? -1, end: times[0]?.end ?? -1 })
    assert.isBelow(meanOf(errorsOf(words, [...times.slice(0, 1), ...times.slice(2)])), 30)
  })

  it("the text of another recording is doubted, the right one is not", () => {
    for (const [index, { samples, words }] of utterances.entries()) {
      const right = alignWindow(samples, textsOf(words), { decoy: true })
      assert.isBelow(right?.misfit ?? 1, DOUBTFUL_MISFIT)
      const other = utterances[(index + 2) % utterances.length]
      const wrong = alignWindow(samples, textsOf(other?.words ?? []), { decoy: true })
      assert.isAbove(wrong?.misfit ?? 1, right?.misfit ?? 1)
      assert.isNull(alignWindow(samples, textsOf(words))?.far ?? null)
    }
  })

  it("where the words cannot be found, their lengths are spread over the sound, and it says so", () => {
    const [utterance] = utterances
    assert.isDefined(utterance)
    const { samples, words } = utterance
    const length = samples.length / 16
    for (const texts of [
      ["世界", "上", "所有", "的", "人"],
      Array.from({ length: 400 }, () => "extraordinary"),
      ["—", "♪"],
    ]) {
      const { times, timing } = alignWords(samples, texts)
      assert.strictEqual(timing, "estimated")
      assert.strictEqual(times.length, texts.length)
      assertInOrder(times, length)
    }
    const hiss = alignWords(noise(48_000, 300, 3), textsOf(words))
    assert.strictEqual(hiss.timing, "estimated")
    assertInOrder(hiss.times, 3000)
  })

  it("nothing, and next to nothing, are answered too", () => {
    assert.deepStrictEqual(alignWords(new Int16Array(0), []).times, [])
    for (const length of [0, 1, 100, 409, 410, 1600]) {
      const { times, timing } = alignWords(new Int16Array(length), ["hello", "world"])
      assert.strictEqual(timing, "estimated")
      assert.strictEqual(times.length, 2)
      assertInOrder(times, length / 16)
    }
  })

  it("whatever the text, every word has a time, in order, inside the window, and the same one again", () => {
    const [, utterance] = utterances
    assert.isDefined(utterance)
    const word = FastCheck.oneof(
      FastCheck.constantFrom(
        "the",
        "old",
        "books,",
        "1999",
        "U.S.A.",
        "naïve",
        "ße",
        "да",
        "你好",
        "'",
        "x".repeat(300),
      ),
      FastCheck.string({ maxLength: 12 }),
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(word, { maxLength: 40 }), FastCheck.nat(47_000), (texts, size) => {
        const samples = utterance.samples.subarray(0, size)
        const found = alignWords(samples, texts)
        assert.strictEqual(found.times.length, texts.length)
        assertInOrder(found.times, size / 16)
        assert.deepStrictEqual(alignWords(samples, texts), found)
      }),
      { numRuns: 60 },
    )
  })

  it("a window of half a minute takes a small part of its time", () => {
    const samples = noise(28 * 16_000, 3000, 5)
    for (const { samples: voice } of utterances) samples.set(voice.subarray(0, 16_000 * 5), 16_000)
    const texts = utterances.flatMap(({ words }) => textsOf(words))
    assert.isBelow(
      leastCpuMilliseconds(() => alignWords(samples, texts), TRIES),
      28_000 / 60,
    )
  })
})
