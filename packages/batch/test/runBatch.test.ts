import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { EarmarkClient } from "@earmark/api/client"
import { WorkFailed } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { BatchOptions } from "../src/BatchOptions.js"
import type { BatchEvent } from "../src/events.js"
import { openLibrary } from "../src/library/openLibrary.js"
import { explainPlainly, type Problem } from "../src/Problem.js"
import { jsonOf } from "../src/results/results.js"
import { retryEntry, runBatch, runBatchOnServer } from "../src/runBatch.js"
import { layerOf, newPlace } from "./world.js"

/** What only a command or a server would say. */
const OF_A_HOST = /(?:^|\s)--[a-z]|EARMARK_|earmark [a-z]/

const run = (options: BatchOptions, delay = 0) => Effect.provide(runBatch(options), layerOf(delay))

const statesOf = ({ results }: Effect.Effect.Success<ReturnType<typeof run>>) =>
  results.map(({ status }) => status)

const ONE = "one?seconds=90&.mp3"
const TWO = "two?seconds=60&.mp3"
const SILENT = "silent?broken=no_speech&.mp3"

describe("a run over many sources", () => {
  it.live("plans, does it once, and keeps a line of JSON for each result", () =>
    Effect.gen(function* () {
      const place = newPlace(`talks/${ONE}`, `talks/${TWO}`)
      const manifest = join(place, "out", "runs", "first.jsonl")
      const options = {
        sources: [join(place, "talks")],
        output: join(place, "out"),
        state: join(place, "state"),
      }
      const plan = yield* run({ ...options, dryRun: true })
      assert.deepStrictEqual(
        plan.results.map((result) => result.status === "planned" && [result.minutes, result.origin]),
        [
          [2, "engine"],
          [1, "engine"],
        ],
      )
      assert.isFalse(existsSync(join(place, "out")))
      const first = yield* run({ ...options, formats: ["txt", "srt"], jobs: 2, manifest })
      assert.deepStrictEqual(statesOf(first), ["done", "done"])
      assert.lengthOf(readdirSync(join(place, "out")), 5)
      const lines = readFileSync(manifest, "utf8").trim().split("\n")
      assert.deepStrictEqual(lines.toSorted(), first.results.map(jsonOf).toSorted())
      const again = yield* run({ ...options, formats: ["txt", "srt"] })
      assert.deepStrictEqual(statesOf(again), ["skipped", "skipped"])
    }),
  )

  it.live("takes what a source asks for instead of what all do", () =>
    Effect.gen(function* () {
      const place = newPlace(ONE, TWO)
      const { results } = yield* run({
        sources: [join(place, ONE), { source: join(place, TWO), formats: ["vtt"], name: "{number} second" }],
        output: join(place, "out"),
        state: join(place, "state"),
        options: { endAt: 30_000 },
      })
      assert.deepStrictEqual(
        results.map((result) => result.status === "done" && result.partSeconds),
        [30, 30],
      )
      assert.deepStrictEqual(readdirSync(join(place, "out")).toSorted(), [
        "002 second.vtt",
        "one?seconds=90&.txt",
      ])
    }),
  )

  it.live("never passes a cap, however many are under way", () =>
    Effect.gen(function* () {
      const place = newPlace(ONE, TWO)
      const options = {
        sources: [join(place, ONE), join(place, TWO)],
        state: join(place, "state"),
        jobs: 2,
      }
      const { counts, results } = yield* run({ ...options, maxMinutes: 2 })
      assert.deepStrictEqual([counts.done, counts.held], [1, 1])
      const held = results.find((result) => result.status === "held")
      assert.match(held?.reason ?? "", /^it is 1:[03]0 long, and the cap leaves (?:0:30|1:00)\.$/)
      const { counts: after } = yield* run({ ...options, maxMinutes: 3 })
      assert.deepStrictEqual([after.done, after.skipped], [1, 1])
    }),
  )

  it.live("stopped in the middle of a recording, goes on there with the same options", () =>
    Effect.gen(function* () {
      const place = newPlace("long?seconds=600&.mp3")
      const options = { sources: [join(place, "long?seconds=600&.mp3")], state: join(place, "state") }
      const heard = yield* Deferred.make<void>()
      const onEvent = (event: BatchEvent) =>
        event.type === "progress" && event.progress.heardSeconds > 60
          ? Effect.asVoid(Deferred.succeed(heard, undefined))
          : Effect.void
      const running = yield* Effect.fork(run({ ...options, onEvent }, 100))
      yield* Deferred.await(heard)
      yield* Fiber.interrupt(running)
      const library = openLibrary({ folder: join(place, "state", "library") })
      const [stopped] = (yield* library.list({ status: "canceled" })).data
      assert.strictEqual(stopped?.error, explainPlainly({ reason: "stopped" }))
      const events: Array<BatchEvent> = []
      const { counts } = yield* run({
        ...options,
        onEvent: (event) => Effect.sync(() => void events.push(event)),
      })
      assert.strictEqual(counts.done, 1)
      const notices = events.flatMap((event) => (event.type === "notice" ? [event.notice.type] : []))
      assert.deepStrictEqual(notices, ["resumed"])
    }),
  )

  it.live("takes the newest episodes of a feed, and makes a page that lists them", () =>
    Effect.gen(function* () {
      const place = newPlace()
      const { results, pages } = yield* run({
        sources: ["https://media.example/feed?episodes=5&seconds=60&title=Marks"],
        episodes: { latest: 2 },
        output: join(place, "out"),
        state: join(place, "state"),
      })
      assert.deepStrictEqual(
        results.map(({ source, identity }) => [source, identity.index]),
        [
          ["Episode 5", 0],
          ["Episode 4", 1],
        ],
      )
      const [page = ""] = pages
      const index = JSON.parse(readFileSync(page.replace(/\.html$/, ".json"), "utf8"))
      assert.lengthOf(index.episodes, 2)
    }),
  )

  it.live("tells facts while it goes on, and nothing of what has its result already", () =>
    Effect.gen(function* () {
      const place = newPlace(ONE)
      const options = { sources: [join(place, ONE)], state: join(place, "state") }
      const events: Array<BatchEvent> = []
      const onEvent = (event: BatchEvent) => Effect.sync(() => void events.push(event))
      yield* run({ ...options, onEvent })
      const types = events.map(({ type }) => type)
      assert.deepStrictEqual([types[0], types.at(-1)], ["source_started", "result"])
      for (const type of ["phase", "progress", "heard"] as const) assert.include(types, type)
      events.length = 0
      yield* run({ ...options, onEvent })
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["result"],
      )
    }),
  )
})

