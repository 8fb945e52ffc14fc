import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ExtraStaff, WorkFailed } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inPlace, newLibrary, T, workOn } from "./world.js"

const staff: ExtraStaff = {
  writer: {
    id: "w",
    isRemote: false,
    summarize: ({ segments }) => Effect.succeed(`In short: ${segments[0]?.text}`),
    chapters: () => Effect.fail(new WorkFailed({ code: "engine_timeout", isTransient: true })),
  },
  translator: {
    id: "t",
    translate: (texts, { to }) => Effect.succeed(texts.map((text) => `[${to}] ${text}`)),
  },
}

/** A library of its own folder, with one finished entry. */
const extended = (name: string, ...texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const folder = inPlace(name, "library")
    const made = newLibrary(folder)
    yield* made.keep(workOn("a.mp3", T), ...texts)
    const [id = ""] = (yield* made.library.list({})).data.map((job) => job.id)
    const shown = Effect.flatMap(made.library.show(id, false), (job) =>
      job.status === "done" ? Effect.succeed(job) : Effect.dieMessage(job.status),
    )
    return { ...made, folder, id, shown }
  })

const asText = (language: string) =>
  ({ format: "txt", word_level: false, speakers: false, profile: undefined, language }) as const

const DONE = { status: "done", revision: 0 } as const

describe("extras of an entry, made later", () => {
  it.effect("are kept beside it, shown and exported, and an extra that fails says why", () =>
    Effect.gen(function* () {
      const { library, id, shown } = yield* extended("kept", "we met in berlin", "and left")
      const { enrichment } = yield* library.addExtras(
        id,
        { summary: true, chapters: true, translateTo: "de" },
        staff,
      )
      assert.deepStrictEqual(enrichment.summary, DONE)
      assert.strictEqual(enrichment.chapters?.status, "failed")
      yield* library.addExtras(id, { translateTo: "fr" }, staff)
      const job = yield* shown
      assert.strictEqual(job.summary, "In short: we met in berlin")
      assert.deepStrictEqual(job.enrichment.translations, { de: DONE, fr: DONE })
      for (const language of ["de", "fr"]) {
        const text = [...(yield* library.export(id, asText(language)))].join("")
        assert.strictEqual(text, `[${language}] we met in berlin [${language}] and left\n`)
      }
    }),
  )

  it.effect("are stale after a correction, and made again from the newest text", () =>
    Effect.gen(function* () {
      const { library, id, shown } = yield* extended("stale", "we met in berlin", "and left")
      yield* library.addExtras(id, { summary: true, translateTo: "de" }, staff)
      yield* library.edit(id, 0, [{ type: "text", line: 0, text: "We met in Potsdam." }])
      const stale = yield* shown
      assert.deepStrictEqual(stale.enrichment.summary, { ...DONE, stale: true })
      assert.strictEqual(stale.summary, "In short: we met in berlin")
      assert.strictEqual(stale.translation?.segments.length, 2)
      yield* library.addExtras(id, { summary: true }, staff)
      const again = yield* shown
      assert.deepStrictEqual(again.enrichment.summary, { status: "done", revision: 1 })
      assert.strictEqual(again.summary, "In short: We met in Potsdam.")
    }),
  )

  it.effect("are made once, and refused where nothing translates", () =>
    Effect.gen(function* () {
      const { library, id } = yield* extended("once", "we met")
      yield* library.addExtras(id, { summary: true }, staff)
      const never: ExtraStaff = {
        writer: { ...staff.writer, summarize: () => Effect.dieMessage("it was asked again") },
        translator: { ...staff.translator, isThere: false },
      }
      const { enrichment } = yield* library.addExtras(id, { summary: true }, never)
      assert.deepStrictEqual(enrichment.summary, DONE)
      const refused = yield* Effect.flip(library.addExtras(id, { translateTo: "de" }, never))
      assert.deepInclude(refused, { reason: "refused", code: "language_unsupported" })
    }),
  )

  it.effect("go with the entry, and a damaged file of them is none", () =>
    Effect.gen(function* () {
      const { library, id, folder, shown } = yield* extended("gone", "we met")
      yield* library.addExtras(id, { summary: true }, staff)
      writeFileSync(join(folder, `${id}.extras`), "{")
      assert.isUndefined((yield* shown).summary)
      yield* library.addExtras(id, { summary: true }, staff)
      assert.isDefined((yield* shown).summary)
      yield* library.remove(id)
      assert.deepStrictEqual(readdirSync(folder), [])
    }),
  )
})
