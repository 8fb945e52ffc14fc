import { effectiveOptions } from "@earmark/core/jobs"
import type { Transcript } from "@earmark/core/transcripts"
import { TranslatorNone, WorkFailed, Writer, WriterExtractive } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { Translator } from "../../src/ports/Speech.js"
import { finish } from "../../src/useCases/finishing.js"
import { create, get, inWorld, newAccount, settle, withWorker } from "../world.js"

const transcript: Transcript = {
  language: "en",
  duration: 20_000,
  segments: ["One thing was said.", "♪", "Another thing was said after it."].map((text, at) => ({
    start: at * 5_000,
    end: at * 5_000 + 4_000,
    speaker: null,
    text,
    words: [],
  })),
}

const everything = effectiveOptions({ summary: true, chapters: true, translateTo: "de" })

type Staff = Parameters<typeof finish>[1]

const sound: Staff = {
  writer: {
    id: "w",
    isRemote: false,
    summarize: () => Effect.succeed("Things were said."),
    chapters: () => Effect.succeed([{ start: 0, end: 20_000, title: "Things" }]),
  },
  translator: { id: "t", translate: (texts) => Effect.succeed(texts.map((text) => `[de] ${text}`)) },
}

const finished = (staff: Partial<Staff>, options = everything, of = transcript) =>
  finish(
    {
      transcript: of,
      options,
      origin: "engine",
      engine: "scripted",
      detectedLanguage: null,
      voice: null,
      warnings: [],
      credits: 1,
      minutes: 1,
    },
    { ...sound, ...staff },
  )

const failing = (detail?: string) =>
  Effect.fail(new WorkFailed({ code: "engine_timeout", isTransient: true, ...(detail && { detail }) }))

describe("extras", () => {
  it.effect("are what writer and translator make", () =>
    Effect.gen(function* () {
      const { content, enrichment, warnings } = yield* finished({})
      assert.strictEqual(content.summary, "Things were said.")
      assert.deepStrictEqual(content.chapters, [{ start: 0, end: 20_000, title: "Things" }])
      assert.strictEqual(content.translation?.texts[0], "[de] One thing was said.")
      const done = { status: "done" } as const
      assert.deepStrictEqual(enrichment, { summary: done, chapters: done, translation: done })
      assert.deepStrictEqual(warnings, [])
    }),
  )

  it.effect("fail each alone, with the reason that the maker gives, or that something broke", () =>
    Effect.gen(function* () {
      const { content, enrichment } = yield* finished({
        writer: {
          ...sound.writer,
          summarize: () => failing("The text model took too long."),
          chapters: () => Effect.dieMessage("a bug"),
        },
        translator: { id: "t", translate: () => failing() },
      })
      assert.deepStrictEqual([content.summary, content.chapters, content.translation], [null, null, null])
      assert.deepStrictEqual(enrichment.summary, { status: "failed", error: "The text model took too long." })
      assert.match(
        enrichment.chapters?.error ?? "",
        /^The chapters could not be made; everything else is here/,
      )
      assert.match(enrichment.translation?.error ?? "", /^The translation could not be made/)
      assert.strictEqual(content.segments.length, 3)
    }),
  )

  it.effect("nobody to translate: the reason names the settings that help", () =>
    Effect.gen(function* () {
      const translator = yield* Translator
      const { enrichment } = yield* finished({ translator })
      assert.strictEqual(enrichment.translation?.status, "failed")
      assert.match(enrichment.translation?.error ?? "", /no translation service and no text model/)
    }).pipe(Effect.provide(TranslatorNone.layer)),
  )

  it.effect("an interruption is none of their failures", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        finished({ writer: { ...sound.writer, summarize: () => Effect.interrupt } }),
      )
      assert.isTrue(Exit.isInterrupted(exit))
    }),
  )

  it.effect("a translation of another length is none; a blank line is a warning", () =>
    Effect.gen(function* () {
      const by = (translate: (text: string, at: number) => ReadonlyArray<string>) =>
        finished({ translator: { id: "t", translate: (texts) => Effect.succeed(texts.flatMap(translate)) } })
      const short = yield* by((text, at) => (at === 1 ? [] : [text]))
      assert.match(short.enrichment.translation?.error ?? "", /does not fit/)
      assert.isNull(short.content.translation)
      const lacking = yield* by((text, at) => [at === 2 ? " " : text])
      assert.strictEqual(lacking.enrichment.translation?.status, "done")
      assert.deepStrictEqual(
        lacking.warnings.map(({ code }) => code),
        ["translation_incomplete"],
      )
    }),
  )

  it.effect("what is in the language already is not translated, and what was not asked for is not made", () =>
    Effect.gen(function* () {
      const nobody: Staff = {
        writer: { ...sound.writer, summarize: () => failing(), chapters: () => failing() },
        translator: { id: "t", translate: () => failing() },
      }
      const { content, enrichment } = yield* finished(nobody, effectiveOptions({ translateTo: "EN" }))
      assert.deepStrictEqual(enrichment, { translation: { status: "done" } })
      assert.strictEqual(content.translation?.texts[0], "One thing was said.")
      assert.isNull(content.summary)
    }),
  )
})