describe("what is wrong", () => {
  it.live("with a source is a result, with a code, and names no option and no setting", () =>
    Effect.gen(function* () {
      const place = newPlace(SILENT, TWO)
      const options = {
        sources: [
          join(place, SILENT),
          join(place, "missing.mp3"),
          "https://media.example/feed?episodes=0",
          { source: join(place, TWO), options: { startAt: 120_000 } },
        ],
        state: join(place, "state"),
        output: join(place, "out"),
      }
      const { results } = yield* run(options)
      assert.deepStrictEqual(
        results.map((result) => result.status === "failed" && result.code),
        ["no_speech", "source_not_found", "episode_not_found", "no_speech"],
      )
      const { results: again } = yield* run(options)
      assert.isTrue(again.some((result) => result.status === "failed" && result.remembered))
      for (const line of [...results, ...again].map(jsonOf)) assert.notMatch(line, OF_A_HOST)
    }),
  )

  // Only Linux has a disk that is always full.
  it.live.skipIf(!existsSync("/dev/full"))(
    "with the writing of a result keeps it off the list of results",
    () =>
      Effect.gen(function* () {
        const place = newPlace(ONE)
        const full = join(place, ONE.replace(".mp3", ".srt"))
        symlinkSync("/dev/full", full)
        const options = { sources: [join(place, ONE)], state: join(place, "state"), force: true }
        const library = openLibrary({ folder: join(place, "state", "library") })
        const listed = Effect.map(library.list({}), ({ data: [job] }) => [
          job?.status,
          job?.metadata?.results,
        ])
        const { results } = yield* run({ ...options, formats: ["srt"] })
        assert.deepStrictEqual(
          results.map((result) => result.status === "failed" && result.message),
          [`Could not write ${full}: the disk is full. Make room, or name a file on another disk.`],
        )
        assert.deepStrictEqual(yield* listed, ["done", undefined])
        yield* run({ ...options, formats: ["txt", "srt"] })
        assert.deepStrictEqual(yield* listed, ["done", [full.replace(".srt", ".txt")]])
      }),
  )

  it.live("with a run is refused, with a reason and a subject, before anything is heard", () =>
    Effect.gen(function* () {
      const place = newPlace(ONE)
      const options = { sources: [join(place, ONE)], state: join(place, "state") }
      const nowhere = join(place, "nowhere", "m.jsonl")
      const refusals = [
        yield* Effect.flip(run({ ...options, name: "{foo}" })),
        yield* Effect.flip(run({ ...options, manifest: nowhere })),
        yield* Effect.flip(run({ ...options, episodes: { latest: 1 } })),
        yield* Effect.flip(
          run({ ...options, sources: [{ source: join(place, ONE), episode: { index: 1 } }] }),
        ),
      ]
      assert.deepStrictEqual(
        refusals.map((refusal) => refusal._tag === "BatchRefused" && [refusal.reason, refusal.subject]),
        [
          ["name_invalid", "{foo}"],
          ["manifest_unwritable", nowhere],
          ["not_a_feed", join(place, ONE)],
          ["not_a_feed", join(place, ONE)],
        ],
      )
      for (const { message = "" } of refusals) assert.notMatch(message, OF_A_HOST)
      assert.isFalse(existsSync(join(place, "state", "library")))
    }),
  )

  it("is said in words that fit every program, whatever it is", () => {
    const failure = new WorkFailed({ code: "engine_error", isTransient: false })
    const problems: ReadonlyArray<Problem> = [
      { reason: "work_failed", failure, address: null },
      { reason: "starts_after_end", start: 90, length: 60 },
      { reason: "no_such_episode", count: 3 },
      { reason: "nothing_piped" },
      { reason: "over_minutes", seconds: 90, left: 60 },
      { reason: "over_credits", credits: 2, left: 1 },
      { reason: "length_unknown" },
      { reason: "present", paths: ["a.txt"], others: null, isChanged: false },
      { reason: "present", paths: ["b.txt"], others: null, isChanged: true },
      { reason: "present", paths: ["a.txt", "a.srt"], others: "edited", isChanged: false },
      { reason: "failed_before", message: "It failed." },
      { reason: "feed_is_file" },
      { reason: "stopped" },
    ]
    const texts = problems.map(explainPlainly)
    for (const text of texts) assert.notMatch(text, OF_A_HOST)
    assert.include(texts, "a.txt is there already")
    assert.include(texts, "b.txt is there already, changed since Earmark made it")
    assert.include(texts, "a.txt, a.srt are there already, and changed since Earmark made it")
    assert.include(texts, "It failed: engine_error.")
  })
})

