import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { warningOf } from "@earmark/core/jobs"
import { assemble, integrityOf, spreadWords, type Word } from "@earmark/core/transcripts"
import type { AudioWindow, Recognition } from "@earmark/service"
import { samplesOfWav, shareWithin, type Timed } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { keeping, mediaOf, options, transcriberWith } from "./hearing.js"

const folder = fileURLToPath(new URL("../../../../test/speech/librivox/", import.meta.url))
const utterances = Object.entries(
  JSON.parse(readFileSync(`${folder}words.json`, "utf8")) as Record<string, ReadonlyArray<Timed>>,
).map(([name, words]) => ({ samples: samplesOfWav(readFileSync(`${folder}${name}.wav`)), words }))

/** The utterances one after the other, a window each, and when their words are said on the timeline of them all. */
const recording = () => {
  const windows: Array<AudioWindow> = []
  const said: Array<Timed> = []
  let at = 0
  for (const [index, { samples, words }] of utterances.entries()) {
    const length = Math.floor(samples.length / 16)
    windows.push({ index, start: at, end: at + length, samples: samples.slice(0, length * 16) })
    said.push(...words.map((word) => ({ ...word, start: word.start + at, end: word.end + at })))
    at += length
  }
  return { windows, said }
}

/** The text of a window, spread evenly over it, as by an engine that knows no times. */
const evenly = (window: AudioWindow, text: string): Recognition => ({
  words: spreadWords({ text, start: window.start, end: window.end, speaker: null }),
  language: null,
  warnings: [warningOf("no_word_times"), warningOf("no_confidence")],
})

const textOf = (index: number) => utterances[index]?.words.map(({ text }) => text).join(" ") ?? ""
const untimed = { wordTimes: false }

const errorsOf = (said: ReadonlyArray<Timed>, words: ReadonlyArray<Word>) =>
  said.map(({ start }, index) => Math.abs(start - (words[index]?.start ?? Number.POSITIVE_INFINITY)))

describe("words of an engine that gives no times", () => {
  it.live("are found in the sound", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { windows, said } = recording()
        const { transcribe } = yield* transcriberWith(
          (window) => Effect.succeed(evenly(window, textOf(window.index))),
          untimed,
        )
        const { checkpoints, saved } = keeping()
        const heard = yield* transcribe(mediaOf(windows), options, checkpoints)
        assert.deepStrictEqual(heard.timing, { wordTiming: "aligned", estimatedWords: 0 })
        assert.deepStrictEqual(
          heard.warnings.map(({ code }) => code),
          ["no_confidence"],
        )
        assert.isAtLeast(shareWithin(errorsOf(said, heard.words), 50), 0.85)
        assert.isTrue(saved.every(({ notes }) => notes?.timing === "aligned"))
      }),
    ),
  )

  it.live("a resumed job ends as one that ran through, without aligning again", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { windows } = recording()
        const { transcribe } = yield* transcriberWith(
          (window) => Effect.succeed(evenly(window, textOf(window.index))),
          untimed,
        )
        const first = keeping()
        const through = yield* transcribe(mediaOf(windows), options, first.checkpoints)
        const second = keeping(first.saved.slice(0, 3))
        const resumed = yield* transcribe(mediaOf(windows), options, second.checkpoints)
        assert.strictEqual(second.saved.length, 2)
        assert.deepStrictEqual(resumed.words, through.words)
        assert.deepStrictEqual(resumed.timing, through.timing)
      }),
    ),
  )

  it.live("that were never said are estimated, and it says so", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { windows } = recording()
        const { transcribe } = yield* transcriberWith(
          (window) =>
            Effect.succeed(
              evenly(window, window.index === 2 ? "שלום עולם זה לא נאמר" : textOf(window.index)),
            ),
          untimed,
        )
        const heard = yield* transcribe(mediaOf(windows), options, keeping().checkpoints)
        assert.deepStrictEqual(heard.timing, { wordTiming: "estimated", estimatedWords: 5 })
        assert.include(
          heard.warnings.map(({ code }) => code),
          "word_times_estimated",
        )
        const { segments, duration } = assemble({ language: "en", duration: 25_000, words: heard.words })
        const report = integrityOf({
          duration,
          segments,
          voice: null,
          interpolated: heard.timing.estimatedWords,
        })
        assert.include(report.flags, "interpolated_words")
      }),
    ),
  )

  it.live("one window of many may be estimated before the whole is", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { windows } = recording()
        const { transcribe } = yield* transcriberWith(
          (window) => Effect.succeed(evenly(window, window.index === 2 ? "שלום" : textOf(window.index))),
          untimed,
        )
        const heard = yield* transcribe(mediaOf(windows), options, keeping().checkpoints)
        assert.deepStrictEqual(heard.timing, { wordTiming: "aligned", estimatedWords: 1 })
      }),
    ),
  )
})

