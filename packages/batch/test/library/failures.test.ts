import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ALL, newLibrary, T, TEXT, workOn } from "./world.js"

describe("the library of this machine", () => {
  it.effect("tells what failed and why, until the same source is done in whatever state", () =>
    Effect.gen(function* () {
      const { library, keep, fail } = newLibrary()
      yield* fail(workOn("a.mp3", T), "no_speech", "Nobody speaks in it.")
      const [job] = (yield* library.list({ status: "failed" })).data
      assert.deepInclude(job, { error: "Nobody speaks in it." })
      assert.deepInclude(job?.failure, { code: "no_speech", retryable: false })
      yield* fail(workOn("b.mp3", T), "engine_error", "It failed.")
      // That says something of this machine, and nothing of the source.
      yield* fail(workOn("c.mp3", T), "output_unwritable", "The folder may not be written.")
      yield* keep(workOn("a.mp3", T + 1000, "mended"), "words")
      const after = (yield* library.list(ALL)).data.map(({ title, status }) => [title, status])
      assert.deepStrictEqual(after, [
        ["a.mp3", "done"],
        ["b.mp3", "failed"],
      ])
    }),
  )

  it.effect("lists what was stopped among the failed, and alone where that is asked for", () =>
    Effect.gen(function* () {
      const { library, keep, fail, stop } = newLibrary()
      yield* keep(workOn("done.mp3", T), "words")
      yield* fail(workOn("failed.mp3", T + 1), "no_speech", "Nobody speaks in it.")
      for (const at of [2, 3, 4]) yield* stop(workOn(`${at}.mp3`, T + at))
      const listed = (query: Parameters<typeof library.list>[0]) =>
        Effect.map(library.list(query), (page) => ({ ...page, titles: page.data.map(({ title }) => title) }))
      assert.deepStrictEqual((yield* listed({ status: "canceled" })).titles, ["4.mp3", "3.mp3", "2.mp3"])
      assert.lengthOf((yield* listed({ status: "failed" })).titles, 4)
      assert.deepStrictEqual(yield* library.counts, { queued: 0, done: 1, failed: 4 })
      const first = yield* listed({ status: "canceled", limit: 2 })
      assert.deepStrictEqual(first.titles, ["4.mp3", "3.mp3"])
      const cursor = first.next_cursor ?? ""
      assert.deepStrictEqual((yield* listed({ status: "canceled", limit: 2, cursor })).titles, ["2.mp3"])
      // A cursor is good for its own list.
      assert.include((yield* Effect.flip(listed({ status: "failed", limit: 2, cursor }))).message, "cursor")
    }),
  )

  it.effect("does not lose what is done to a later failure, a stop or a cap", () =>
    Effect.gen(function* () {
      const { library, keep, fail, stop } = newLibrary()
      yield* keep(workOn("a.mp3", T), "words")
      yield* fail(workOn("a.mp3", T + 1000), "engine_error", "It failed.")
      yield* stop(workOn("a.mp3", T + 2000))
      yield* fail(workOn("a.mp3", T + 3000), "over_cap", "Too long.")
      yield* fail(workOn("b.mp3", T), "over_cap", "Too long.")
      const { data } = yield* library.list(ALL)
      assert.deepStrictEqual(
        data.map(({ title, status }) => [title, status]),
        [["a.mp3", "done"]],
      )
    }),
  )

  it.effect("tells what is under way, what was stopped, and what was killed", () =>
    Effect.gen(function* () {
      const { library, keeper, stop, folder, names } = newLibrary()
      yield* keeper.begin(workOn("a.mp3", T))
      const [running] = (yield* library.list({ status: "queued" })).data
      const id = running?.id ?? ""
      assert.deepInclude(running, { status: "queued", phase: "transcribing" })
      const refused = yield* Effect.flip(library.cancel(id))
      assert.deepInclude(refused, { reason: "under_way", subject: id, pid: process.pid })
      assert.strictEqual((yield* Effect.flip(library.remove(id))).reason, "under_way")
      assert.strictEqual((yield* Effect.flip(library.export(id, TEXT))).code, "invalid_state")
      // As a killed process leaves it: nobody has the number any more.
      const path = join(folder, names()[0] ?? "")
      writeFileSync(path, readFileSync(path, "utf8").replace(`"pid":${process.pid}`, '"pid":4194304'))
      yield* stop(workOn("b.mp3", T + 1))
      const { data } = yield* library.list({ status: "failed" })
      assert.deepStrictEqual(
        data.map(({ title, failure }) => [title, failure?.code]),
        [
          ["b.mp3", "canceled"],
          ["a.mp3", "canceled"],
        ],
      )
      assert.strictEqual((yield* Effect.flip(library.cancel(id))).reason, "stopped_already")
    }),
  )
})