describe("a run whose work is done by a server", () => {
  it.live("has the failures of its client as results, in the words of the client", () =>
    Effect.gen(function* () {
      const place = newPlace(ONE)
      const baseUrl = "http://127.0.0.1:1"
      const client = new EarmarkClient({ baseUrl, apiKey: "em_test_none", retries: 0 })
      const { results } = yield* Effect.provide(
        runBatchOnServer({ sources: [join(place, ONE)], state: join(place, "state") }, { client, baseUrl }),
        layerOf(),
      )
      const [failed] = results
      assert.deepInclude(failed, { status: "failed", code: "connection_failed" })
      assert.notMatch(results.map(jsonOf).join(""), OF_A_HOST)
    }),
  )
})

describe("a failure that is remembered", () => {
  it.live("belongs to the machine or the server where it happened", () =>
    Effect.gen(function* () {
      const place = newPlace(SILENT, TWO)
      const options = { sources: [join(place, SILENT), join(place, TWO)], state: join(place, "state") }
      const at = (port: number) => {
        const baseUrl = `http://127.0.0.1:${port}`
        const client = new EarmarkClient({ baseUrl, apiKey: "em_test_none", retries: 0 })
        return Effect.provide(
          runBatchOnServer({ ...options, skipExisting: true }, { client, baseUrl }),
          layerOf(),
        )
      }
      const firstOf = ({ results: [first] }: Effect.Effect.Success<ReturnType<typeof at>>) =>
        first?.status === "failed" ? [first.code, first.remembered] : first
      assert.deepStrictEqual(firstOf(yield* run(options)), ["no_speech", false])
      assert.deepStrictEqual(firstOf(yield* at(1)), ["connection_failed", false])
      assert.deepStrictEqual(firstOf(yield* run(options)), ["no_speech", true])
    }),
  )
})

describe("an entry of the library", () => {
  it.live("is made again from what it was made of, to the same places", () =>
    Effect.gen(function* () {
      const place = newPlace(ONE)
      const state = join(place, "state")
      const source = join(place, ONE)
      const library = openLibrary({ folder: join(state, "library") })
      const heard = yield* Deferred.make<void>()
      const running = yield* Effect.fork(
        run(
          {
            sources: [source],
            state,
            formats: ["srt"],
            options: { endAt: 60_000 },
            onEvent: ({ type }) =>
              type === "heard" ? Effect.asVoid(Deferred.succeed(heard, undefined)) : Effect.void,
          },
          200,
        ),
      )
      yield* Deferred.await(heard)
      yield* Fiber.interrupt(running)
      const [stopped] = (yield* library.list({})).data
      assert.isFalse(existsSync(join(place, "one?seconds=90&.srt")))
      const { job } = yield* Effect.provide(retryEntry(stopped?.id ?? "", { state }), layerOf())
      assert.deepStrictEqual([job.id, job.status], [stopped?.id, "done"])
      assert.strictEqual(job.options.end_at, 60)
      assert.match(readFileSync(join(place, "one?seconds=90&.srt"), "utf8"), /^1\n00:00:/)
    }),
  )
})
