import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exportFormats } from "@earmark/core/captions"
import { JobId, type Warning, warningOf } from "@earmark/core/jobs"
import { exportOf } from "@earmark/service"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Either, Exit, Fiber, Struct, TestClock } from "effect"
import type { NewNames } from "../../src/Asked.js"
import { type Entry, entriesIn } from "../../src/library/entries.js"
import type { Keeper } from "../../src/library/Keeper.js"
import { listEntries } from "../../src/library/listEntries.js"
import { retryOf } from "../../src/library/retry.js"
import { explainPlainly } from "../../src/Problem.js"
import { madeOf, newLibrary, place, workOn } from "./world.js"

afterAll(() => rmSync(place, { recursive: true, force: true }))

const FORMATS = Struct.keys(exportFormats)

const T = Date.UTC(2026, 10, 1)

const ALL = { limit: 100 }

/** Without extras. */
const keysOf = (key: string) => ({ whole: key, heard: key, unopened: `${key} unopened` })

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
  it.effect("is empty before anything was transcribed, and makes nothing by being asked", () =>
    Effect.gen(function* () {
      const { library, folder } = newLibrary()
      assert.deepStrictEqual(yield* library.list({}), { data: [], has_more: false, next_cursor: null })
      assert.deepStrictEqual((yield* library.search(null, { q: "words" })).data, [])
      assert.throws(() => statSync(folder))
    }),
  )

  it.effect("keeps the snapshot and the content, in files of their owner alone", () =>
    Effect.gen(function* () {
      const { library, keep, folder, names } = newLibrary()
      yield* keep(workOn("a.mp3", T), "good morning", "and welcome")
      const { data } = yield* library.list(ALL)
      const [job] = data
      assert.deepInclude(job, {
        status: "done",
        title: "a.mp3",
        language: "en",
        duration_seconds: 2,
        word_count: 4,
        engine: "scripted",
        billed_minutes: 0,
        created_at: "2026-11-01T00:00:00.000Z",
        source: { kind: "media", url: "file:///a.mp3" },
      })
      assert.match(job?.id ?? "", /^tr_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      assert.deepInclude(job?.metadata, { source: "a.mp3", results: [join(process.cwd(), "a.mp3.txt")] })
      const whole = yield* library.show(job?.id ?? "", false)
      assert.isTrue(whole.status === "done" && whole.text === "good morning\nand welcome")
      assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
      for (const name of names()) assert.strictEqual(statSync(join(folder, name)).mode & 0o777, 0o600)
    }),
  )

  it.effect("exports the very bytes of the transcript, words and all", () =>
    Effect.gen(function* () {
      const { library, keep } = newLibrary()
      const texts = ["good morning", "and welcome to the museum"]
      yield* keep(workOn("a.mp3", T), ...texts)
      const [job] = (yield* library.list(ALL)).data
      const id = job?.id ?? ""
      const { finished } = madeOf(texts)
      const original = {
        id: JobId.make(id),
        title: "a.mp3",
        durationSeconds: 2,
        speakerNames: {},
        wordTiming: null,
        integrity: null,
      }
      const bytes = (chunks: Iterable<string | Uint8Array>) =>
        Buffer.concat([...chunks].map((chunk) => Buffer.from(chunk))).toString("latin1")
      for (const format of FORMATS.filter((each) => each !== "chapters")) {
        for (const wordLevel of ["vtt", "json", "srt"].includes(format) ? [false, true] : [false]) {
          // Scored by the name of the recording.
          const named = format === "ctm" || format === "rttm" ? { ...original, id: null } : original
          const wanted = finished === null ? null : exportOf(named, finished.content, { format, wordLevel })
          if (wanted === null || Either.isLeft(wanted)) return assert.fail(format)
          const kept = yield* library.export(id, { ...TEXT, format, word_level: wordLevel })
          assert.strictEqual(bytes(kept), bytes(wanted.right.chunks), `${format} ${wordLevel}`)
        }
      }
    }),
  )

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

  it.effect("waits for what is under way", () =>
    Effect.gen(function* () {
      const { library, keeper } = newLibrary()
      const kept = yield* keeper.begin(workOn("a.mp3", T))
      const [job] = (yield* library.list(ALL)).data
      const waiting = yield* Effect.fork(library.show(job?.id ?? "", true))
      yield* TestClock.adjust("5 seconds")
      assert.isNull(waiting.unsafePoll())
      yield* kept.ended(Exit.succeed(madeOf(["words"])))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(waiting)).status, "done")
    }),
  )

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

  it.effect("lists all results that were written for a source, as far as they are still there", () =>
    Effect.gen(function* () {
      const { library, keep, fail } = newLibrary()
      const at = (name: string) => join(place, name)
      const results = Effect.map(library.list(ALL), ({ data: [job] }) => job?.metadata?.results)
      const writing = (began: number, ...names: ReadonlyArray<string>) => ({
        ...workOn("a.mp3", began),
        targets: names.map((name) => ({ format: "txt" as const, path: at(name) })),
      })
      yield* fail(writing(T, "meant.txt"), "engine_error", "It failed.")
      yield* keep(writing(T + 1, "a.txt", "moved.txt"), "words")
      for (const name of ["meant.txt", "a.txt", "a.vtt"]) writeFileSync(at(name), "")
      assert.deepStrictEqual(yield* results, [at("a.txt"), at("moved.txt")])
      yield* keep(writing(T + 2, "a.vtt"), "words")
      assert.deepStrictEqual(yield* results, [at("a.txt"), at("a.vtt")])
      yield* keep(writing(T + 3), "words")
      yield* keep(writing(T + 4, "a.txt"), "words")
      assert.deepStrictEqual(yield* results, [at("a.vtt"), at("a.txt")])
      yield* fail(writing(T + 5, "meant.txt"), "engine_error", "It failed.")
      assert.deepStrictEqual(yield* results, [at("a.vtt"), at("a.txt")])
    }),
  )

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

  it.effect("takes entries of two runs at once, the same one too", () =>
    Effect.gen(function* () {
      const one = newLibrary()
      const two = newLibrary(one.folder)
      const works = Array.from({ length: 20 }, (_, index) => index)
      yield* Effect.all(
        [one, two].flatMap(({ keep }, run) =>
          works.map((index) => keep(workOn(`${index % 15}.mp3`, T + run + index * 10), `words ${index}`)),
        ),
        { concurrency: "unbounded", discard: true },
      )
      const { data } = yield* one.library.list(ALL)
      assert.strictEqual(data.length, 15)
      for (const { id } of data) assert.strictEqual((yield* two.library.show(id, false)).status, "done")
      assert.deepStrictEqual([one.troubles, two.troubles], [[], []])
      yield* newLibrary(one.folder).keep(workOn("16.mp3", T), "words")
      assert.strictEqual(one.names().length, 2 * 16)
    }),
  )

  it.effect("is no reason for a run to fail, and says once that it cannot keep", () =>
    Effect.gen(function* () {
      mkdirSync(join(place, "locked"))
      writeFileSync(join(place, "locked", "library"), "a file where the folder should be")
      const { keep, troubles } = newLibrary(join(place, "locked", "library"))
      yield* keep(workOn("a.mp3", T), "words")
      yield* keep(workOn("b.mp3", T), "words")
      assert.strictEqual(troubles.length, 1)
    }),
  )

  it.effect("is emptied without a trace, and leaves what is not its own", () =>
    Effect.gen(function* () {
      const { library, keep, fail, folder, names } = newLibrary()
      yield* keep(workOn("a.mp3", T), "words")
      yield* fail(workOn("b.mp3", T), "no_speech", "Nobody speaks.")
      writeFileSync(join(folder, "notes.txt"), "mine")
      assert.deepStrictEqual([yield* library.count, yield* library.removeAll], [2, 2])
      assert.deepStrictEqual(names(), ["notes.txt"])
    }),
  )

  it.effect("refuses with a reason and a subject, and names no option and no setting", () =>
    Effect.gen(function* () {
      const { library, keep, folder } = newLibrary()
      yield* keep(workOn("a.mp3", T), "words")
      const [job] = (yield* library.list(ALL)).data
      const id = job?.id ?? ""
      for (const none of ["tr_none", "../../etc/passwd", "tr_00000000000000000000000000"])
        for (const work of [library.show(none, false), library.remove(none), library.export(none, TEXT)])
          assert.deepInclude(yield* Effect.flip(Effect.asVoid(work)), {
            reason: "not_found",
            subject: none,
            path: folder,
          })
      const refused = [
        yield* Effect.flip(library.retry(id, () => Effect.void)),
        yield* Effect.flip(library.list({ limit: 101 })),
        yield* Effect.flip(library.export(id, { ...TEXT, language: "de" })),
        yield* Effect.flip(library.searchPattern(null, { ...PATTERN, pattern: "(" })),
        yield* Effect.flip(library.idOf("tr_")),
      ]
      assert.deepStrictEqual(
        refused.map(({ reason, code = "" }) => [reason, code]),
        [
          ["refused", "invalid_state"],
          ["refused", "invalid_request"],
          ["refused", "invalid_state"],
          ["pattern_invalid", ""],
          ["id_too_short", ""],
        ],
      )
      for (const { message } of refused) assert.notMatch(message, /--|EARMARK_|earmark /)
    }),
  )

  it.effect("hands out what makes an entry again, and answers with the entry that came of it", () =>
    Effect.gen(function* () {
      const { library, keep, fail } = newLibrary()
      yield* fail(workOn("a.mp3", T), "engine_error", "It failed.")
      const [failed] = (yield* library.list(ALL)).data
      const { job, lacked } = yield* library.retry(failed?.id ?? "", (head) => {
        const { source, destination } = retryOf(head) ?? assert.fail("no source")
        assert.deepInclude(source, { source: join(process.cwd(), "a.mp3") })
        assert.deepStrictEqual(destination, {
          type: "places",
          targets: [{ format: "txt", path: join(process.cwd(), "a.mp3.txt") }],
        })
        return keep(workOn("a.mp3", T + 1, "changed"), "words")
      })
      assert.deepStrictEqual([job.status, job.id === failed?.id, lacked], ["done", false, []])
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

const TEXT = {
  format: "txt",
  word_level: false,
  speakers: true,
  profile: undefined,
  language: undefined,
} as const

const PATTERN = { speaker: undefined, feed: undefined, context: 0, limit: 10 } as const