describe("words of an engine that gives times", () => {
  it.live("are left as they are; a window without times among them is aligned", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { windows } = recording()
        const { transcribe } = yield* transcriberWith((window) => {
          const spread = evenly(window, textOf(window.index))
          return Effect.succeed(window.index === 0 ? spread : { ...spread, warnings: [] })
        })
        const { checkpoints, saved } = keeping()
        const heard = yield* transcribe(mediaOf(windows), options, checkpoints)
        assert.strictEqual(heard.timing.wordTiming, "aligned")
        assert.deepStrictEqual(
          saved.map(({ notes }) => notes?.timing ?? "engine"),
          ["aligned", "engine", "engine", "engine", "engine"],
        )
        const second = windows[1]
        assert.isDefined(second)
        assert.deepStrictEqual(saved[1]?.words, evenly(second, textOf(1)).words)
      }),
    ),
  )
})

describe("the fit of words and sound", () => {
  const misfitsOf = (
    text: (index: number) => string,
    capabilities: Parameters<typeof transcriberWith>[1],
    asked: Partial<typeof options> = {},
  ) =>
    Effect.gen(function* () {
      const { windows } = recording()
      const { transcribe } = yield* transcriberWith(
        (window) => Effect.succeed({ ...evenly(window, text(window.index)), warnings: [] }),
        capabilities,
      )
      const { checkpoints, saved } = keeping()
      const heard = yield* transcribe(mediaOf(windows), { ...options, ...asked }, checkpoints)
      return { heard, saved, misfits: heard.windows.map(({ misfit }) => misfit) }
    }).pipe(Effect.scoped)

  it.live("is measured for engines with and without times, and kept with the words", () =>
    Effect.gen(function* () {
      for (const capabilities of [untimed, { wordTimes: true }]) {
        const { misfits, saved } = yield* misfitsOf(textOf, capabilities)
        assert.strictEqual(misfits.length, 5)
        for (const misfit of misfits) assert.isBelow(misfit ?? 1, 0.7)
        assert.deepStrictEqual(
          saved.map(({ notes }) => notes?.misfit ?? null),
          misfits,
        )
      }
    }),
  )

  it.live("tells the text of another window", () =>
    Effect.gen(function* () {
      const { misfits } = yield* misfitsOf((index) => textOf((index + 1) % 5), { wordTimes: true })
      assert.isAtLeast(misfits.filter((misfit) => (misfit ?? 0) > 0.82).length, 4, String(misfits))
    }),
  )

  it.live(
    "is not measured of other languages, of a word or two, nor of an engine that stands in for one",
    () =>
      Effect.gen(function* () {
        const nothing = [null, null, null, null, null]
        const german = yield* misfitsOf(textOf, { wordTimes: true }, { language: "de" })
        assert.deepStrictEqual(german.misfits, nothing)
        const short = yield* misfitsOf(() => "two words", { wordTimes: true })
        assert.deepStrictEqual(short.misfits, nothing)
        const scripted = yield* misfitsOf(textOf, { wordTimes: true, isStandIn: true })
        assert.deepStrictEqual(scripted.misfits, [])
      }),
  )

  it.live("is as bad as can be for words that have no room in the sound", () =>
    Effect.gen(function* () {
      const { misfits } = yield* misfitsOf(
        (index) => (index === 1 ? "unbelievable ".repeat(60).trim() : textOf(index)),
        {
          wordTimes: true,
        },
      )
      assert.strictEqual(misfits[1], 1)
    }),
  )
})
