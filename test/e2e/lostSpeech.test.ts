import { readFileSync } from "node:fs"
import { compareTexts } from "@earmark/core/text"
import { samplesOfWav, seededRandom, type Timed } from "@earmark/testkit"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { because } from "../servers/because.js"
import { hearingModels } from "../servers/hearingModels.js"
import { withEar } from "./ear.js"
import { root } from "./earmark.js"
import { cannotHear } from "./recordings.js"

const folder = `${root}test/speech/librivox/`
const spoken: Record<string, ReadonlyArray<Timed>> = JSON.parse(readFileSync(`${folder}words.json`, "utf8"))
const RATE = 16_000

let models: string | null = null
beforeAll(async () => {
  models = await hearingModels()
})

/** Noise as of a tape; the level is a share of full scale. */
const hiss = (seconds: number, level: number): Int16Array => {
  const random = seededRandom(7)
  return Int16Array.from({ length: seconds * RATE }, () => (random() - 0.5) * 2 * level * 32_767)
}

/** Chords, four to a bar. */
const music = (seconds: number): Int16Array =>
  Int16Array.from({ length: seconds * RATE }, (_, at) => {
    const beat = Math.floor(at / (RATE / 2))
    const root = [220, 262, 196, 247][Math.floor(beat / 4) % 4] ?? 220
    const within = (at % (RATE / 2)) / (RATE / 2)
    const chord = [1, 1.26, 1.5, 2].reduce(
      (sum, ratio) => sum + Math.sin((2 * Math.PI * root * ratio * at) / RATE),
      0,
    )
    return 0.05 * 32_767 * chord * Math.exp(-3 * within)
  })

const silence = (seconds: number) => new Int16Array(seconds * RATE)

/** Sounds and utterances (by name) one after the other; some noise may be under all of it. */
const made = (parts: ReadonlyArray<Int16Array | string>, noise: number) => {
  const sounds: Array<Int16Array> = []
  const words: Array<Timed> = []
  let length = 0
  for (const part of parts) {
    const sound = typeof part === "string" ? samplesOfWav(readFileSync(`${folder}${part}.wav`)) : part
    if (typeof part === "string") {
      const at = length / 16
      words.push(
        ...(spoken[part] ?? []).map((word) => ({ ...word, start: word.start + at, end: word.end + at })),
      )
    }
    sounds.push(sound)
    length += sound.length
  }
  const under = hiss(length / RATE + 1, noise)
  const samples = new Int16Array(length)
  let filled = 0
  for (const sound of sounds) {
    for (const [at, value] of sound.entries()) samples[filled + at] = value + (under[filled + at] ?? 0)
    filled += sound.length
  }
  return { samples, words }
}

const BESIDE = 1000

const recordings = {
  "hiss before and under speech": made(
    [hiss(6, 0.02), "0870", silence(0.5), "0890", silence(2), "0920"],
    0.006,
  ),
  "long music, then speech without a pause": made([music(25), "0920", "0870", silence(1.5), "0880"], 0),
  "speech that begins with the recording, then much noise": made(
    ["0930", hiss(12, 0.05), "0890", "0870"],
    0.002,
  ),
  "short answers between music": made([music(8), "0880", music(8), "0930", music(4), "0920"], 0.001),
}

describe.skipIf(cannotHear !== null)(`recordings with bad beginnings${because(cannotHear)}`, () => {
  it("have every word in the text, or its place among the gaps", async ({ skip }) => {
    if (models === null) return skip()
    await withEar(models, "moonshine-base", async (hear) => {
      for (const [name, { samples, words }] of Object.entries(recordings)) {
        const heard = await hear(samples)
        const untold = words.filter(
          ({ start, end }) =>
            !heard.words.some((word) => word.start < end + BESIDE && word.end > start - BESIDE) &&
            !heard.gaps.some((gap) => gap.start < end && gap.end > start),
        )
        assert.deepStrictEqual(untold, [], `${name}: ${heard.text}`)
        const { rate, reference } = Either.getOrThrow(
          compareTexts(words.map(({ text }) => text).join(" "), heard.text),
        ).words
        assert.isAtMost(rate * reference, 0.15 * reference, `${name}: ${heard.text}`)
      }
    })
  })
})
