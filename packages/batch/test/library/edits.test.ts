import { spawn } from "node:child_process"
import { appendFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import type { EditOperation } from "@earmark/core/edits"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { makeClaims } from "../../src/state/claims.js"
import { rememberMade } from "../../src/state/made.js"
import { startOf } from "../../src/state/processes.js"
import { hashOf } from "../../src/state/stateFiles.js"
import { inPlace, madeOf, newLibrary, T, workOn } from "./world.js"

const asText = {
  format: "txt",
  word_level: false,
  speakers: false,
  profile: undefined,
  language: undefined,
} as const

/** A library of its own state folder, with one finished entry. */
const edited = (folder: string, ...texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const state = inPlace(folder)
    const made = newLibrary(join(state, "library"))
    yield* made.keep(workOn("a.mp3", T), ...texts)
    const [id = ""] = (yield* made.library.list({})).data.map((job) => job.id)
    const text = (revision?: number) =>
      Effect.map(made.library.export(id, { ...asText, revision }), (chunks) => [...chunks].join(""))
    return { ...made, state, id, text, file: join(state, "library", `${id}.edits`) }
  })

const change = (line: number, text: string): EditOperation => ({ type: "text", line, text })

describe("revisions of an entry", () => {
  it.effect("are what every reader gets, and the one before can still be had", () =>
    Effect.gen(function* () {
      const { library, id, text } = yield* edited("readers", "we met in berlin", "and left")
      const made = yield* library.edit(id, 0, [change(0, "We met in Potsdam.")])
      assert.deepStrictEqual(made, { revision: 1, lines: 2 })
      assert.strictEqual(yield* text(), "We met in Potsdam. and left\n")
      assert.strictEqual(yield* text(0), "we met in berlin and left\n")
      const shown = yield* library.show(id, false)
      assert.deepInclude(shown, { status: "done", revision: 1, text: "We met in Potsdam. and left" })
      const found = (q: string) =>
        Effect.map(library.search(null, { q }), ({ data }) => data.map(({ at }) => at))
      assert.deepStrictEqual(yield* found("potsdam"), [0.025])
      assert.deepStrictEqual(yield* found("berlin"), [])
      assert.lengthOf((yield* library.search(id, { q: "potsdam" })).data, 1)
      const pattern = { pattern: "pots", speaker: undefined, feed: undefined, context: 0, limit: 9 }
      assert.strictEqual((yield* library.searchPattern(null, pattern)).total, 1)
      const answer = yield* library.ask(null, "Did they meet in Potsdam?")
      assert.include(JSON.stringify(answer), "Potsdam")
    }),
  )

  it.effect("say so where they leave words with estimated times, until they are undone", () =>
    Effect.gen(function* () {
      const { library, id } = yield* edited("estimated", "we met in berlin", "and left")
      const codes = (revision?: number) =>
        Effect.map(library.show(id, false, { revision }), (job) => job.warnings.map(({ code }) => code))
      yield* library.edit(id, 0, [change(0, "We may have met in Berlin.")])
      assert.deepStrictEqual(yield* codes(), ["word_times_estimated"])
      assert.deepStrictEqual(yield* codes(0), [])
      yield* library.undoEdit(id, 1)
      assert.deepStrictEqual(yield* codes(), [])
      yield* library.edit(id, 2, [change(0, "They met in Berlin.")])
      assert.deepStrictEqual(yield* codes(), [])
    }).pipe(Effect.provide(NodeContext.layer)),
  )

  it.effect("are refused for a revision that is not the newest, and undone as a new one", () =>
    Effect.gen(function* () {
      const { library, id, text } = yield* edited("conflict", "we met", "and left")
      yield* library.edit(id, 0, [change(0, "They met")])
      const refused = yield* Effect.flip(library.edit(id, 0, [change(1, "and came")]))
      assert.deepInclude(refused, { reason: "revision_conflict", revision: 1 })
      yield* library.edit(id, 1, [{ type: "merge", line: 0 }])
      const later = yield* Effect.flip(library.undoEdit(id, 1))
      assert.deepInclude(later, { reason: "edit_refused" })
      assert.deepStrictEqual(yield* library.undoEdit(id, 2), { revision: 3, lines: 2 })
      assert.deepStrictEqual(yield* library.undoEdit(id, 1), { revision: 4, lines: 2 })
      assert.strictEqual(yield* text(), "we met and left\n")
      assert.deepStrictEqual(
        (yield* library.edits(id)).map((each) => [each.revision, "undo" in each ? each.undo : null]),
        [
          [4, 1],
          [3, 2],
          [2, null],
          [1, null],
        ],
      )
      const none = yield* Effect.flip(library.export(id, { ...asText, revision: 9 }))
      assert.strictEqual(none.message, "There is no revision 9; the newest is 4.")
      const bad = yield* Effect.flip(library.edit(id, 4, [change(7, "x")]))
      assert.match(bad.message, /^Operation 1: There is no line 7/)
    }),
  )

  it.effect("are not what the same media give elsewhere: that is what was heard", () =>
    Effect.gen(function* () {
      const { library, keeper } = yield* edited("known")
      const keys = { whole: "key", heard: "key", unopened: "file" }
      const first = yield* keeper.begin(workOn("b.mp3", T + 1))
      yield* first.known(keys)
      yield* first.ended(Exit.succeed(madeOf(["we met"])))
      yield* library.edit(first.id() ?? "", 0, [change(0, "They met")])
      const second = yield* keeper.begin(workOn("c.mp3", T + 2))
      assert.strictEqual((yield* second.known(keys))?.finished.content.text, "we met")
    }),
  )

  it.effect("say that times are estimated where other extras of the same source begin with them", () =>
    Effect.gen(function* () {
      const { library, keeper } = yield* edited("extended")
      const keys = { whole: "key", heard: "key", unopened: "file" }
      const first = yield* keeper.begin(workOn("b.mp3", T + 1))
      yield* first.known(keys)
      yield* first.ended(Exit.succeed(madeOf(["we met"])))
      yield* library.edit(first.id() ?? "", 0, [change(0, "we have not met")])
      const work = workOn("b.mp3", T + 2)
      const second = yield* keeper.begin({ ...work, options: { ...work.options, summary: true } })
      const found = (yield* second.known({ ...keys, whole: "summary" }))?.finished
      assert.strictEqual(found?.content.text, "we have not met")
      assert.deepStrictEqual(
        found?.warnings.map(({ code }) => code),
        ["word_times_estimated"],
      )
    }),
  )

  it.effect("take the names of speakers for their labels", () =>
    Effect.gen(function* () {
      const { library, id } = yield* edited("names", "one", "two", "three")
      yield* library.name(id, { "Speaker 1": "Ann" })
      yield* library.edit(id, 0, [{ type: "speaker", line: 1, speaker: "Ann" }])
      yield* library.edit(id, 1, [{ type: "speaker", line: 2, speaker: "Eve" }])
      const speakers = Effect.map(library.editable(id), ({ transcript }) =>
        transcript.segments.map(({ speaker }) => speaker),
      )
      assert.deepStrictEqual(yield* speakers, ["Ann", "Ann", "Eve"])
      yield* library.name(id, { "Speaker 1": "Anna" })
      assert.deepStrictEqual(yield* speakers, ["Anna", "Anna", "Eve"])
    }),
  )

  it.effect("leave the translation as it was made", () =>
    Effect.gen(function* () {
      const { library, keeper } = yield* edited("translated")
      const { finished, ...made } = madeOf(["one", "two", "three four"])
      const translation = { language: "de", texts: ["eins", "zwei", "drei vier"] }
      const kept = yield* keeper.begin(workOn("t.mp3", T + 1))
      const translated =
        finished === null ? null : { ...finished, content: { ...finished.content, translation } }
      yield* kept.ended(Exit.succeed({ ...made, finished: translated }))
      const id = kept.id() ?? ""
      yield* library.edit(id, 0, [change(1, "2"), { type: "split", line: 2, at: 5 }])
      const text = Effect.map(library.show(id, false), (job) =>
        job.status === "done" ? job.translation?.segments.map((line) => line.text) : [],
      )
      assert.deepStrictEqual(yield* text, ["eins", "zwei", "drei vier"])
    }),
  )

  it.effect("survive a write that was cut off: it does not count, and the next one takes its place", () =>
    Effect.gen(function* () {
      const { library, id, text, file } = yield* edited("torn", "we met", "and left")
      yield* library.edit(id, 0, [change(0, "They met")])
      const whole = readFileSync(file)
      yield* library.edit(id, 1, [change(1, "and came")])
      writeFileSync(file, readFileSync(file).subarray(0, whole.length + 30))
      assert.strictEqual(yield* text(), "They met and left\n")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* library.edit(id, 1, [change(1, "and ran")]), { revision: 2, lines: 2 })
      assert.strictEqual(yield* text(), "They met and ran\n")
      assert.strictEqual(readFileSync(file, "utf8").split("\n").length, 4)
      for (const cut of [1, 20]) {
        writeFileSync(file, whole.subarray(0, cut))
        assert.strictEqual(yield* text(), "we met and left\n")
      }
      assert.deepStrictEqual(yield* library.edit(id, 0, [change(0, "You met")]), { revision: 1, lines: 2 })
      appendFileSync(file, "{}\n")
      assert.deepInclude(yield* Effect.flip(library.show(id, false)), { reason: "damaged", path: file })
    }),
  )

  it.effect(
    "are put aside with their text when it is made anew, and are there again with the same text",
    () =>
      Effect.gen(function* () {
        const { library, keep, id, text, names } = yield* edited("anew", "we met", "and left")
        yield* library.edit(id, 0, [change(0, "They met")])
        yield* keep(workOn("a.mp3", T + 1000), "we met", "and left")
        assert.strictEqual(yield* text(), "They met and left\n")
        yield* keep(workOn("a.mp3", T + 2000), "he met", "and left")
        assert.strictEqual(yield* text(), "he met and left\n")
        assert.deepStrictEqual(yield* library.edits(id), [])
        assert.strictEqual(names().filter((name) => /\.[0-9a-f]{16}\.(edits|gz)$/.test(name)).length, 2)
        yield* library.edit(id, 0, [change(0, "She met")])
        yield* keep(workOn("a.mp3", T + 3000), "we met", "and left")
        assert.strictEqual(yield* text(), "They met and left\n")
        assert.strictEqual(yield* library.count, 1)
        yield* library.remove(id)
        assert.deepStrictEqual(names(), [])
      }),
  )

  it.effect("are made one after the other: of twenty at once for the same revision one wins", () =>
    Effect.gen(function* () {
      const { library, id } = yield* edited("race", "we met", "and left")
      const all = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, at) => change(0, `number ${at}`)),
        (operation) => Effect.either(library.edit(id, 0, [operation])),
        { concurrency: "unbounded" },
      )
      assert.lengthOf(
        all.filter(({ _tag }) => _tag === "Right"),
        1,
      )
      assert.lengthOf(yield* library.edits(id), 1)
    }),
  )

  it.live("wait for another process that is at the same entry", () =>
    Effect.gen(function* () {
      const { library, id, state, file } = yield* edited("claimed", "we met")
      const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
      const ended = new Promise((resolve) => other.once("exit", resolve))
      yield* Effect.addFinalizer(() => Effect.sync(() => other.kill("SIGKILL")))
      const pid = other.pid ?? 0
      const claim = { pid, started: startOf(pid), host: hostname(), source: id }
      mkdirSync(join(state, "claims"), { recursive: true })
      writeFileSync(join(state, "claims", `${hashOf(file)}.json`), JSON.stringify(claim))
      const edit = yield* Effect.fork(library.edit(id, 0, [change(0, "They met")]))
      yield* Effect.sleep("200 millis")
      assert.isNull(edit.unsafePoll())
      other.kill("SIGKILL")
      yield* Effect.promise(() => ended)
      assert.deepInclude(yield* Fiber.join(edit), { revision: 1 })
    }).pipe(Effect.scoped),
  )
})

