import { mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exportFormats } from "@earmark/core/captions"
import { JobId } from "@earmark/core/jobs"
import { exportOf } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Exit, Fiber, Struct, TestClock } from "effect"
import { retryOf } from "../../src/library/retry.js"
import { ALL, inPlace, madeOf, newLibrary, T, TEXT, workOn } from "./world.js"

const FORMATS = Struct.keys(exportFormats)

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

  it.effect("lists all results that were written for a source, as far as they are still there", () =>
    Effect.gen(function* () {
      const { library, keep, fail } = newLibrary()
      const results = Effect.map(library.list(ALL), ({ data: [job] }) => job?.metadata?.results)
      const writing = (began: number, ...names: ReadonlyArray<string>) => ({
        ...workOn("a.mp3", began),
        targets: names.map((name) => ({ format: "txt" as const, path: inPlace(name) })),
      })
      yield* fail(writing(T, "meant.txt"), "engine_error", "It failed.")
      yield* keep(writing(T + 1, "a.txt", "moved.txt"), "words")
      for (const name of ["meant.txt", "a.txt", "a.vtt"]) writeFileSync(inPlace(name), "")
      assert.deepStrictEqual(yield* results, [inPlace("a.txt"), inPlace("moved.txt")])
      yield* keep(writing(T + 2, "a.vtt"), "words")
      assert.deepStrictEqual(yield* results, [inPlace("a.txt"), inPlace("a.vtt")])
      yield* keep(writing(T + 3), "words")
      yield* keep(writing(T + 4, "a.txt"), "words")
      assert.deepStrictEqual(yield* results, [inPlace("a.vtt"), inPlace("a.txt")])
      yield* fail(writing(T + 5, "meant.txt"), "engine_error", "It failed.")
      assert.deepStrictEqual(yield* results, [inPlace("a.vtt"), inPlace("a.txt")])
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
      mkdirSync(inPlace("locked"))
      writeFileSync(inPlace("locked", "library"), "a file where the folder should be")
      const { keep, troubles } = newLibrary(inPlace("locked", "library"))
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
})

const PATTERN = { speaker: undefined, feed: undefined, context: 0, limit: 10 } as const
