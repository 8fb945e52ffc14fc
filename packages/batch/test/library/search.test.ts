import { searchExamples } from "@earmark/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { finishedJobs } from "../../src/publish/publishedJobs.js"
import { newLibrary, T, workOn } from "./world.js"

const talks = Effect.gen(function* () {
  const { library, keep, fail } = newLibrary()
  yield* keep(workOn("a.mp3", T), "The climate report", "is not the Café report", "and so on")
  yield* keep(workOn("b.mp3", T + 1), "nothing of that kind")
  yield* keep(workOn("c.mp3", T + 2), "a report on climates", "the end")
  yield* fail(workOn("d.mp3", T + 3), "no_speech", "Nobody speaks.")
  return library
})

describe("search over the library of this machine", () => {
  it.effect("finds what every search finds", () =>
    Effect.gen(function* () {
      for (const { name, lines, query, found } of searchExamples) {
        const { library, keep } = newLibrary()
        yield* keep(workOn("a.mp3", T), ...lines)
        const { data } = yield* library.search(null, { q: query, context: 0 })
        const marked = data.map(({ text, highlights }) =>
          highlights.map(([from, to]) => text.slice(from, to)),
        )
        assert.deepStrictEqual(marked, found, name)
      }
    }),
  )

  it.effect(
    "finds what a service would: whole words, the last one as a beginning, without case and accents",
    () =>
      Effect.gen(function* () {
        const library = yield* talks
        const found = (q: string) =>
          Effect.map(library.search(null, { q, context: 0 }), ({ data }) =>
            data.map(({ title, text }) => [title, text]),
          )
        assert.deepStrictEqual(yield* found("REPORT clim"), [
          ["c.mp3", "a report on climates"],
          ["a.mp3", "The climate report"],
        ])
        assert.deepStrictEqual(yield* found("climate report"), [["a.mp3", "The climate report"]])
        assert.deepStrictEqual(yield* found("cafe"), [["a.mp3", "is not the Café report"]])
        assert.deepStrictEqual(yield* found('"report is not"'), [["a.mp3", "The climate report"]])
        assert.deepStrictEqual(yield* found("port"), [])
        assert.deepStrictEqual(yield* found("..."), [])
      }),
  )

  it.effect("shows one recording once: with speakers, else the newest, and loses neither", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      const talk = (began: number, diarize: boolean, state = "1") => {
        const work = workOn("a.mp3", T + began, state)
        return { ...work, options: { ...work.options, diarize } }
      }
      yield* keep(talk(0, false), "the garden is open")
      yield* keep(talk(1, true), "the garden is open")
      yield* keep(workOn("b.mp3", T + 2), "another garden is closed")
      const all = (yield* library.list({})).data
      assert.deepStrictEqual(
        all.map(({ title }) => title),
        ["b.mp3", "a.mp3", "a.mp3"],
      )
      const [other, withSpeakers, plain] = all.map(({ id }) => id)
      const { data } = yield* library.search(null, { q: "garden" })
      assert.deepStrictEqual(
        data.map(({ id }) => id),
        [other, withSpeakers],
      )
      const lines = yield* library.searchPattern(null, {
        pattern: "garden",
        limit: 20,
        context: 0,
        speaker: undefined,
        feed: undefined,
      })
      assert.deepStrictEqual(
        lines.data.map(({ id }) => id),
        [other, withSpeakers],
      )
      const { coverage } = yield* library.ask(null, "Is the garden open?")
      assert.strictEqual(coverage.transcripts, 2)
      assert.strictEqual((yield* library.search(plain ?? "", { q: "garden" })).data.length, 1)
      const published = yield* finishedJobs(library, [])
      assert.deepStrictEqual(
        published.map(({ id }) => id),
        [other, withSpeakers],
      )
    }),
  )

  it.effect("goes from page to page over all of them, and within one", () =>
    Effect.gen(function* () {
      const library = yield* talks
      const pages = (id: string | null) =>
        Effect.gen(function* () {
          const texts: Array<string> = []
          let cursor: string | undefined
          do {
            const page = yield* library.search(id, { q: "report", context: 0, limit: 1, cursor })
            texts.push(...page.data.map(({ text }) => text))
            cursor = page.next_cursor ?? undefined
          } while (cursor !== undefined)
          return texts
        })
      const inA = ["The climate report", "is not the Café report"]
      assert.deepStrictEqual(yield* pages(null), ["a report on climates", ...inA])
      const [, , , a] = (yield* library.list({})).data
      assert.deepStrictEqual(yield* pages(a?.id ?? ""), inA)
      const cursor = (yield* library.search(null, { q: "report", limit: 1 })).next_cursor ?? ""
      assert.match((yield* Effect.flip(library.search(null, { q: "climate", cursor }))).message, /cursor/)
    }),
  )

  it.effect("shows the lines around a hit, and knows speakers and feeds", () =>
    Effect.gen(function* () {
      const library = yield* talks
      const [hit] = (yield* library.search(null, { q: "cafe", context: 1 })).data
      assert.deepStrictEqual(
        [hit?.before.map(({ text }) => text), hit?.after.map(({ text }) => text), hit?.highlights],
        [["The climate report"], ["and so on"], [[11, 15]]],
      )
      const said = yield* library.search(null, { q: "report", speaker: "Speaker 2" })
      assert.deepStrictEqual(
        said.data.map(({ text }) => text),
        ["is not the Café report"],
      )
      assert.deepStrictEqual((yield* library.search(null, { q: "report", feed: "https://x.org/" })).data, [])
    }),
  )

  it.effect("tells the moment of the word and the source of the transcript", () =>
    Effect.gen(function* () {
      const library = yield* talks
      const [hit] = (yield* library.search(null, { q: "cafe", context: 0 })).data
      assert.deepStrictEqual([hit?.start, hit?.at], [1, 1.03])
      assert.match((yield* library.sourceOf(hit?.id ?? "")) ?? "", /a\.mp3$/)
    }),
  )

  it.effect("finds a regular expression in one or in all, as many as are asked for", () =>
    Effect.gen(function* () {
      const library = yield* talks
      const asked = { speaker: undefined, feed: undefined, context: 0, limit: 10 }
      const found = (pattern: string, more: object = {}, id: string | null = null) =>
        library.searchPattern(id, { ...asked, pattern, ...more })
      const texts = Effect.map(({ data }: Effect.Effect.Success<ReturnType<typeof found>>) =>
        data.map(({ text, at, highlights }) => [text, at, highlights]),
      )
      assert.deepStrictEqual(yield* texts(found("caf[eé]")), [["is not the Café report", 1.03, [[11, 15]]]])
      const page = yield* found("CLIMATES?$|climate\\b", { limit: 1 })
      assert.deepStrictEqual(
        [page.total, page.has_more, page.next_cursor, page.data[0]?.text],
        [2, true, null, "a report on climates"],
      )
      const [, , , a] = (yield* library.list({})).data
      assert.strictEqual((yield* found("report", { speaker: "Speaker 2" }, a?.id ?? "")).total, 1)
      assert.deepInclude(yield* Effect.flip(found("(a")), { reason: "pattern_invalid", subject: "(a" })
    }),
  )

  it.live("gives up a pattern that would take for ever", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(workOn("long.mp3", T), `${"a".repeat(60)}b`)
      const asked = { pattern: "(a+)+$", speaker: undefined, feed: undefined, context: 0, limit: 10 }
      const given = yield* Effect.flip(library.searchPattern(null, asked))
      assert.deepInclude(given, { reason: "pattern_too_slow", subject: "(a+)+$" })
    }),
  )

  it.effect("refuses what a service refuses", () =>
    Effect.gen(function* () {
      const library = yield* talks
      const refused = yield* Effect.flip(library.search(null, { q: "x", context: 9 }))
      assert.deepStrictEqual([refused.code, refused.message.includes("context")], ["invalid_request", true])
      const [failed] = (yield* library.list({ status: "failed" })).data
      const none = yield* Effect.flip(library.search(failed?.id ?? "", { q: "x" }))
      assert.strictEqual(none.code, "invalid_state")
    }),
  )
})
