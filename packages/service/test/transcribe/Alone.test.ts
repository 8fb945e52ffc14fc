import type { OptionsSnapshot, Phase } from "@earmark/core/jobs"
import { effectiveOptions, warningOf } from "@earmark/core/jobs"
import {
  type AloneSource,
  type Finished,
  makeTranscribeAlone,
  type ResolvedSource,
  type ResultKeys,
  Scripted,
  type Span,
  WorkFailed,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"

const options = effectiveOptions({})

const world = Effect.provide(Scripted.layer())

const file = (path: string): AloneSource => ({ type: "file", path })

const found = (address: string, known: Partial<ResolvedSource> = {}): AloneSource => ({
  type: "found",
  resolved: {
    shown: { kind: "media", url: address },
    title: "A talk",
    mediaUrl: address,
    identity: address,
    isPublic: true,
    durationSeconds: 60,
    language: "en",
    captions: [],
    ...known,
  },
})

const captions = (address: string): AloneSource =>
  found(address, {
    captions: [{ url: `${address}?seconds=60&language=en`, language: "en", madeBy: "people" }],
  })

/** Keeps spans, and everything that it is told. */
const watching = (kept: ReadonlyArray<Span> = []) => {
  const saved: Array<Span> = []
  const followed: Array<number> = []
  const phases: Array<Phase> = []
  return {
    saved,
    followed,
    phases,
    watch: {
      checkpoints: {
        load: () => Effect.succeed(kept),
        save: (span: Span) => Effect.sync(() => void saved.push(span)),
        report: () => Effect.void,
      },
      follow: ({ index }: Span) => Effect.sync(() => void followed.push(index)),
      phase: (phase: Phase) => Effect.sync(() => void phases.push(phase)),
    },
  }
}

const noEar = Effect.fail(new WorkFailed({ code: "engine_unavailable", isTransient: false }))

describe("transcribing without a store", () => {
  it.scoped("hears a file, in order, and costs nothing", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      const { saved, followed, phases, watch } = watching()
      const finished = yield* transcribe(file("talk?seconds=100"), options, watch)
      assert.strictEqual(finished.origin, "engine")
      assert.strictEqual(finished.engine, "scripted")
      assert.strictEqual(finished.durationSeconds, 100)
      assert.strictEqual(finished.credits, 0)
      assert.strictEqual(finished.wordCount, finished.content.text.split(/\s+/).length)
      assert.strictEqual(saved.length, 4)
      assert.deepStrictEqual(followed, [0, 1, 2, 3])
      assert.deepStrictEqual(phases, ["fetching", "decoding", "transcribing", "enriching"])
    }).pipe(world),
  )

  it.scoped("goes on from the spans that are kept, and gives the same text", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      const first = watching()
      const whole = yield* transcribe(file("talk?seconds=100"), options, first.watch)
      const second = watching(first.saved.slice(0, 3))
      const rest = yield* transcribe(file("talk?seconds=100"), options, second.watch)
      assert.deepStrictEqual(
        second.saved.map(({ index }) => index),
        [3],
      )
      assert.strictEqual(rest.content.text, whole.content.text)
    }).pipe(world),
  )

  it.scoped("tells speakers apart, and makes the extras", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      const { phases, watch } = watching()
      const asked = effectiveOptions({ diarize: true, summary: true, chapters: true, translateTo: "de" })
      const { content, enrichment } = yield* transcribe(file("talk?seconds=100"), asked, watch)
      const speakers = new Set(content.segments.map(({ speaker }) => speaker))
      assert.deepStrictEqual([...speakers].sort(), ["Speaker 1", "Speaker 2"])
      assert.include(phases, "diarizing")
      assert.strictEqual(enrichment.summary?.status, "done")
      assert.strictEqual(enrichment.chapters?.status, "done")
      assert.strictEqual(content.translation?.language, "de")
    }).pipe(world),
  )

  it.scoped("takes what is known under the same key for the result, and hears nothing", () =>
    Effect.gen(function* () {
      const { transcribe, look } = yield* makeTranscribeAlone
      const asked: Array<ResultKeys> = []
      const knowing = (finished: Finished | null) => (keys: ResultKeys) =>
        Effect.sync(() => {
          asked.push(keys)
          return finished === null ? null : ({ finished, by: "whole" } as const)
        })
      const whole = yield* transcribe(file("talk?seconds=100"), options, {
        ...watching().watch,
        known: knowing(null),
      })
      const { saved, phases, watch } = watching()
      const again = yield* transcribe(file("talk?seconds=100"), options, {
        ...watch,
        listening: () => noEar,
        known: knowing(whole),
      })
      assert.deepStrictEqual([again.origin, again.content, saved], ["cache", whole.content, []])
      assert.deepStrictEqual(phases, ["fetching", "decoding"])
      const [first, second] = asked
      assert.deepStrictEqual(first, second)
      assert.strictEqual(first?.heard, first?.whole)
      assert.deepStrictEqual((yield* look("talk?seconds=100", options)).keys, first)
    }).pipe(world),
  )

  it.scoped("makes extras of what was heard without them, and takes off those that are not wanted", () =>
    Effect.gen(function* () {
      const { transcribe, look } = yield* makeTranscribeAlone
      const extras = effectiveOptions({ summary: true, chapters: true, translateTo: "de" })
      const plain = yield* transcribe(file("talk?seconds=100"), options, watching().watch)
      const whole = yield* transcribe(file("talk?seconds=100"), extras, watching().watch)
      const given = (finished: Finished, asked: OptionsSnapshot) => {
        const { saved, phases, watch } = watching()
        const known = () => Effect.succeed({ finished, by: "heard" } as const)
        const made = transcribe(file("talk?seconds=100"), asked, { ...watch, listening: () => noEar, known })
        return Effect.map(made, (again) => ({ again, saved, phases }))
      }
      const more = yield* given(plain, extras)
      assert.deepStrictEqual(more.again, { ...whole, origin: "cache", minutes: 0 })
      assert.deepStrictEqual([more.saved, more.phases], [[], ["fetching", "decoding", "enriching"]])
      const less = yield* given(whole, options)
      assert.deepStrictEqual(less.again, { ...plain, origin: "cache", minutes: 0 })
      const keysOf = (asked: OptionsSnapshot) =>
        Effect.map(look("talk?seconds=100", asked), ({ keys }) => keys)
      const [none, some] = [yield* keysOf(options), yield* keysOf(extras)]
      assert.strictEqual(some?.heard, none?.whole)
      assert.notStrictEqual(some?.whole, none?.whole)
    }).pipe(world),
  )

  it.scoped("is asked under another key for everything that changes words, times or extras", () =>
    Effect.gen(function* () {
      const { look } = yield* makeTranscribeAlone
      const keyOf = (path: string, asked: Parameters<typeof effectiveOptions>[0]) =>
        Effect.map(look(path, effectiveOptions(asked)), ({ keys }) => keys?.whole)
      const keys = yield* Effect.all([
        keyOf("talk?seconds=100", {}),
        keyOf("talk?seconds=101", {}),
        ...[
          { language: "de" },
          { quality: "fast" as const },
          { diarize: true },
          { diarize: true, speakers: { min: 2 } },
          { vocabulary: ["Earmark"] },
          { startAt: 1 },
          { endAt: 9 },
          { summary: true },
          { chapters: true },
          { translateTo: "de" },
        ].map((asked) => keyOf("talk?seconds=100", asked)),
      ])
      assert.strictEqual(new Set(keys).size, 12)
      // To say what holds anyway changes nothing.
      assert.strictEqual(yield* keyOf("talk?seconds=100", { quality: "accurate" }), keys[0])
    }).pipe(world),
  )

  it.scoped("makes an extra again that had failed, and hears again where the speakers are not known", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      const { watch } = watching()
      const asked = effectiveOptions({ diarize: true, translateTo: "de" })
      const whole = yield* transcribe(file("talk?seconds=100"), asked, watch)
      const given = (known: Finished) =>
        transcribe(file("talk?seconds=100"), asked, {
          ...watch,
          known: () => Effect.succeed({ finished: known, by: "whole" } as const),
        })
      const translated = yield* given({
        ...whole,
        content: { ...whole.content, translation: null },
        enrichment: { translation: { status: "failed", error: "Nobody is there." } },
      })
      assert.deepStrictEqual(translated, { ...whole, origin: "cache", minutes: 0 })
      const heard = yield* given({ ...whole, warnings: [warningOf("diarization_failed")] })
      assert.strictEqual(heard.origin, "engine")
    }).pipe(world),
  )

  it.scoped("takes the captions of the publisher, and needs no ear for them", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      const { phases, watch } = watching()
      const finished = yield* transcribe(captions("https://e.example/1.mp3"), options, {
        ...watch,
        listening: () => noEar,
      })
      assert.strictEqual(finished.origin, "captions")
      assert.strictEqual(finished.engine, null)
      assert.isAbove(finished.wordCount, 0)
      assert.deepStrictEqual(phases, ["fetching"])
    }).pipe(world),
  )

  it.scoped("listens where a quality is named, either one, and asks no publisher", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      for (const quality of ["fast", "accurate"] as const) {
        const { watch } = watching()
        const asked = effectiveOptions({ quality })
        const finished = yield* transcribe(captions("https://e.example/1.mp3"), asked, watch)
        assert.strictEqual(finished.origin, "engine")
      }
    }).pipe(world),
  )

  it.scoped("without an ear nothing is downloaded, and no file is heard", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      for (const [source, last] of [
        [found("https://e.example/1.mp3"), "fetching"],
        [file("talk?seconds=100"), "decoding"],
      ] as const) {
        const { phases, saved, watch } = watching()
        const failure = yield* Effect.flip(transcribe(source, options, { ...watch, listening: () => noEar }))
        assert.strictEqual(failure.code, "engine_unavailable")
        assert.strictEqual(phases.at(-1), last)
        assert.deepStrictEqual(saved, [])
      }
    }).pipe(world),
  )

  it.scoped("says that nobody speaks, and what the decoder says", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      const { watch } = watching()
      const silent = yield* Effect.flip(transcribe(file("talk?seconds=10&silent"), options, watch))
      assert.strictEqual(silent.code, "no_speech")
      const broken = yield* Effect.flip(transcribe(file("talk?broken=unsupported_media"), options, watch))
      assert.strictEqual(broken.code, "unsupported_media")
    }).pipe(world),
  )

  it.scoped("keeps what was heard when it is interrupted", () =>
    Effect.gen(function* () {
      const { transcribe } = yield* makeTranscribeAlone
      const { saved, watch } = watching()
      const two = yield* Deferred.make<void>()
      const running = yield* Effect.fork(
        transcribe(file("talk?seconds=1000"), options, {
          ...watch,
          follow: ({ index }) =>
            index < 2 ? Effect.void : Effect.zipRight(Deferred.succeed(two, undefined), Effect.never),
        }),
      )
      yield* Deferred.await(two)
      yield* Fiber.interrupt(running)
      assert.isAtLeast(saved.length, 3)
      assert.isAtMost(saved.length, 8)
    }).pipe(world),
  )
})
