import { randomBytes } from "node:crypto"
import type { EditOperation } from "@earmark/core/edits"
import { type AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, KeyId, makeId } from "@earmark/core/jobs"
import { parseIdempotencyKey } from "@earmark/core/requests"
import { decodeRequest, ExportQuery, SearchAllQuery, SearchQuery } from "@earmark/core/wire"
import { Edits, ExportLinks, JobStore, Publications, Questions, Transcriptions } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { create, get, inWorld, newAccount, refusal, stored, withWorker } from "../world.js"

const LINES = ["the whether is nice", "we spoke of bees", "so it goes"]

/** A finished transcript of three lines by two speakers, with everything made of it. */
const transcribed = (account: AccountId, given: { readonly texts?: ReadonlyArray<string> } = {}) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const id = JobId.make(makeId("job", 0, randomBytes(ID_RANDOM_BYTES)))
    const url = `https://a.example/${id}.mp3`
    const segments = LINES.map((text, at) => ({
      start: at * 5000,
      end: at * 5000 + 4000,
      speaker: `Speaker ${1 + (at % 2)}`,
      text,
      words: [],
    }))
    yield* jobs.createDone(
      {
        id,
        account,
        title: "Bees",
        source: { shown: { kind: "media", url }, mediaUrl: url, link: url, identity: null },
        options: effectiveOptions({}),
        metadata: null,
        key: null,
        durationSeconds: null,
        createdAt: 0,
        expiresAt: null,
        hold: 0,
      },
      {
        content: {
          language: "en",
          segments,
          text: LINES.join(" "),
          summary: "Of bees.",
          chapters: [{ start: 0, end: 15_000, title: "Bees" }],
          translation: { language: "de", texts: given.texts ?? ["eins", "zwei", "drei"] },
        },
        origin: "captions",
        engine: null,
        wordTiming: null,
        detectedLanguage: null,
        durationSeconds: 15,
        wordCount: 11,
        credits: 0,
        billedMinutes: 0,
        minutes: 0,
        enrichment: {
          summary: { status: "done" },
          chapters: { status: "done" },
          translation: { status: "done" },
        },
        integrity: null,
        warnings: [],
      },
      { guard: null },
    )
    return id
  })

const edit = (
  account: AccountId,
  id: string,
  baseRevision: number,
  ...operations: ReadonlyArray<EditOperation>
) => Effect.flatMap(Edits, (edits) => edits.edit(account, id, { baseRevision, operations }))

const correct: EditOperation = { type: "text", line: 0, text: "The weather is nice" }

const read = (account: AccountId, id: string, revision?: number) =>
  Effect.gen(function* () {
    const job = yield* (yield* Transcriptions).get(account, id, { revision })
    return job.status === "done" ? job : yield* Effect.dieMessage("not done")
  })

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

  it.effect("are listed newest first, page by page, with the key of each", () =>
    Effect.gen(function* () {
      const edits = yield* Edits
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const key = KeyId.make(makeId("key", 0, randomBytes(ID_RANDOM_BYTES)))
      yield* edits.edit(account, id, { baseRevision: 0, operations: [correct] }, { key })
      yield* edits.undo(account, id, "1")
      yield* edit(account, id, 2, correct, { type: "merge", line: 1 })
      const first = yield* edits.history(account, id, { limit: 2 })
      assert.deepStrictEqual(
        first.data.map(({ revision, operations, undoes, madeBy }) => [revision, operations, undoes, madeBy]),
        [
          [3, 2, null, null],
          [2, 0, 1, null],
        ],
      )
      assert.deepStrictEqual(
        first.data.map(({ changes }) => changes),
        [
          [
            { type: "text", line: 0 },
            { type: "merge", line: 1 },
          ],
          [],
        ],
      )
      const second = yield* edits.history(account, id, { limit: 2, cursor: first.nextCursor ?? "" })
      assert.deepStrictEqual(
        second.data.map(({ revision, madeBy }) => [revision, madeBy]),
        [[1, { keyId: key, name: null }]],
      )
      assert.isFalse(second.hasMore)
    }).pipe(world),
  )

  it.effect("say what their first ten operations are, without texts and names", () =>
    Effect.gen(function* () {
      const edits = yield* Edits
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const texts = Array.from({ length: 10 }, () => correct)
      yield* edit(account, id, 0, { type: "speaker", line: 0, speaker: "Ann" })
      yield* edit(account, id, 1, { type: "rename_speaker", from: "Ann", to: "Ben" }, ...texts)
      const { data } = yield* edits.history(account, id, { limit: 2 })
      assert.deepStrictEqual(
        data.map(({ operations, changes }) => [operations, changes?.length, changes?.[0]]),
        [
          [11, 10, { type: "rename_speaker", line: null }],
          [1, 1, { type: "speaker", line: 0 }],
        ],
      )
    }).pipe(world),
  )

  it.effect(
    "are refused on an older revision, on what is not there, and where an operation does not fit",
    () =>
      Effect.gen(function* () {
        const [account, other] = [yield* newAccount(), yield* newAccount()]
        const id = yield* transcribed(account)
        yield* edit(account, id, 0, correct)
        for (const base of [0, 2]) {
          const conflict = yield* Effect.flip(edit(account, id, base, correct))
          assert.deepInclude(conflict, { _tag: "RevisionConflict", revision: 1 })
        }
        const bad = yield* Effect.flip(edit(account, id, 1, correct, { type: "merge", line: 2 }))
        assert.deepInclude(bad, { _tag: "EditRefused", reason: "unknown_line", operation: 1 })
        assert.strictEqual((yield* stored(account, id)).revision, 1)
        assert.strictEqual(yield* refusal(edit(other, id, 1, correct)), "JobNotFound")
        const queued = yield* create(account, { url: "https://a.example/later.mp3" })
        assert.strictEqual(yield* refusal(edit(account, queued.id, 0, correct)), "TranscriptNotReady")
        const unknown = yield* Effect.flip(read(account, id, 2))
        assert.deepInclude(unknown, { _tag: "EditRefused", reason: "unknown_revision" })
      }).pipe(world),
  )

  it.effect("with an idempotency key happen once", () =>
    Effect.gen(function* () {
      const edits = yield* Edits
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const idempotencyKey = yield* parseIdempotencyKey("correction-1")
      const send = () =>
        edits.edit(account, id, { baseRevision: 0, operations: [correct] }, { idempotencyKey })
      const first = yield* send()
      const again = yield* send()
      assert.deepStrictEqual(again, { answer: first.answer, replayed: true })
      assert.strictEqual((yield* stored(account, id)).revision, 1)
    }).pipe(world),
  )

  it.effect("end where a transcript has as many as it may have", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const long = (at: number): EditOperation => ({
        type: "text",
        line: 0,
        text: `${at} `.padEnd(9999, "a"),
      })
      const whole = [0, 1].flatMap((half) => Array.from({ length: 12 }, (_, at) => long(2 * at + half)))
      for (let base = 0; base < 4; base++) yield* edit(account, id, base, ...whole)
      const refused = yield* Effect.flip(edit(account, id, 4, ...whole))
      assert.deepInclude(refused, { _tag: "EditRefused", reason: "too_many_operations" })
    }).pipe(world),
  )

  it.effect("change the version that readers compare", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const id = yield* transcribed(account)
      const before = yield* stored(account, id)
      yield* edit(account, id, 0, correct)
      assert.strictEqual((yield* stored(account, id)).version, before.version + 1)
      assert.strictEqual((yield* get(account, id)).status, "done")
    }).pipe(world),
  )
})
