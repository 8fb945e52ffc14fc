import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { warningOf } from "@earmark/core/jobs"
import { spreadWords } from "@earmark/core/transcripts"
import type { AudioWindow, Recognition } from "@earmark/service"
import { samplesOfWav, type Timed } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { keeping, mediaOf, options, transcriberWith } from "./hearing.js"

const folder = fileURLToPath(new URL("../../../../test/speech/librivox/", import.meta.url))
const spoken: Record<string, ReadonlyArray<Timed>> = JSON.parse(readFileSync(`${folder}words.json`, "utf8"))

/** Three utterances in one window, each a sentence. */
const recording = () => {
  const sounds: Array<Int16Array> = []
  const said: Array<Timed> = []
  let length = 0
  for (const name of ["0870", "0890", "0920"]) {
    const words = spoken[name] ?? []
    const sound = samplesOfWav(readFileSync(`${folder}${name}.wav`))
    const at = length / 16
    words.forEach((word, index) => {
      const text = index === words.length - 1 ? `${word.text}.` : word.text
      said.push({ text, start: word.start + at, end: word.end + at })
    })
    sounds.push(sound.subarray(0, sound.length - (sound.length % 16)))
    length += sounds.at(-1)?.length ?? 0
  }
  const samples = new Int16Array(length)
  let filled = 0
  for (const sound of sounds) {
    samples.set(sound, filled)
    filled += sound.length
  }
  const window: AudioWindow = { index: 0, start: 0, end: length / 16, samples }
  return { window: { ...window, speech: [{ start: 200, end: window.end - 250 }] }, said }
}

const { window, said } = recording()
const textsOf = (words: ReadonlyArray<{ readonly text: string }>) => words.map(({ text }) => text).join(" ")

const evenly = ({ start, end }: AudioWindow, text: string): Recognition => ({
  words: text === "" ? [] : spreadWords({ text, start, end, speaker: null }),
  language: null,
  warnings: [warningOf("no_word_times")],
})

/** What is said in a part of the window. */
const saidIn = (part: AudioWindow) =>
  said.filter(({ start, end }) => start + end > 2 * part.start && start + end < 2 * part.end)

/** An engine that leaves out words of the whole window, and answers a part of it as told. */
const without = (
  isLeftOut: (word: Timed, index: number) => boolean,
  answer: (part: AudioWindow) => string = (part) => textsOf(saidIn(part)),
) =>
  Effect.gen(function* () {
    const parts: Array<readonly [number, number]> = []
    const { transcribe } = yield* transcriberWith(
      (part) =>
        Effect.sync(() => {
          if (part.samples.length === window.samples.length)
            return evenly(part, textsOf(said.filter((word, index) => !isLeftOut(word, index))))
          parts.push([part.start, part.end])
          return evenly(part, answer(part))
        }),
      { wordTimes: false },
    )
    const media = mediaOf([window], {
      summary: Effect.succeed({ durationSeconds: window.end / 1000, speech: window.speech, warnings: [] }),
    })
    const { checkpoints } = keeping()
    const heard = yield* transcribe(media, options, checkpoints)
    return { ...heard, text: textsOf(heard.words), codes: heard.warnings.map(({ code }) => code), parts }
  })

const whole = textsOf(said)

describe("words that an engine leaves out inside a window", () => {
  for (const [name, isLeftOut] of [
    ["at the end", (_: Timed, index: number) => index >= said.length - 9],
    ["at the beginning", (_: Timed, index: number) => index < 9],
    ["a sentence long", ({ start }: Timed) => start > 7100 && start < 12_000],
  ] as const)
    it.live(`are heard again by themselves: ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { text, parts, codes, timing } = yield* without(isLeftOut)
          assert.strictEqual(text, whole)
          assert.strictEqual(parts.length, 1)
          assert.notInclude(codes, "speech_lost")
          assert.strictEqual(timing.wordTiming, "aligned")
        }),
      ),
    )

  it.live("are not looked for where none is missing", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { text, parts, codes } = yield* without(() => false)
        assert.deepStrictEqual([text, parts], [whole, []])
        assert.notInclude(codes, "speech_lost")
      }),
    ),
  )

  it.live("are lost, and told with their place, where nothing is heard there", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const isLeftOut = ({ start }: Timed) => start > 7100 && start < 12_000
        const { text, codes, lost } = yield* without(isLeftOut, () => "")
        assert.strictEqual(text, textsOf(said.filter((word) => !isLeftOut(word))))
        assert.include(codes, "speech_lost")
        assert.strictEqual(lost.length, 1)
        assert.closeTo(lost[0]?.start ?? 0, 6900, 400)
        assert.closeTo(lost[0]?.end ?? 0, 12_300, 700)
      }),
    ),
  )

  it.live("are not made up of what does not fit, and what stands beside them is not said twice", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const isLeftOut = (_: Timed, index: number) => index >= said.length - 9
        const left = textsOf(said.filter((word, index) => !isLeftOut(word, index)))
        const invented = yield* without(
          isLeftOut,
          () => "thank you for watching and subscribe to our channel",
        )
        assert.strictEqual(invented.text, left)
        assert.include(invented.codes, "speech_lost")
        const repeated = yield* without(isLeftOut, () => "a more amiable woman")
        assert.strictEqual(repeated.text, left)
      }),
    ),
  )
})
