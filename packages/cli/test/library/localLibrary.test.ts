import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Keeper, makeKeeper, SourceFailed } from "@earmark/batch"
import { effectiveOptions } from "@earmark/core/jobs"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { openLocalLibrary } from "../../src/library/localLibrary.js"
import { readNames } from "../../src/transcribe/readOptions.js"

const place = mkdtempSync(join(tmpdir(), "earmark-local-library-"))

afterAll(() => rmSync(place, { recursive: true, force: true }))

const TEXT = {
  format: "txt",
  word_level: false,
  speakers: true,
  profile: undefined,
  language: undefined,
} as const

const PATTERN = { speaker: undefined, feed: undefined, context: 0, limit: 10 }

const workOn = (name: string, state: string): Parameters<Keeper["begin"]>[0] => ({
  item: { type: "file", name, path: name, below: "" },
  asked: { wordLevel: false },
  options: effectiveOptions({}),
  targets: [],
  began: Date.UTC(2026, 10, 1),
  found: {
    title: name,
    show: null,
    publishedAt: null,
    guid: null,
    link: null,
    mediaUrl: null,
    seconds: null,
    hasText: false,
    shown: { kind: "media", url: `file:///${name}` },
    identity: `/${name}`,
    state,
    look: () => Effect.succeed({ seconds: null, keys: null }),
    transcribe: () => new SourceFailed({ code: "engine_error", message: "It failed." }),
  },
})

const newLibrary = (name: string) => {
  const folder = join(place, name)
  const keeper = makeKeeper({ folder, engine: null, hearsAgain: false, onTrouble: () => Effect.void })
  const fail = (name: string, state = "1") =>
    Effect.flatMap(keeper.begin(workOn(name, state)), ({ ended, id }) =>
      Effect.as(
        ended(Exit.fail(new SourceFailed({ code: "engine_error", message: "It failed." }))),
        id() ?? "",
      ),
    )
  return { folder, keeper, fail, library: openLocalLibrary(folder) }
}

const told = (work: Effect.Effect<unknown, { readonly message: string; readonly exitCode: number }>) =>
  Effect.map(Effect.flip(work), ({ message, exitCode }) => `${exitCode}: ${message}`)

describe("the library of this machine, in the words of the command", () => {
  it.effect("says what is not there, what to do, and what is for services alone", () =>
    Effect.gen(function* () {
      const { library, folder, fail } = newLibrary("a")
      const id = yield* fail("a.mp3")
      for (const work of [library.show("tr_none", false), library.remove("tr_none")])
        assert.include(
          yield* told(work),
          `1: There is nothing with the id tr_none in the library of this machine (${folder}). earmark jobs list`,
        )
      assert.match(yield* told(library.exportLink(id, TEXT)), /^2: .*-o FILE, or name a server/)
      assert.match(yield* told(library.list({ batch_id: "b" })), /^2: .*runs on this machine have no batches/)
      assert.match(yield* told(library.list({ limit: 101 })), /^2: limit: .*\[invalid_request\]$/)
      assert.match(yield* told(library.export(id, TEXT)), /^1: .*\[invalid_state\]$/)
      assert.match(
        yield* told(library.searchPattern(null, { ...PATTERN, pattern: "(a" })),
        /^2: --regex cannot use "\(a": .*\.$/,
      )
    }),
  )

  it.effect("names the ids that begin alike", () =>
    Effect.gen(function* () {
      const { library, fail } = newLibrary("b")
      const one = yield* fail("a.mp3", "one state")
      const other = yield* fail("a.mp3", "another")
      assert.strictEqual(
        yield* told(library.idOf("tr_")),
        "1: tr_ is too little of an id: give at least four characters behind tr_. [ambiguous_id]",
      )
      const message = yield* told(library.idOf(one.slice(0, 13)))
      assert.match(message, /^1: tr_\w+ is the beginning of 2 ids: .*\[ambiguous_id\]$/)
      for (const id of [one, other]) assert.include(message, id)
    }),
  )

  it.effect(
    "names the process that is at something, and the command that goes on with what was stopped",
    () =>
      Effect.gen(function* () {
        const { library, keeper } = newLibrary("c")
        const { id, ended } = yield* keeper.begin(workOn("a.mp3", "1"))
        assert.match(
          yield* told(library.cancel(id() ?? "")),
          new RegExp(`kill -INT ${process.pid}\\..*\\[runs_here\\]$`),
        )
        yield* ended(Exit.interrupt(yield* Effect.fiberId))
        assert.match(
          yield* told(library.cancel(id() ?? "")),
          /stopped already; earmark jobs retry tr_\w+ goes on with it\. \[invalid_state\]$/,
        )
      }),
  )

  it.effect("asks before it is emptied, and says how many entries are gone", () =>
    Effect.gen(function* () {
      const { library, fail } = newLibrary("d")
      const asked: Array<number> = []
      const consent = (count: number) => Effect.sync(() => void asked.push(count))
      yield* fail("a.mp3")
      yield* fail("b.mp3")
      assert.match(yield* library.removeAll(consent), /: 2 entries deleted\. Files/)
      assert.match(yield* library.removeAll(consent), /: 0 entries deleted\. Files/)
      assert.deepStrictEqual(asked, [2])
    }),
  )
})

describe("names of speakers on the command line", () => {
  it.effect("are given by labels or numbers", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readNames("1=Ann, Speaker 2=Bob, Jr."), {
        "Speaker 1": "Ann",
        "Speaker 2": "Bob, Jr.",
      })
      assert.deepStrictEqual(yield* readNames("Speaker 2="), { "Speaker 2": null })
      for (const given of ["Ann", "=Ann", "1=a,1=b"])
        assert.strictEqual((yield* Effect.flip(readNames(given))).exitCode, 2)
    }),
  )
})
