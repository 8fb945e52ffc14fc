import { readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { ALL, newLibrary, T, workOn } from "./world.js"

describe("the library of this machine", () => {
  it.effect("goes on without entries that are damaged, and lets them be deleted", () =>
    Effect.gen(function* () {
      const { library, keep, folder, names, unreadable } = newLibrary()
      yield* keep(workOn("a.mp3", T), "the first words")
      yield* keep(workOn("b.mp3", T + 1), "the second words")
      yield* keep(workOn("c.mp3", T + 2), "the third words")
      const ids = (yield* library.list(ALL)).data.map(({ id }) => id)
      const [c = "", b = "", a = ""] = ids
      writeFileSync(join(folder, names().find((name) => name.includes(b)) ?? ""), '{"version":1')
      const content = join(folder, `${c}.gz`)
      writeFileSync(content, readFileSync(content).subarray(0, 30))
      assert.deepStrictEqual(
        (yield* library.list(ALL)).data.map(({ id }) => id),
        [c, a],
      )
      assert.deepStrictEqual(
        (yield* library.search(null, { q: "words" })).data.map(({ id }) => id),
        [a],
      )
      // A list reads heads alone, a search contents too.
      assert.deepStrictEqual(unreadable, [1, 2])
      for (const id of [b, c]) {
        assert.deepInclude(yield* Effect.flip(library.show(id, false)), { reason: "damaged", subject: id })
        yield* library.remove(id)
      }
      assert.strictEqual(names().length, 2)
    }),
  )

  it.effect("survives a kill at every step of writing, and clears up later", () =>
    Effect.gen(function* () {
      const { library, keep, folder, names } = newLibrary()
      yield* keep(workOn("a.mp3", T), "old words")
      const [job] = (yield* library.list(ALL)).data
      const [head = ""] = names()
      // A draft of another entry, its content without a head, and a newer head beside the old one.
      const orphan = "tr_00000000000000000000000000"
      writeFileSync(join(folder, `${orphan}.gz.1-0.new`), "half")
      writeFileSync(join(folder, `${orphan}.gz`), "whole")
      writeFileSync(join(folder, head.replace(String(T), String(T + 5))), readFileSync(join(folder, head)))
      assert.deepStrictEqual(
        (yield* library.list(ALL)).data.map(({ id }) => id),
        [job?.id],
      )
      yield* TestClock.setTime(T)
      for (const name of names()) utimesSync(join(folder, name), 1, 1)
      yield* newLibrary(folder).keep(workOn("a.mp3", T + 9), "new words")
      assert.deepStrictEqual(names(), [`${T + 9}-${job?.id}.done.json`, `${job?.id}.gz`])
    }),
  )

  it.effect("cannot be read where that is not allowed, and says so", () =>
    Effect.gen(function* () {
      const { library, keep, folder } = newLibrary()
      yield* keep(workOn("a.mp3", T), "words")
      rmSync(folder, { recursive: true })
      writeFileSync(folder, "a file")
      assert.deepInclude(yield* Effect.flip(library.list(ALL)), {
        reason: "library_unreadable",
        subject: folder,
      })
    }),
  )
})
