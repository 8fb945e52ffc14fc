import { answerQuestion } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Answering } from "../../src/library/askEntries.js"
import { newLibrary, T, workOn } from "./world.js"

const bees = "My grandmother kept eleven hives of bees."
const question = "How many hives of bees were kept?"

const talks = Effect.gen(function* () {
  const { library, keep, fail } = newLibrary()
  yield* keep(workOn("a.mp3", T), "We spoke of the garden.", bees, "And so on.")
  yield* keep(workOn("b.mp3", T + 1), "Nothing of that kind.")
  yield* fail(workOn("d.mp3", T + 3), "no_speech", "Nobody speaks.")
  const { data } = yield* library.list({})
  const id = data.find(({ title }) => title === "a.mp3")?.id ?? ""
  return { library, id }
})

describe("a question to the library of this machine", () => {
  it.effect("is answered by passages, from one or from all", () =>
    Effect.gen(function* () {
      const { id, library } = yield* talks
      const one = yield* library.ask(id, question)
      const all = yield* library.ask(null, question)
      assert.deepStrictEqual([one.status, all.status], ["partial", "partial"])
      assert.deepStrictEqual([one.coverage.transcripts, all.coverage.transcripts], [1, 2])
      for (const { claims, coverage } of [one, all]) {
        const citation = claims[0]?.citations.find(({ excerpt }) => excerpt === bees)
        assert.strictEqual(citation?.transcription_id, id)
        assert.strictEqual(citation?.segment_id, 1)
        assert.deepStrictEqual(coverage.cited, [{ transcription_id: id, title: "a.mp3" }])
      }
      assert.strictEqual((yield* library.ask(null, "xylophone?")).status, "not_found")
      assert.match((yield* Effect.flip(library.ask(id, ""))).message, /question/)
      assert.match(
        (yield* Effect.flip(library.ask("tr_nothing", question))).message,
        /nothing with the id tr_nothing/,
      )
    }),
  )

  it.effect("is answered by whoever is given for it", () =>
    Effect.gen(function* () {
      const { id, library } = yield* talks
      const answering: Answering<never> = (asking) =>
        answerQuestion({
          ...asking,
          answer: (_, lines) => {
            const { line = 0 } = lines.find(({ text }) => text === bees) ?? {}
            const claim = {
              text: "Eleven were kept.",
              quotes: [{ line, quote: "kept eleven hives of bees" }],
            }
            return Effect.succeed({ claims: [claim], isWhole: true })
          },
        })
      const answer = yield* library.ask(id, question, answering)
      assert.deepStrictEqual([answer.status, answer.text], ["supported", "Eleven were kept."])
      assert.strictEqual(answer.claims[0]?.citations[0]?.excerpt, "kept eleven hives of bees")
    }),
  )
})