describe("files that were written from an entry", () => {
  const world = (folder: string) =>
    Effect.gen(function* () {
      const found = yield* edited(folder, "we met in berlin", "and left")
      const work = workOn("a.mp3", T)
      const made = rememberMade(join(found.state, "made"), makeClaims(join(found.state, "claims")))
      const origin = (more: ReadonlyArray<unknown> = []) => ({
        source: work.found.identity,
        asked: JSON.stringify([work.found.state, work.options, null, false, ...more]),
        publisher: null,
      })
      const out = join(found.state, "out")
      mkdirSync(out)
      return { ...found, work, made, origin, out }
    })

  it.effect("are written again in the way they were, unless somebody has changed them", () =>
    Effect.gen(function* () {
      const { library, keep, id, work, made, origin, out } = yield* world("rewrite")
      const [srt, named, changed, others] = ["a.srt", "b.txt", "c.txt", "d.txt"].map((name) =>
        join(out, name),
      )
      const paths = [srt, named, changed, others].map((path) => path ?? "")
      const targets = paths.map((path) => ({ format: path.endsWith("srt") ? "srt" : "txt", path }) as const)
      yield* keep({ ...work, targets, began: T + 1000 }, "we met in berlin", "and left")
      for (const path of paths) writeFileSync(path, "before")
      yield* made.remember(paths[0] ?? "", origin())
      yield* made.remember(paths[1] ?? "", origin([{ "Speaker 1": "Ann" }, {}]))
      yield* made.remember(paths[2] ?? "", origin())
      yield* made.remember(paths[3] ?? "", { ...origin(), source: "/another.mp3" })
      writeFileSync(paths[2] ?? "", "changed by hand")
      utimesSync(paths[2] ?? "", 1, 1)
      yield* library.edit(id, 0, [change(0, "We met in Potsdam.")])
      assert.deepStrictEqual(yield* library.rewrite(id), {
        written: paths.slice(0, 2),
        left: paths.slice(2, 3),
      })
      const [first, second, third, fourth] = paths.map((path) => readFileSync(path, "utf8"))
      assert.match(first ?? "", /^1\n.*\n.*We met in Potsdam\./)
      assert.strictEqual(second, "Ann: We met in Potsdam.\n\nSpeaker 2: and left\n")
      assert.deepStrictEqual([third, fourth], ["changed by hand", "before"])
      // Known as the program's own again: the next edit writes it too.
      assert.deepInclude(yield* library.rewrite(id), { written: paths.slice(0, 2) })
      // Names that are given later replace those of the run, and can be taken away again.
      yield* library.name(id, { "Speaker 1": "Beth" })
      yield* library.rewrite(id)
      assert.match(readFileSync(paths[1] ?? "", "utf8"), /^Beth: We met/)
      yield* library.name(id, { "Speaker 1": null })
      yield* library.rewrite(id)
      assert.match(readFileSync(paths[1] ?? "", "utf8"), /^Speaker 1: We met/)
    }).pipe(Effect.provide(NodeContext.layer)),
  )
})
