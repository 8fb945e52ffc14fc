import { warningOf } from "@earmark/core/jobs"
import type { AudioWindow, Recognition, SpeechEngine } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  failed,
  keeping,
  mediaOf,
  named,
  options,
  tenSeconds,
  transcriberWith,
  windowOf,
  word,
} from "./hearing.js"

const unsaid = { ...options, language: null }
const vote = (code: string, confidence = 1) => ({ code, confidence })
/** From all over the recording, told apart by their ends. */
const excerpts = [windowOf(0, 10_000, 19_000), windowOf(1, 50_000, 59_000), windowOf(2, 90_000, 99_000)]
const mediaWithExcerpts = mediaOf(tenSeconds(10), { excerpts: Effect.succeed(excerpts) })

type Asked = Parameters<SpeechEngine["Type"]["recognize"]>[1]

/** An engine that notes what it is told, and says of each window what the test says of its beginning. */
const engineThat = (languageAt: (start: number) => Recognition["language"]) => {
  const told: Array<readonly [string, string | null]> = []
  const recognize = (window: AudioWindow, { language }: Asked) =>
    Effect.sync((): Recognition => {
      told.push([`${window.start}-${window.end}`, language])
      return {
        ...named(window),
        language: languageAt(window.start),
        warnings: language === null ? [warningOf("language_guessed")] : [],
      }
    })
  return { told, make: transcriberWith(recognize, { detectsLanguage: true }) }
}

const windowsOf = (told: ReadonlyArray<readonly [string, string | null]>) =>
  told.slice(3).map(([, language]) => language)

describe("a language that nobody gave", () => {
  it.scoped("is voted on by excerpts before the rest is heard, and all is heard in it", () =>
    Effect.gen(function* () {
      const { told, make } = engineThat((start) => vote(start < 20_000 ? "en" : "de"))
      const { checkpoints, saved } = keeping()
      const heard = yield* (yield* make).transcribe(mediaWithExcerpts, unsaid, checkpoints)
      assert.deepStrictEqual(told.slice(0, 3), [
        ["10000-19000", null],
        ["50000-59000", null],
        ["90000-99000", null],
      ])
      assert.deepStrictEqual(windowsOf(told), Array(10).fill("de"))
      assert.deepStrictEqual(heard.detectedLanguage, { code: "de", confidence: 2 / 3 })
      assert.deepStrictEqual(heard.warnings, [])
      assert.strictEqual(saved.length, 10)
    }),
  )

  it.scoped("without a majority is asked for in each window", () =>
    Effect.gen(function* () {
      const { told, make } = engineThat((start) =>
        vote(start === 10_000 ? "en" : start === 50_000 ? "fr" : "de", 0.9),
      )
      const heard = yield* (yield* make).transcribe(mediaWithExcerpts, unsaid, keeping().checkpoints)
      assert.deepStrictEqual(windowsOf(told), Array(10).fill(null))
      assert.strictEqual(heard.detectedLanguage?.code, "de")
      assert.deepStrictEqual(heard.warnings, [warningOf("language_guessed")])
    }),
  )

  it.scoped("is asked of what the engine has for it", () =>
    Effect.gen(function* () {
      const told: Array<string | null> = []
      const { transcribe } = yield* transcriberWith(
        (window, { language }) => Effect.sync(() => void told.push(language)).pipe(Effect.as(named(window))),
        { detectsLanguage: true },
        { detectLanguage: () => Effect.succeed(vote("uk", 0.75)) },
      )
      const heard = yield* transcribe(mediaWithExcerpts, unsaid, keeping().checkpoints)
      assert.deepStrictEqual(told, Array(10).fill("uk"))
      assert.deepStrictEqual(heard.detectedLanguage, { code: "uk", confidence: 0.75 })
    }),
  )

  it.scoped("is assumed by an engine that knows one alone: it is no language that was detected", () =>
    Effect.gen(function* () {
      const hear = (language: Recognition["language"], text: string) =>
        Effect.gen(function* () {
          const { transcribe } = yield* transcriberWith((window) =>
            Effect.succeed({ ...named(window), words: [word(text, window.start)], language }),
          )
          const { language: spoken, detectedLanguage } = yield* transcribe(
            mediaOf(tenSeconds(2)),
            unsaid,
            keeping().checkpoints,
          )
          return [spoken, detectedLanguage?.code ?? null]
        })
      const english = "There entered this important home of the family"
      assert.deepStrictEqual(yield* hear(vote("en", 0), english), ["en", null])
      assert.deepStrictEqual(yield* hear(vote("en", 0.5), english), ["en", "en"])
      // One of several languages that names none: its text tells.
      assert.deepStrictEqual(yield* hear(null, "Das ist nicht der Weg, den wir gehen wollten"), ["de", "de"])
    }),
  )

  it.scoped("has a vote less where an excerpt cannot be heard", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* transcriberWith(
        (window) => Effect.succeed(named(window)),
        { detectsLanguage: true },
        {
          detectLanguage: ({ start }) =>
            start === 10_000 ? Effect.fail(failed()) : Effect.succeed(vote("pl")),
        },
      )
      const heard = yield* transcribe(mediaWithExcerpts, unsaid, keeping().checkpoints)
      assert.deepStrictEqual(heard.detectedLanguage, vote("pl"))
    }),
  )

  it.scoped("is not asked again by whoever goes on, though the excerpts would say something else now", () =>
    Effect.gen(function* () {
      const first = engineThat(() => vote("de"))
      const { checkpoints, saved } = keeping()
      yield* (yield* first.make).transcribe(mediaWithExcerpts, unsaid, checkpoints)
      const second = engineThat(() => vote("nl"))
      const again = keeping(saved.slice(0, 4))
      const heard = yield* (yield* second.make).transcribe(mediaWithExcerpts, unsaid, again.checkpoints)
      assert.deepStrictEqual(
        second.told.map(([, language]) => language),
        Array(6).fill("de"),
      )
      assert.deepStrictEqual(heard.detectedLanguage, vote("de"))
    }),
  )

  it.scoped("that windows were asked for one by one stays so for whoever goes on", () =>
    Effect.gen(function* () {
      const mixed = engineThat((start) =>
        start < 30_000 ? vote("en") : start < 70_000 ? vote("fr") : vote("de"),
      )
      const { checkpoints, saved } = keeping()
      yield* (yield* mixed.make).transcribe(mediaWithExcerpts, unsaid, checkpoints)
      const second = engineThat(() => vote("de"))
      yield* (yield* second.make).transcribe(
        mediaWithExcerpts,
        unsaid,
        keeping(saved.slice(0, 6)).checkpoints,
      )
      assert.deepStrictEqual(
        second.told.map(([, language]) => language),
        Array(4).fill(null),
      )
    }),
  )
})

describe("no excerpt is heard", () => {
  it.scoped("where the language was given, or the engine cannot tell one", () =>
    Effect.gen(function* () {
      const { told, make } = engineThat(() => vote("de"))
      const { transcribe } = yield* make
      yield* transcribe(mediaWithExcerpts, { ...options, language: "en" }, keeping().checkpoints)
      assert.strictEqual(told.length, 10)
      const deaf = yield* transcriberWith((window) =>
        Effect.sync(() => void told.push(["", null])).pipe(Effect.as(named(window))),
      )
      const heard = yield* deaf.transcribe(mediaWithExcerpts, unsaid, keeping().checkpoints)
      assert.strictEqual(told.length, 20)
      // Nobody said which language it is, and nobody could tell.
      assert.deepStrictEqual(heard.warnings, [warningOf("language_guessed")])
    }),
  )
})