const talk = "https://a.example/talk.mp3?seconds=90"

/** What becomes of requests for the same media, one after the other. */
const outcomes = (...bodies: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const account = yield* newAccount()
    return yield* Effect.forEach(bodies, (body) =>
      Effect.gen(function* () {
        const { id } = yield* create(account, { url: talk, ...body })
        yield* withWorker(settle)
        const job = yield* get(account, id)
        if (job.status !== "done") return yield* Effect.dieMessage(job.status)
        const { origin, billedMinutes, enrichment, summary, translation, warnings } = job
        return {
          origin,
          billedMinutes,
          extras: Object.entries(enrichment).map(([name, { status }]) => `${name} ${status}`),
          summary: summary !== undefined,
          language: translation?.language,
          warnings,
        }
      }),
    )
  })

describe("what was heard once", () => {
  it.effect("serves requests with other extras and with none, and shows only what was asked for", () =>
    Effect.gen(function* () {
      const made = yield* outcomes(
        { summary: true, translate_to: "de" },
        {},
        { chapters: true, translate_to: "fr" },
        { summary: true, translate_to: "de" },
      )
      assert.deepStrictEqual(
        made.map(({ origin, billedMinutes }) => [origin, billedMinutes]),
        [
          ["engine", 2],
          ["cache", 0],
          ["cache", 0],
          ["cache", 0],
        ],
      )
      assert.deepStrictEqual(
        made.map(({ extras, summary, language }) => [extras, summary, language]),
        [
          [["summary done", "translation done"], true, "de"],
          [[], false, undefined],
          [["chapters done", "translation done"], false, "fr"],
          [["summary done", "translation done"], true, "de"],
        ],
      )
    }).pipe(inWorld()),
  )

  it.effect("without extras serves requests that want some", () =>
    Effect.gen(function* () {
      const made = yield* outcomes({}, { summary: true })
      assert.deepStrictEqual(
        made.map(({ origin, summary }) => [origin, summary]),
        [
          ["engine", false],
          ["cache", true],
        ],
      )
    }).pipe(inWorld()),
  )

  it.effect("serves also where an extra failed, and that extra is tried again", () =>
    Effect.gen(function* () {
      const made = yield* outcomes({ translate_to: "xx" }, { translate_to: "xx" }, { translate_to: "de" })
      assert.deepStrictEqual(
        made.map(({ origin, extras }) => [origin, extras]),
        [
          ["engine", ["translation failed"]],
          ["cache", ["translation failed"]],
          ["cache", ["translation done"]],
        ],
      )
    }).pipe(inWorld()),
  )

  it.effect("says nothing of the lines that a translation lacks to those who want none", () =>
    Effect.gen(function* () {
      const [first, second] = yield* outcomes({ translate_to: "de" }, {})
      assert.deepStrictEqual(
        first?.warnings.map(({ code }) => code),
        ["translation_incomplete"],
      )
      assert.deepStrictEqual(second?.warnings, [])
    }).pipe(
      inWorld({
        translator: Layer.succeed(Translator, {
          id: "t",
          translate: (texts) => Effect.succeed(texts.map((text, at) => (at === 0 ? "" : text))),
        }),
      }),
    ),
  )
})

describe("a writer that asks somebody else", () => {
  const remote = Layer.succeed(Writer, { ...sound.writer, id: "remote", isRemote: true })
  const captioned = `${talk}&captions=people&language=en`

  it.effect("makes captions work for the queue, but only for what it writes", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      assert.strictEqual((yield* create(account, { url: captioned })).status, "done")
      const { id, status } = yield* create(account, { url: captioned, chapters: true })
      assert.strictEqual(status, "queued")
      yield* withWorker(settle)
      const job = yield* get(account, id)
      if (job.status !== "done") return assert.fail(job.status)
      assert.deepStrictEqual(job.chapters, [{ start: 0, end: 20_000, title: "Things" }])
    }).pipe(inWorld({ writer: remote })),
  )
})

describe("without a model", () => {
  it.effect("summary and chapters are the transcript's own words", () =>
    Effect.gen(function* () {
      const writer = yield* Writer
      const { content } = yield* finished({ writer })
      assert.include(content.text, content.summary?.slice(0, 10) ?? "?")
      assert.deepInclude(content.chapters?.[0], { start: 0, end: 20_000 })
    }).pipe(Effect.provide(Layer.mergeAll(WriterExtractive.layer))),
  )
})
