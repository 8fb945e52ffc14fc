import type { AudioWindow, Recognition } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { asked, textsOf } from "./askedWindows.js"
import {
  keeping,
  mediaOf,
  named,
  nothing,
  options,
  tenSeconds,
  transcriberWith,
  windowOf,
  word,
} from "./hearing.js"

describe("an engine that is not at its best", () => {
  const spoken = (window: AudioWindow, ...speech: ReadonlyArray<readonly [start: number, end: number]>) => ({
    ...window,
    speech: speech.map(([start, end]) => ({ start, end })),
  })

  const heardOf = (answer: (window: AudioWindow) => Recognition, window: AudioWindow) =>
    Effect.gen(function* () {
      const { calls, noting } = asked()
      const { transcribe } = yield* transcriberWith(noting((part) => Effect.succeed(answer(part))))
      const { checkpoints, saved } = keeping()
      const speech = window.speech ?? []
      const media = mediaOf([window], {
        summary: Effect.succeed({ durationSeconds: 10, speech, warnings: [] }),
      })
      const { lost, warnings } = yield* transcribe(media, options, checkpoints)
      return { calls, lost, codes: warnings.map(({ code }) => code), words: saved[0]?.words.length }
    })

  it.scoped("a voice without a word is heard again without the noise before it", () =>
    Effect.gen(function* () {
      const window = spoken(windowOf(0, 0, 10_000), [4000, 9000])
      const { calls, lost, words } = yield* heardOf(
        (part) => (part.start === 0 ? nothing : named(part)),
        window,
      )
      assert.strictEqual(calls.length, 2)
      assert.strictEqual(words, 1)
      assert.deepStrictEqual(lost, [])
    }),
  )

  it.scoped("then in halves, then after a moment of silence, with times that stay inside the window", () =>
    Effect.gen(function* () {
      const window = spoken(windowOf(0, 0, 10_000), [250, 9750])
      const halves = yield* heardOf((part) => (part.end - part.start > 9000 ? nothing : named(part)), window)
      assert.strictEqual(halves.words, 2)
      const delayed = yield* heardOf((part) => (part.start < 0 ? named(part) : nothing), window)
      assert.strictEqual(delayed.words, 1)
      assert.deepStrictEqual(delayed.codes, [])
    }),
  )

  it.scoped("then together with the window before or after, of which no word is taken", () =>
    Effect.gen(function* () {
      const windows = [
        spoken(windowOf(0, 0, 10_000), [1000, 3000], [5000, 9000]),
        spoken(windowOf(1, 12_000, 16_000), [12_500, 15_500]),
        spoken(windowOf(2, 18_000, 28_000), [18_500, 20_000], [21_000, 27_500]),
      ]
      for (const [from, to, other] of [
        [7800, 15_600, 8300],
        [12_400, 17_700, 17_000],
      ] as const) {
        const { calls, noting } = asked()
        const joint = [word("joint", 13_000), word("other", other)].sort(
          (left, right) => left.start - right.start,
        )
        const { transcribe } = yield* transcriberWith(
          noting((part) =>
            Effect.succeed(
              part.index !== 1
                ? named(part)
                : part.start === from && part.end === to
                  ? { ...nothing, words: joint }
                  : nothing,
            ),
          ),
        )
        const { checkpoints } = keeping()
        const { words, lost } = yield* transcribe(mediaOf(windows), options, checkpoints)
        assert.deepStrictEqual(
          [textsOf({ words }), lost],
          [["0-10000", "joint", "18000-28000"], []],
          calls.join(" "),
        )
      }
    }),
  )

  it.scoped("a voice in which no way finds a word is lost, and told", () =>
    Effect.gen(function* () {
      const window = spoken(windowOf(0, 0, 10_000), [1000, 2500], [4000, 5000])
      const { calls, lost, codes } = yield* heardOf(() => nothing, window)
      assert.strictEqual(calls.length, 5)
      assert.deepStrictEqual(lost, [
        { start: 1000, end: 2500 },
        { start: 4000, end: 5000 },
      ])
      assert.deepStrictEqual(codes, ["speech_lost"])
      const cough = yield* heardOf(() => nothing, spoken(windowOf(0, 0, 1000), [250, 750]))
      assert.strictEqual(cough.calls.length, 1)
      assert.deepStrictEqual(cough.lost, [])
    }),
  )

  it.scoped("words in circles are heard once more without the vocabulary", () =>
    Effect.gen(function* () {
      const loop = {
        ...nothing,
        words: Array.from({ length: 24 }, (_, at) => word(["round", "we", "go"][at % 3] ?? "", at * 400)),
      }
      const { transcribe } = yield* transcriberWith((window, { vocabulary }) =>
        Effect.succeed(vocabulary.length > 0 ? loop : named(window)),
      )
      const first = keeping()
      yield* transcribe(mediaOf(tenSeconds(1)), { ...options, vocabulary: ["Earmark"] }, first.checkpoints)
      assert.deepStrictEqual(first.saved.map(textsOf), [["0-10000"]])
    }),
  )
})
