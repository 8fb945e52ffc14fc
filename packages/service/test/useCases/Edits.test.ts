import type { AccountId } from "@earmark/core/jobs"
import { decodeRequest, ExportQuery, SearchAllQuery, SearchQuery } from "@earmark/core/wire"
import { Edits, ExportLinks, Publications, Questions, Transcriptions } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { create, inWorld, newAccount, stored, withWorker } from "../world.js"
import { correct, edit, LINES, read, transcribed } from "./corrections.js"

const linesOf = (account: AccountId, id: string, revision?: number) =>
  Effect.map(read(account, id, revision), ({ segments }) => segments.map(({ text }) => text))

const speakersOf = (account: AccountId, id: string) =>
  Effect.map(read(account, id), ({ segments }) => segments.map(({ speaker }) => speaker))

const textIn = (file: { readonly chunks: Iterable<string | Uint8Array> }) =>
  Array.from(file.chunks, (chunk) => Buffer.from(chunk).toString("utf8")).join("")

const exported = (account: AccountId, id: string, query: object) =>
  Effect.gen(function* () {
    const jobs = yield* Transcriptions
    return textIn(yield* jobs.export(account, id, Either.getOrThrow(decodeRequest(ExportQuery)(query))))
  })

const world = inWorld()

describe("corrections", () => {
  it.effect("make a revision that every reader gets, and what was heard is revision 0", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const { answer } = yield* edit(account, id, 0, correct, { type: "merge", line: 1 })
      assert.deepStrictEqual(answer, { revision: 1, lines: 2 })
      const job = yield* read(account, id)
      assert.strictEqual(job.revision, 1)
      assert.strictEqual(job.text, "The weather is nice we spoke of bees so it goes")
      assert.deepStrictEqual(
        job.segments.map(({ text, edited }) => ({ text, edited })),
        [
          { text: "The weather is nice", edited: true },
          { text: "we spoke of bees so it goes", edited: undefined },
        ],
      )
      assert.deepStrictEqual(yield* linesOf(account, id, 0), LINES)
      assert.strictEqual((yield* read(account, id, 0)).revision, 0)
      assert.include(yield* exported(account, id, { format: "txt" }), "The weather is nice")
      assert.include(yield* exported(account, id, { format: "txt", revision: "0" }), "the whether is nice")
      const links = yield* ExportLinks
      const pathOf = ({ url }: { readonly url: string }) => url.replace(/^https?:\/\/[^/]+/, "")
      const newest = yield* links.create(account, id, { format: "txt" })
      const first = yield* links.create(account, id, { format: "txt", revision: 0 })
      yield* edit(account, id, 1, { type: "text", line: 0, text: "It rains" })
      assert.include(textIn(yield* links.open(pathOf(newest))), "It rains")
      assert.include(textIn(yield* links.open(pathOf(first))), "the whether is nice")
      assert.deepStrictEqual(yield* linesOf(account, id, 1), [
        "The weather is nice",
        "we spoke of bees so it goes",
      ])
    }).pipe(world),
  )

  it.effect("are what publications, searches and answers show", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const publications = yield* Publications
      const published = yield* publications.publish(account, id, { formats: ["vtt"] })
      yield* edit(account, id, 0, correct)
      const [token = ""] = (published.files[0]?.url ?? "").split("/").slice(-2)
      assert.include(textIn(yield* publications.open(token, "transcript.vtt")), "weather")
      const jobs = yield* Transcriptions
      const inOne = (q: string) =>
        Effect.map(
          jobs.search(account, id, Either.getOrThrow(decodeRequest(SearchQuery)({ q }))),
          ({ data }) => data.map(({ text }) => text),
        )
      const inAll = (q: string) =>
        Effect.map(
          jobs.searchAll(account, Either.getOrThrow(decodeRequest(SearchAllQuery)({ q }))),
          ({ data }) => data.map(({ text }) => text),
        )
      for (const search of [inOne, inAll]) {
        assert.deepStrictEqual(yield* search("weather"), ["The weather is nice"])
        assert.deepStrictEqual(yield* search("bees"), ["we spoke of bees"])
      }
      // The old word is one letter from no word of the corrected text.
      assert.deepStrictEqual(yield* inAll("whether"), [])
      const { text } = yield* (yield* Questions).ask(account, id, { question: "How is the weather?" })
      assert.include(text, "The weather is nice")
    }).pipe(world),
  )

  it.effect("say so where they leave words with estimated times, until they are undone", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id } = yield* create(account, { url: "https://a.example/episode.mp3" })
      yield* withWorker(Effect.void)
      const heard = yield* read(account, id)
      const said = ({ wordTiming, warnings, integrity }: typeof heard) => ({
        wordTiming,
        warnings: warnings.map(({ code }) => code),
        flags: integrity?.flags,
      })
      const notEstimated = said(heard)
      assert.notInclude(notEstimated.warnings, "word_times_estimated")
      const text = `It ${"really ".repeat(20)}is ${heard.segments[0]?.text}`
      yield* edit(account, id, 0, { type: "text", line: 0, text })
      assert.deepStrictEqual(said(yield* read(account, id)), {
        wordTiming: "estimated",
        warnings: [...notEstimated.warnings, "word_times_estimated"],
        flags: [...(notEstimated.flags ?? []), "interpolated_words"],
      })
      assert.deepStrictEqual(said(yield* read(account, id, 0)), notEstimated)
      assert.include(yield* exported(account, id, { format: "json" }), '"word_timing":"estimated"')
      yield* (yield* Edits).undo(account, id, "1")
      assert.deepStrictEqual(said(yield* read(account, id)), notEstimated)
      assert.notInclude(yield* exported(account, id, { format: "json" }), '"estimated"')
    }).pipe(world),
  )

  it.effect("never get into results of other jobs, of this account or another", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* newAccount(), yield* newAccount()]
      const url = "https://a.example/episode.mp3"
      const first = yield* create(account, { url })
      yield* withWorker(Effect.void)
      const heard = yield* linesOf(account, first.id)
      yield* edit(account, first.id, 0, { type: "text", line: 0, text: "never said" })
      for (const each of [account, other]) {
        const again = yield* create(each, { url })
        if (again.status !== "done") yield* withWorker(Effect.void)
        const job = yield* read(each, again.id)
        if (each === account) assert.strictEqual(job.origin, "cache")
        assert.strictEqual(job.revision, 0)
        assert.deepStrictEqual(yield* linesOf(each, again.id), heard)
      }
    }).pipe(world),
  )

  it.effect("make extras from before stale, and a translation stands beside what it was made of", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      assert.deepStrictEqual((yield* read(account, id)).enrichment.summary, { status: "done" })
      yield* edit(account, id, 0, correct, { type: "speaker", line: 0, speaker: "Ann" })
      const stale = { status: "done", stale: true } as const
      const job = yield* read(account, id)
      assert.deepStrictEqual(job.enrichment, { summary: stale, chapters: stale, translation: stale })
      assert.deepStrictEqual(
        job.translation?.segments.map(({ speaker, text }) => ({ speaker, text })),
        [
          { speaker: "Ann", text: "eins" },
          { speaker: "Speaker 2", text: "zwei" },
          { speaker: "Speaker 1", text: "drei" },
        ],
      )
      assert.deepStrictEqual((yield* read(account, id, 0)).enrichment.summary, { status: "done" })
      yield* edit(account, id, 1, { type: "merge", line: 0 })
      const merged = yield* read(account, id)
      assert.deepStrictEqual(
        merged.translation?.segments.map(({ text }) => text),
        ["eins", "zwei", "drei"],
      )
      assert.strictEqual(merged.segments.length, 2)
      assert.include(yield* exported(account, id, { format: "srt", language: "de" }), "drei")
    }).pipe(world),
  )

  it.effect("take speakers by label or by name, and names given later are laid over them", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const jobs = yield* Transcriptions
      const patch = (speakers: Record<string, string | null>) => jobs.patch(account, id, { speakers })
      yield* patch({ "Speaker 1": "Ann" })
      // A name that is shown means its label.
      yield* edit(account, id, 0, { type: "speaker", line: 1, speaker: "Ann" })
      assert.deepStrictEqual(yield* speakersOf(account, id), ["Speaker 1", "Speaker 1", "Speaker 1"])
      // Renamed after the edit: all three lines.
      yield* patch({ "Speaker 1": "Annette" })
      assert.strictEqual((yield* exported(account, id, { format: "vtt" })).split("<v Annette>").length, 4)
      // Another name is a label of its own.
      yield* edit(account, id, 1, { type: "speaker", line: 2, speaker: "Bob" })
      assert.deepStrictEqual(yield* speakersOf(account, id), ["Speaker 1", "Speaker 1", "Bob"])
      yield* edit(account, id, 2, { type: "merge_speakers", from: "Bob", into: "Annette" })
      assert.deepStrictEqual(yield* speakersOf(account, id), ["Speaker 1", "Speaker 1", "Speaker 1"])
      yield* edit(account, id, 3, { type: "rename_speaker", from: "Annette", to: "Cleo" })
      assert.deepStrictEqual(yield* speakersOf(account, id), ["Cleo", "Cleo", "Cleo"])
    }).pipe(world),
  )

  it.effect("are taken back by a new revision, unless a later one changed the same lines", () =>
    Effect.gen(function* () {
      const edits = yield* Edits
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      yield* edit(account, id, 0, correct)
      yield* edit(account, id, 1, { type: "text", line: 2, text: "So it went" })
      assert.deepStrictEqual(yield* edits.undo(account, id, "1"), { revision: 3, lines: 3 })
      assert.deepStrictEqual(yield* linesOf(account, id), [LINES[0], LINES[1], "So it went"])
      yield* edit(account, id, 3, { type: "text", line: 2, text: "So it will go" })
      const refused = yield* Effect.flip(edits.undo(account, id, "2"))
      assert.deepInclude(refused, { _tag: "EditRefused", reason: "changed_later" })
      for (const unknown of ["0", "9", "x", "-1", "1e9999"]) {
        const gone = yield* Effect.flip(edits.undo(account, id, unknown))
        assert.deepInclude(gone, { _tag: "EditRefused", reason: "unknown_revision" })
      }
      assert.strictEqual((yield* stored(account, id)).revision, 4)
    }).pipe(world),
  )
})
