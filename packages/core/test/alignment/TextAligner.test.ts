import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type FoundWord, makeTextAligner, type SoundBlock, type TextWord } from "@earmark/core/alignment"
import { samplesOfWav, seededRandom, shareWithin, type Timed } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"

const folder = fileURLToPath(new URL("../../../../test/speech/librivox/", import.meta.url))
const utterances = Object.entries(
  JSON.parse(readFileSync(`${folder}words.json`, "utf8")) as Record<string, ReadonlyArray<Timed>>,
).map(([name, words]) => ({ samples: samplesOfWav(readFileSync(`${folder}${name}.wav`)), words }))

const ORDER = [0, 1, 2, 3, 4, 2, 0, 4, 1, 3, 0, 2, 4, 3, 1, 0, 4, 2, 1, 3, 2, 0]
const PAUSE = 500

interface Said extends Timed {
  readonly caption: { readonly start: number; readonly end: number }
}

/** The utterances again and again, in changing order, from `begin` on; every tenth is followed by a minute of nothing. */
const recording = (begin: number, silence = 0) => {
  const blocks: Array<SoundBlock> = []
  const said: Array<Said> = []
  let at = begin
  for (const [place, index] of ORDER.entries()) {
    const utterance = utterances[index]
    if (utterance === undefined) continue
    const length = Math.floor(utterance.samples.length / 16)
    blocks.push({ start: at, samples: utterance.samples.subarray(0, length * 16) })
    const caption = { start: Math.max(0, at - 400), end: at + length + 300 }
    const last = utterance.words.length - 1
    for (const [word, { text, start, end }] of utterance.words.entries()) {
      said.push({ text: word === last ? `${text}.` : text, start: start + at, end: end + at, caption })
    }
    at += length + PAUSE + (place % 10 === 9 ? silence : 0)
  }
  return { blocks, said }
}

