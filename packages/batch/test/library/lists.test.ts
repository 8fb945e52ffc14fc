import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Entry, entriesIn } from "../../src/library/entries.js"
import { listEntries } from "../../src/library/listEntries.js"
import { explainPlainly } from "../../src/Problem.js"
import { ALL, newLibrary, T, workOn } from "./world.js"

describe("the library of this machine", () => {
  it.effect("has the same source with the same wishes once, and the newest first", () =>
    Effect.gen(function* () {
      const { library, keep, names } = newLibrary()
      yield* keep(workOn("a.mp3", T), "one")
      yield* keep(workOn("b.mp3", T + 1000), "two")
      yield* keep(workOn("a.mp3", T + 2000), "three")
      const { data } = yield* library.list(ALL)
      assert.deepStrictEqual(
        data.map(({ title }) => title),
        ["a.mp3", "b.mp3"],
      )
      assert.strictEqual(names().length, 4)
      const [first] = data
      const shown = yield* library.show(first?.id ?? "", false)
      assert.isTrue(shown.status === "done" && shown.text === "three")
      yield* keep(workOn("a.mp3", T + 3000, "changed"), "four")
      assert.strictEqual((yield* library.list(ALL)).data.length, 3)
    }),
  )

  it.effect("knows an id by its beginning where no other one begins so", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      yield* keep(workOn("a.mp3", T, "one state"), "words")
      yield* keep(workOn("a.mp3", T + 1, "another"), "words")
      yield* keep(workOn("b.mp3", T + 2), "words")
      const [b = "", newer = "", older = ""] = (yield* library.list(ALL)).data.map(({ id }) => id)
      assert.strictEqual(yield* library.idOf(b), b)
      assert.strictEqual(yield* library.idOf(b.slice(0, 7)), b)
      assert.strictEqual(yield* library.idOf(older.slice(0, -1)), older)
      // Of nothing, too short, and of both states of the same source.
      for (const given of ["tr_zzzz", "", "b.mp3", `${b}0`])
        assert.strictEqual(yield* library.idOf(given), given)
      for (const given of [b.slice(0, 6), "tr_"])
        assert.deepInclude(yield* Effect.flip(library.idOf(given)), {
          reason: "id_too_short",
          subject: given,
        })
      const beginning = older.slice(0, 13)
      assert.deepInclude(yield* Effect.flip(library.idOf(beginning)), {
        reason: "ambiguous_id",
        subject: beginning,
        ids: [newer, older],
      })
    }),
  )

  it.effect("reads only what belongs to a page, of 10,000 entries", () =>
    Effect.gen(function* () {
      const { keep, folder } = newLibrary()
      for (const index of [1, 2, 3]) yield* keep(workOn(`${index}.mp3`, T + index), "words")
      // Heads that would be told as damaged if anybody looked for them.
      const others = Array.from({ length: 10_000 }, (_, index): Entry => {
        const id = `tr_0${index.toString().padStart(25, "0")}`
        return { id, createdAt: T - index, status: "done", path: join(folder, id) }
      })
      const all = [...entriesIn(folder), ...others]
      const first = listEntries(all, { limit: 2, after: null }, explainPlainly)
      assert.deepStrictEqual(
        [first.jobs.map(({ title }) => title), first.unreadable],
        [["3.mp3", "2.mp3"], []],
      )
      assert.deepStrictEqual(
        listEntries(all, { limit: 2, after: null, status: "failed" }, explainPlainly).unreadable,
        [],
      )
    }),
  )

  it.effect("goes on where a page ended, with the same filters alone", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      for (const index of [1, 2, 3]) yield* keep(workOn(`${index}.mp3`, T + index), "words")
      const first = yield* library.list({ limit: 2 })
      const cursor = first.next_cursor ?? ""
      const second = yield* library.list({ limit: 2, cursor })
      assert.deepStrictEqual(
        [...first.data, ...second.data].map(({ title }) => title),
        ["3.mp3", "2.mp3", "1.mp3"],
      )
      assert.deepStrictEqual([first.has_more, second.has_more, second.next_cursor], [true, false, null])
      const refused = yield* Effect.flip(library.list({ limit: 2, cursor, status: "failed" }))
      assert.deepInclude(refused, { reason: "refused", code: "invalid_request" })
    }),
  )
})
