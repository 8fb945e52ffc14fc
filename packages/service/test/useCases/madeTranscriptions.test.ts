import { randomBytes } from "node:crypto"
import { type AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { JobStore, ScriptedReceiver, StoreMemory, Transcriptions, Webhooks } from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  balance,
  create,
  get,
  inWorld,
  newAccount,
  pass,
  refusal,
  settle,
  withDeliveries,
  withWorker,
} from "../world.js"

const talk = "https://a.example/talk.mp3?seconds=90"

/** A done transcription of one line. */
const spoken = (account: AccountId, text: string, createdAt: number) =>
  Effect.gen(function* () {
    const jobs = yield* JobStore
    const segment = { start: 0, end: 900, speaker: null, text, words: [] }
    const content = {
      language: "en",
      segments: [segment],
      text,
      summary: null,
      chapters: null,
      translation: null,
    }
    yield* jobs.createDone(
      {
        id: JobId.make(makeId("job", createdAt, randomBytes(ID_RANDOM_BYTES))),
        account,
        title: null,
        source: { shown: { kind: "media", url: talk }, mediaUrl: talk, link: talk, identity: null },
        options: effectiveOptions({}),
        metadata: null,
        key: null,
        durationSeconds: 1,
        createdAt,
        expiresAt: null,
        hold: 0,
      },
      {
        content,
        origin: "captions",
        engine: null,
        wordTiming: null,
        detectedLanguage: null,
        durationSeconds: 1,
        wordCount: 3,
        credits: 0,
        billedMinutes: 0,
        minutes: 0,
        enrichment: {},
        integrity: null,
        warnings: [],
      },
      { guard: null },
    )
  })

