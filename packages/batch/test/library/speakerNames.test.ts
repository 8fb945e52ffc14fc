import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { NewNames } from "../../src/Asked.js"
import { ALL, madeOf, newLibrary, T, TEXT, workOn } from "./world.js"

describe("names of speakers", () => {
  it.effect("are kept for exports and searches, or given to one file", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(workOn("named.mp3", 1_700_000_000_000), "one", "two")
      const [id = ""] = (yield* library.list({})).data.map((job) => job.id)
      const wanted = { format: "txt", word_level: false, speakers: true, profile: undefined } as const
      const text = (names?: NewNames) =>
        Effect.map(library.export(id, { ...wanted, language: undefined, names }), (chunks) =>
          [...chunks].join(""),
        )
      const named = { "Speaker 1": "Ann", "Speaker 2": "Bob, Jr." }
      assert.strictEqual(yield* text(named), "Ann: one\n\nBob, Jr.: two\n")
      assert.strictEqual(yield* text(), "Speaker 1: one\n\nSpeaker 2: two\n")
      yield* library.name(id, named)
      yield* library.name(id, { "Speaker 2": null })
      assert.strictEqual(yield* text(), "Ann: one\n\nSpeaker 2: two\n")
      assert.strictEqual((yield* library.search(null, { q: "one" })).data[0]?.speaker, "Ann")
      const refused = yield* Effect.flip(library.name(id, { "Speaker 9": "Eve" }))
      assert.match(refused.message, /no Speaker 9; it has Speaker 1, Speaker 2/)
    }),
  )
})

describe("the library of this machine", () => {
  it.effect(
    "has the labels of speakers in the lines and what captions call them beside, as a service does",
    () =>
      Effect.gen(function* () {
        const { library, keeper } = newLibrary()
        const made = madeOf(["good morning", "and welcome"])
        const { finished } = made
        const kept = yield* keeper.begin(workOn("a.mp3", T))
        yield* kept.ended(
          Exit.succeed({
            ...made,
            finished: finished === null ? null : { ...finished, speakerNames: { "Speaker 1": "Ann" } },
          }),
        )
        const id = (yield* library.list(ALL)).data[0]?.id ?? ""
        const job = yield* library.show(id, false)
        if (job.status !== "done") return assert.fail(job.status)
        assert.deepStrictEqual(job.speakers, { "Speaker 1": "Ann" })
        assert.deepStrictEqual(
          job.segments.map(({ speaker }) => speaker),
          ["Speaker 1", "Speaker 2"],
        )
        assert.match([...(yield* library.export(id, TEXT))].join(""), /^Ann: good morning\s+Speaker 2: and/)
        for (const where of [id, null])
          for (const speaker of ["Ann", "Speaker 1"]) {
            const { data } = yield* library.search(where, { q: "morning", speaker, context: 1 })
            assert.deepStrictEqual(
              data.map(({ speaker: named, after }) => [named, after[0]?.speaker]),
              [["Ann", "Speaker 2"]],
            )
          }
      }),
  )

  it.effect("shows and finds names that an older entry has in its lines", () =>
    Effect.gen(function* () {
      const { library, keeper } = newLibrary()
      const made = madeOf(["good morning"])
      const { finished } = made
      if (finished === null) return assert.fail("nothing made")
      const segments = finished.content.segments.map((segment) => ({ ...segment, speaker: "Ann" }))
      const kept = yield* keeper.begin(workOn("a.mp3", T))
      const content = { ...finished.content, segments }
      yield* kept.ended(Exit.succeed({ ...made, finished: { ...finished, content } }))
      const id = (yield* library.list(ALL)).data[0]?.id ?? ""
      const job = yield* library.show(id, false)
      assert.deepInclude(job, { speakers: {} })
      assert.strictEqual(job.status === "done" && job.segments[0]?.speaker, "Ann")
      assert.strictEqual((yield* library.search(id, { q: "morning", speaker: "Ann" })).total, 1)
    }),
  )
})
