import { readFileSync, writeFileSync } from "node:fs"
import { type Warning, warningOf } from "@earmark/core/jobs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { entriesIn } from "../../src/library/entries.js"
import type { Keeper } from "../../src/library/Keeper.js"
import { ALL, madeOf, newLibrary, T, workOn } from "./world.js"

/** Without extras. */
const keysOf = (key: string) => ({ whole: key, heard: key, unopened: `${key} unopened` })

describe("the library of this machine", () => {
  it.effect("knows by its size what cannot be in it", () =>
    Effect.gen(function* () {
      const { keeper, folder } = newLibrary()
      assert.strictEqual(keeper.mayHave(500), "no")
      const kept = yield* keeper.begin(workOn("a.mp3", T))
      yield* kept.known({ ...keysOf("key"), bytes: 500 })
      yield* kept.ended(Exit.succeed(madeOf(["good morning"])))
      for (const each of [keeper, newLibrary(folder).keeper])
        assert.deepStrictEqual([each.mayHave(500), each.mayHave(501)], ["unopened", "no"])
      assert.strictEqual(newLibrary(folder, true).keeper.mayHave(500), "no")
    }),
  )

  it.effect("knows what was heard by the bytes alone, and opens media for entries that lack that key", () =>
    Effect.gen(function* () {
      const { keeper, folder } = newLibrary()
      const keep = Effect.fnUntraced(function* (name: string, key: string, bytes: number) {
        const kept = yield* keeper.begin(workOn(name, T))
        yield* kept.known({ ...keysOf(key), bytes })
        yield* kept.ended(Exit.succeed(madeOf(["good morning"])))
      })
      yield* keep("a.mp3", "new", 500)
      yield* keep("b.mp3", "old", 600)
      for (const { path } of entriesIn(folder)) {
        const { unopened, ...head } = JSON.parse(readFileSync(path, "utf8"))
        if (unopened === "old unopened") writeFileSync(path, JSON.stringify(head))
      }
      const later = newLibrary(folder).keeper
      assert.deepStrictEqual([500, 600, 700].map(later.mayHave), ["unopened", "opened", "no"])
      assert.isTrue(yield* later.has({ unopened: "new unopened" }))
      assert.isFalse(yield* later.has({ unopened: "old unopened" }))
      assert.isTrue(yield* later.has(keysOf("old")))
    }),
  )

  it.effect("has what is finished at hand for whatever has the same key, until it is gone", () =>
    Effect.gen(function* () {
      const { library, keeper, folder } = newLibrary()
      const work = function* (name: string, began: number, key: string, ...texts: ReadonlyArray<string>) {
        const kept = yield* keeper.begin(workOn(name, began))
        const known = yield* kept.known(keysOf(key))
        const made = madeOf(texts)
        const from = known === null ? made.finished : ({ ...known.finished, origin: "cache" } as const)
        yield* kept.ended(Exit.succeed({ ...made, finished: from }))
        return known
      }
      assert.isFalse(yield* keeper.has(keysOf("key")))
      assert.isNull(yield* work("a.mp3", T, "key", "good morning"))
      assert.isTrue(yield* keeper.has(keysOf("key")))
      assert.isFalse(yield* keeper.has(keysOf("another key")))
      // An entry that does not say how large its media was may be of any size.
      assert.strictEqual(keeper.mayHave(1), "unopened")
      const other = yield* work("b.mp3", T + 1, "key")
      assert.deepStrictEqual(other?.finished.content, madeOf(["good morning"]).finished?.content)
      assert.deepStrictEqual(
        (yield* library.list(ALL)).data.map(({ cached }) => cached),
        [true, false],
      )
      yield* work("a.mp3", T + 2, "key")
      const { data } = yield* library.list(ALL)
      assert.deepStrictEqual(
        data.map(({ title, origin, cached, engine }) => [title, origin, cached, engine]),
        [
          ["a.mp3", "cache", true, "scripted"],
          ["b.mp3", "cache", true, "scripted"],
        ],
      )
      // A later run, that is to hear all of it; one that is not; and one that comes after the entries are gone.
      assert.isFalse(yield* newLibrary(folder, true).keeper.has(keysOf("key")))
      const later = newLibrary(folder)
      assert.isTrue(yield* later.keeper.has(keysOf("key")))
      yield* library.remove(data[0]?.id ?? "")
      assert.isTrue(yield* later.keeper.has(keysOf("key")))
      yield* library.removeAll
      assert.isFalse(yield* later.keeper.has(keysOf("key")))
    }),
  )

  it.effect(
    "has nothing at hand whose speakers could not be told apart, and goes on with what was whole before",
    () =>
      Effect.gen(function* () {
        const { keeper, folder } = newLibrary()
        const keep = (name: string, began: number, key: string, warnings: ReadonlyArray<Warning>) =>
          Effect.gen(function* () {
            const kept = yield* keeper.begin(workOn(name, began))
            yield* kept.known(keysOf(key))
            const made = madeOf(["good morning"])
            const finished = made.finished === null ? null : { ...made.finished, warnings }
            yield* kept.ended(Exit.succeed({ ...made, finished }))
          })
        yield* keep("a.mp3", T, "whole", [])
        yield* keep("b.mp3", T + 1, "whole", [warningOf("diarization_failed")])
        yield* keep("c.mp3", T + 2, "without", [warningOf("diarization_failed")])
        for (const { has } of [keeper, newLibrary(folder).keeper]) {
          assert.isTrue(yield* has(keysOf("whole")))
          assert.isFalse(yield* has(keysOf("without")))
        }
      }),
  )

  it.effect(
    "has what was heard at hand for whoever wants other extras of it, and the same extras before that",
    () =>
      Effect.gen(function* () {
        const { keeper, folder } = newLibrary()
        const plain = { whole: "words", heard: "words", unopened: "file" }
        const summary = { whole: "summary", heard: "words", unopened: "file" }
        const both = { whole: "summary and chapters", heard: "words", unopened: "file" }
        const find = (from: Keeper, asked: typeof plain) =>
          Effect.flatMap(from.begin(workOn("asked.mp3", T)), ({ known }) =>
            Effect.map(known(asked), (found) =>
              found === null ? null : [found.by, found.finished.content.text],
            ),
          )
        const keep = (name: string, began: number, asked: typeof plain, text: string) =>
          Effect.gen(function* () {
            const kept = yield* keeper.begin(workOn(name, began))
            yield* kept.known(asked)
            yield* kept.ended(Exit.succeed(madeOf([text])))
          })
        assert.isFalse(yield* keeper.has(both))
        yield* keep("a.mp3", T, summary, "summed up")
        for (const from of [keeper, newLibrary(folder).keeper]) {
          assert.deepStrictEqual(yield* find(from, plain), ["heard", "summed up"])
          assert.deepStrictEqual(yield* find(from, both), ["heard", "summed up"])
          assert.deepStrictEqual(yield* find(from, summary), ["whole", "summed up"])
          assert.isNull(yield* find(from, { whole: "another", heard: "another", unopened: "file" }))
          assert.isTrue(yield* from.has(both))
        }
        yield* keep("b.mp3", T + 1, plain, "plain")
        for (const from of [keeper, newLibrary(folder).keeper]) {
          assert.deepStrictEqual(yield* find(from, plain), ["whole", "plain"])
          assert.deepStrictEqual(yield* find(from, both), ["heard", "plain"])
          assert.deepStrictEqual(yield* find(from, summary), ["whole", "summed up"])
        }
      }),
  )
})