describe("a job after it was made", () => {
  it.effect("a job that fails again after a retry has another event, with the options it was made with", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const webhooks = yield* Webhooks
      const transcriptions = yield* Transcriptions
      yield* webhooks.create(account, { url: "https://hooks.example/in" })
      const { id } = yield* create(account, { url: `${talk}&broken=unsupported_media`, summary: true })
      yield* withWorker(settle)
      const again = yield* transcriptions.retry(account, id)
      assert.isTrue(again.options.summary)
      yield* withWorker(settle)
      yield* withDeliveries(settle)
      const { received } = yield* ScriptedReceiver
      assert.deepStrictEqual(
        (yield* received).map(({ headers }) => headers["Service-Event-Id"]),
        [`${id}.failed`, `${id}.failed.2`],
      )
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld()),
  )

  it.effect(
    "names given to speakers show beside the transcript, in its search and its exports; its lines keep the labels",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount({ paid: true })
        const transcriptions = yield* Transcriptions
        const { id } = yield* create(account, { url: talk, diarize: true })
        const early = yield* transcriptions.patch(account, id, { speakers: { "Speaker 9": "Bob" } })
        assert.strictEqual(early.status, "queued")
        yield* withWorker(settle)
        const wrong = yield* Effect.flip(
          transcriptions.patch(account, id, { speakers: { "Speaker 9": "Bob" }, title: "Not a talk" }),
        )
        assert.deepInclude(wrong, { _tag: "RequestRefused", pointer: "#/speakers/Speaker 9" })
        assert.match(wrong.message, /The transcript has no Speaker 9; it has Speaker 1(, Speaker \d)*$/)
        yield* transcriptions.patch(account, id, { speakers: { "Speaker 9": null } })
        yield* transcriptions.patch(account, id, { speakers: { "Speaker 1": "Ann" }, title: "A talk" })
        const job = yield* get(account, id)
        if (job.status !== "done") return assert.fail(job.status)
        assert.strictEqual(job.title, "A talk")
        assert.strictEqual(job.segments[0]?.speaker, "Speaker 1")
        assert.deepStrictEqual(job.speakers, { "Speaker 1": "Ann" })
        const made = yield* transcriptions.export(account, id, { format: "txt" })
        assert.match([...made.chunks].join(""), /Ann/)
        const whole = yield* transcriptions.export(account, id, { format: "json" })
        const { speakers, segments } = JSON.parse([...whole.chunks].join(""))
        assert.deepStrictEqual(speakers[0], { label: "Speaker 1", name: "Ann" })
        assert.strictEqual(segments[0].speaker, "Speaker 1")
        const word = job.segments[0]?.text.split(" ")[1] ?? ""
        const search = (speaker: string) =>
          transcriptions.search(account, id, { q: word, speaker, context: 1, limit: 20 })
        const found = yield* search("Ann")
        assert.isAbove(found.total, 0)
        assert.isTrue(found.data.every(({ speaker }) => speaker === "Ann"))
        assert.deepStrictEqual((yield* search("Speaker 1")).data, found.data)
        const shown = found.data.flatMap(({ before, after }) => [...before, ...after])
        assert.isFalse(shown.some(({ speaker }) => speaker === "Speaker 1"))
        assert.strictEqual((yield* search("Speaker 9")).total, 0)
        yield* transcriptions.patch(account, id, { speakers: { "Speaker 1": null } })
        const again = yield* get(account, id)
        assert.deepStrictEqual(again.status === "done" && again.speakers, {})
      }).pipe(inWorld()),
  )

  it.effect("a hundred speakers have names at most, however they are given", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const { patch } = yield* Transcriptions
      const { id } = yield* create(account, { url: talk, diarize: true })
      const names = (from: number, count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`Speaker ${from + at}`, "Ann"]))
      yield* patch(account, id, { speakers: names(1, 60) })
      const refused = yield* Effect.flip(patch(account, id, { speakers: names(60, 60) }))
      assert.deepInclude(refused, { code: "invalid_request", pointer: "#/speakers" })
      assert.match(refused.message, /At most 100 speakers .* 119 would/)
      yield* patch(account, id, { speakers: { ...names(61, 41), "Speaker 1": null } })
      yield* patch(account, id, { speakers: { "Speaker 100": "Ben" } })
    }).pipe(inWorld()),
  )

  it.effect("search over the account pages through all hits, each once", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const transcriptions = yield* Transcriptions
      for (const name of ["a", "b", "c"])
        yield* create(account, { url: `https://${name}.example/x.mp3?seconds=60` })
      yield* withWorker(settle)
      const all = yield* transcriptions.searchAll(account, { q: "the", context: 0, limit: 100 })
      assert.isAbove(all.total, 3)
      for (const { id, source, sourceLabel } of all.data) {
        const job = yield* transcriptions.get(account, id)
        assert.deepStrictEqual([source, sourceLabel], [job.source, job.sourceLabel])
        assert.match(sourceLabel ?? "", /^https:\/\/[abc]\.example\/x\.mp3/)
      }
      const seen: Array<string> = []
      let cursor: string | undefined
      do {
        const page = yield* transcriptions.searchAll(account, { q: "the", context: 0, limit: 2, cursor })
        seen.push(...page.data.map(({ id, start }) => `${id} ${start}`))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      assert.deepStrictEqual(
        seen,
        all.data.map(({ id, start }) => `${id} ${start}`),
      )
    }).pipe(inWorld()),
  )

  it.effect("search over the account finds the oldest of hundreds, and says where it goes on", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const transcriptions = yield* Transcriptions
      // Both words, but only in the oldest one beside each other.
      yield* spoken(account, "so it goes", 0)
      for (let count = 1; count <= 1150; count++) yield* spoken(account, "it so goes", count)
      const asked = { q: '"so it goes"', context: 0, limit: 20 }
      const first = yield* transcriptions.searchAll(account, asked)
      assert.deepInclude(first, { total: 0, data: [], hasMore: true })
      const second = yield* transcriptions.searchAll(account, {
        ...asked,
        cursor: first.nextCursor ?? undefined,
      })
      assert.deepInclude(second, { total: 1, hasMore: false, nextCursor: null })
      assert.strictEqual(second.data[0]?.text, "so it goes")

      const found: Array<string> = []
      let cursor: string | undefined
      let total = 0
      do {
        const page = yield* transcriptions.searchAll(account, { q: "goes", context: 0, limit: 100, cursor })
        found.push(...page.data.map(({ id }) => id))
        total = page.total
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      assert.strictEqual(new Set(found).size, 1151)
      assert.strictEqual(found.length, 1151)
      assert.strictEqual(total, 1151)
    }).pipe(inWorld()),
  )

  it.effect(
    "search over the account counts all hits of few transcripts, and of many it reads what a page takes",
    () => {
      const read: Array<number> = []
      const noted = Layer.effect(
        JobStore,
        Effect.map(JobStore, (store) => ({
          ...store,
          candidates: (account: AccountId, ids: ReadonlyArray<JobId>) =>
            Effect.zipRight(
              Effect.sync(() => read.push(ids.length)),
              store.candidates(account, ids),
            ),
        })),
      )
      return Effect.gen(function* () {
        const [few, many] = [yield* newAccount(), yield* newAccount()]
        const transcriptions = yield* Transcriptions
        for (let count = 0; count < 20; count++) yield* spoken(few, "so it goes", count)
        for (let count = 0; count < 100; count++) yield* spoken(many, "so it goes", count)
        const asked = { q: "goes", context: 0, limit: 2 }
        const readBy = (account: AccountId) =>
          Effect.gen(function* () {
            read.length = 0
            const { total, totalIsExact, data, hasMore } = yield* transcriptions.searchAll(account, asked)
            return {
              total,
              totalIsExact,
              shown: data.length,
              hasMore,
              read: read.reduce((sum, count) => sum + count, 0),
            }
          })
        assert.deepStrictEqual(yield* readBy(few), {
          total: 20,
          totalIsExact: true,
          shown: 2,
          hasMore: true,
          read: 20,
        })
        assert.deepStrictEqual(yield* readBy(many), {
          total: 3,
          totalIsExact: false,
          shown: 2,
          hasMore: true,
          read: 3,
        })
      }).pipe(inWorld({ store: Layer.provideMerge(noted, StoreMemory.layer) }))
    },
  )

  it.effect(
    "a removed job is gone, and so is its content; a reader that waits is answered when a job ends",
    () =>
      Effect.gen(function* () {
        const account = yield* newAccount()
        const transcriptions = yield* Transcriptions
        const { id } = yield* create(account, { url: talk })
        const reading = yield* Effect.fork(transcriptions.get(account, id, { wait: 60 }))
        yield* withWorker(settle)
        yield* pass("1 second")
        assert.strictEqual((yield* reading).status, "done")
        yield* transcriptions.remove(account, id)
        assert.strictEqual(yield* refusal(get(account, id)), "JobNotFound")
      }).pipe(inWorld()),
  )
})