/** The test runner is answered meanwhile. */
const inTurns = async <A>(steps: Generator<void, A>): Promise<A> => {
  for (let step = 0; ; step++) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (step % 50 === 0) await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

const find = async (words: ReadonlyArray<TextWord>, blocks: ReadonlyArray<SoundBlock>) => {
  const aligner = makeTextAligner(words)
  for (const block of blocks) await inTurns(aligner.push(block))
  return inTurns(aligner.finish())
}

const textsOf = (said: ReadonlyArray<Said>): ReadonlyArray<TextWord> => said.map(({ text }) => ({ text }))
const captionsOf = (said: ReadonlyArray<Said>): ReadonlyArray<TextWord> =>
  said.map(({ text, caption }) => ({ text, caption }))

const assertFound = (said: ReadonlyArray<Said>, found: ReadonlyArray<FoundWord> | null) => {
  assert.isNotNull(found)
  assert.strictEqual(found.length, said.length)
  const errors = said.map(({ start }, index) => Math.abs(start - (found[index]?.start ?? 0)))
  assert.isAtLeast(shareWithin(errors, 50), 0.85)
  assert.isAtLeast(shareWithin(errors, 200), 0.98)
  assert.isAtLeast(found.filter(({ timing }) => timing === "aligned").length, said.length * 0.95)
}

const assertInOrder = (found: ReadonlyArray<FoundWord>) => {
  let last = 0
  for (const { start, end } of found) {
    assert.isAtLeast(start, last)
    assert.isAtLeast(end, start)
    last = end
  }
}

describe("a text longer than a window", () => {
  it("is found from its beginning to its end", async () => {
    const { blocks, said } = recording(0)
    const found = await find(textsOf(said), blocks)
    assertFound(said, found)
    assertInOrder(found ?? [])
  })

  it("is found behind something said that is not in it", async () => {
    const { blocks, said } = recording(9000)
    const intro = new Int16Array(8000 * 16)
    intro.set((utterances[3]?.samples ?? new Int16Array(0)).subarray(0, 16_000 * 5))
    assertFound(said, await find(textsOf(said), [{ start: 0, samples: intro }, ...blocks]))
  })

  it("of captions is found near them, with minutes of nothing between", async () => {
    const { blocks, said } = recording(120_000, 60_000)
    const random = seededRandom(1)
    const music = Int16Array.from({ length: 100_000 * 16 }, () => (random() - 0.5) * 2000)
    assertFound(said, await find(captionsOf(said), [{ start: 0, samples: music }, ...blocks]))
  })

  it("that is not what is said is estimated, however little of it there is", async () => {
    const { blocks } = recording(0)
    for (const text of [
      "das ist ein ganz anderer text der hier gar nicht gesagt wird und von etwas anderem handelt",
      "people often ask me whether i was afraid. the bridge was closed for three days after the heavy rain.",
    ]) {
      for (const given of [blocks.slice(0, 4), blocks]) {
        const found = await find(
          text.split(" ").map((word) => ({ text: word })),
          given,
        )
        assert.isTrue(found?.every(({ timing }) => timing === "estimated"))
      }
    }
  })

  it("with a sentence in it that is not said: its words are estimated, those beside it may be", async () => {
    const { blocks, said } = recording(0)
    const unsaid = "a completely different sentence that nobody has ever said to any of them at all"
    const texts = unsaid.split(" ").map((text) => ({ text }))
    for (const at of [22, 63, 100]) {
      const found = await find([...textsOf(said.slice(0, at)), ...texts, ...textsOf(said.slice(at))], blocks)
      const isEstimated = (found ?? []).map(({ timing }) => timing === "estimated")
      const count = (from: number, to: number) => isEstimated.slice(from, to).filter((is) => is).length
      assert.isAtLeast(count(at, at + texts.length), texts.length * 0.6, `at ${at}`)
      assert.isAtMost(count(0, at - 8), 4, `at ${at}`)
      assert.isAtMost(count(at + texts.length + 8, isEstimated.length), 4, `at ${at}`)
    }
  })

  it("that ends long before the recording does is found where it is said, down to a word that is cut off", async () => {
    const { blocks, said } = recording(0)
    for (const [count, cut] of [
      [22, 0],
      [30, 0],
      [34, 0],
      [34, 2],
    ] as const) {
      const whole = said.slice(0, count)
      const next = said[count]
      const texts = [...textsOf(whole), ...(cut > 0 ? [{ text: next?.text.slice(0, cut) ?? "" }] : [])]
      const found = await find(texts, blocks)
      assert.strictEqual(found?.length, texts.length)
      assert.isTrue(
        found?.every(({ timing }) => timing === "aligned"),
        `${count} words`,
      )
      assertFound(whole, found?.slice(0, count) ?? null)
      assert.isBelow(found?.at(-1)?.end ?? Number.POSITIVE_INFINITY, (next?.end ?? 0) + 500)
    }
  })

  it("has a time for every word also where the recording ends before it, or is silent", async () => {
    const { blocks, said } = recording(0)
    for (const words of [textsOf(said), captionsOf(said)]) {
      for (const given of [blocks.slice(0, 3), [], [{ start: 0, samples: new Int16Array(160_000) }]]) {
        const found = await find(words, given)
        assert.strictEqual(found?.length, words.length)
        assertInOrder(found ?? [])
      }
    }
  })

  it("that cannot be spelled out is not found, but in captions estimated", async () => {
    const { blocks, said } = recording(0)
    assert.isNull(
      await find(
        said.map(() => ({ text: "世界" })),
        blocks,
      ),
    )
    const found = await find(
      said.map(({ caption }) => ({ text: "世界", caption })),
      blocks,
    )
    assert.strictEqual(found?.length, said.length)
    assert.isTrue(found?.every(({ timing }) => timing === "estimated"))
    for (const [index, { caption }] of said.entries()) {
      assert.isAtLeast(found?.[index]?.start ?? -1, caption.start - 1000)
      assert.isAtMost(found?.[index]?.end ?? Number.POSITIVE_INFINITY, caption.end + 1000)
    }
  })
})
