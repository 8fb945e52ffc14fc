import { randomBytes } from "node:crypto"
import { type AccountId, effectiveOptions, ID_RANDOM_BYTES, JobId, makeId } from "@earmark/core/jobs"
import { IdempotencyKey } from "@earmark/core/requests"
import {
  Following,
  JobStore,
  Podcasts,
  problemOf,
  Quotes,
  ScriptedReceiver,
  StoreMemory,
  Transcriptions,
  TranslatorNone,
  Webhooks,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import {
  balance,
  bodyOf,
  create,
  feedBody,
  get,
  inWorld,
  newAccount,
  pass,
  refusal,
  settle,
  transcribeFeed,
  withDeliveries,
  withWorker,
} from "../world.js"

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
        enrichment: {},
        integrity: null,
        warnings: [],
      },
      { guard: null },
    )
  })

const talk = "https://a.example/talk.mp3?seconds=90"

describe("creating a transcription", () => {
  it.effect("media heard before is answered done at once, free, and with an event", () =>
    Effect.gen(function* () {
      const [ann, bob] = [yield* newAccount(), yield* newAccount()]
      yield* create(ann, { url: talk })
      yield* withWorker(settle)
      const webhooks = yield* Webhooks
      yield* webhooks.create(bob, { url: "https://hooks.example/bob" })
      const again = yield* create(bob, { url: talk })
      assert.strictEqual(again.status, "done")
      const job = yield* get(bob, again.id)
      assert.deepInclude(job, { status: "done", cached: true, origin: "cache", billedMinutes: 0 })
      assert.deepStrictEqual(yield* balance(bob), { posted: 60, held: 0 })
      yield* withDeliveries(settle)
      const { received } = yield* ScriptedReceiver
      assert.strictEqual((yield* received)[0]?.headers["Service-Event-Id"], `${again.id}.done`)
    }).pipe(inWorld()),
  )

  it.effect("extras are made of what was heard before, free, by the worker too", () =>
    Effect.gen(function* () {
      const [ann, bob] = [yield* newAccount(), yield* newAccount()]
      const content = (account: AccountId, id: string) =>
        Effect.flatMap(JobStore, (jobs) => jobs.content(account, JobId.make(id)))
      const first = yield* create(ann, { url: talk })
      yield* withWorker(settle)
      const quotes = yield* Quotes
      const quoted = yield* quotes.quote(bob, {
        type: "transcription",
        request: bodyOf({ url: talk, summary: true }),
      })
      assert.deepInclude(quoted, { cached: true, credits: 0 })
      const summed = yield* create(bob, { url: talk, summary: true, chapters: true })
      assert.strictEqual(summed.status, "done")
      // Whoever translates may be far away: that is work for the queue.
      const translated = yield* create(bob, { url: talk, translate_to: "de" })
      assert.strictEqual(translated.status, "queued")
      yield* withWorker(settle)
      const free = { status: "done", cached: true, origin: "cache", billedMinutes: 0 } as const
      const plain = yield* content(ann, first.id)
      for (const { id } of [summed, translated]) {
        assert.deepInclude(yield* get(bob, id), free)
        assert.deepStrictEqual((yield* content(bob, id))?.segments, plain?.segments)
      }
      assert.isNotNull((yield* content(bob, summed.id))?.summary)
      assert.strictEqual((yield* content(bob, translated.id))?.translation?.language, "de")
      assert.deepStrictEqual(yield* balance(bob), { posted: 60, held: 0 })
    }).pipe(inWorld()),
  )

  it.effect("a language that no engine here knows is refused at once, with the command that helps", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const refused = yield* Effect.flip(create(account, { url: talk, language: "de" }))
      assert.deepInclude(refused, { _tag: "RequestRefused", code: "language_unsupported" })
      assert.match(refused.message, /does not know the language "de"\. It knows en\. .*`earmark models pull`/)
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld({ engine: { capabilities: { languages: ["en"] } } })),
  )

  it.effect("a language that there is not is refused at once, also by an engine that takes any", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(create(yield* newAccount(), { url: talk, language: "xx" }))
      assert.deepInclude(refused, { _tag: "RequestRefused", code: "language_unsupported" })
      assert.strictEqual(refused.message, 'Unknown language "xx". Use a code such as en, de or pt-BR.')
    }).pipe(inWorld()),
  )

  it.effect("is over at the moment that was asked for, whether or not it has been swept by then", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const transcriptions = yield* Transcriptions
      const { id } = yield* create(account, { url: talk, delete_after_seconds: 60 })
      yield* withWorker(settle)
      yield* pass("59 seconds")
      assert.strictEqual((yield* get(account, id)).status, "done")
      yield* pass("1 second")
      const search = { q: "the", context: 0, limit: 20 }
      for (const read of [
        get(account, id),
        transcriptions.export(account, id, { format: "txt" }),
        transcriptions.search(account, id, search),
      ])
        assert.strictEqual(yield* refusal(read), "JobExpired")
      const found = yield* transcriptions.searchAll(account, search)
      assert.deepInclude(found, { total: 0, data: [], hasMore: false })
      const followed = yield* (yield* Following).follow(account, id, null)
      const told = followed === null ? [] : yield* Stream.runCollect(followed)
      assert.deepStrictEqual(
        [...told].map(({ event }) => event),
        ["done"],
      )
    }).pipe(inWorld()),
  )

  it.effect("other options, or private media of somebody else, are not answered from the cache", () =>
    Effect.gen(function* () {
      const [ann, bob] = [yield* newAccount(), yield* newAccount()]
      const hidden = `${talk}&private`
      yield* create(ann, { url: talk })
      yield* create(ann, { url: hidden })
      yield* withWorker(settle)
      assert.strictEqual((yield* create(ann, { url: talk, language: "de" })).status, "queued")
      assert.strictEqual((yield* create(bob, { url: hidden })).status, "queued")
      assert.strictEqual((yield* create(ann, { url: hidden })).status, "done")
    }).pipe(inWorld()),
  )

  it.effect("captions that people made are the transcript, at no cost; automatic ones are not", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const made = yield* create(account, { url: `${talk}&captions=people&language=en` })
      const job = yield* get(account, made.id)
      assert.deepInclude(job, { status: "done", origin: "captions", billedMinutes: 0, engine: null })
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
      const automatic = yield* create(account, { url: `${talk}&captions=machine&language=en` })
      assert.strictEqual(automatic.status, "queued")
      const accurate = yield* create(account, {
        url: `${talk}&captions=people&language=en`,
        quality: "accurate",
      })
      assert.strictEqual(accurate.status, "queued")
    }).pipe(inWorld()),
  )

  it.effect("a translation of captions is left to a worker, and is free all the same", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const made = yield* create(account, {
        url: `${talk}&captions=people&language=en`,
        translate_to: "de",
      })
      assert.strictEqual(made.status, "queued")
      yield* withWorker(settle)
      const job = yield* get(account, made.id)
      assert.deepInclude(job, { status: "done", origin: "captions", billedMinutes: 0 })
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld()),
  )

  it.effect("a hold that does not fit is refused, and nothing is made", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ credits: 1 })
      assert.strictEqual(yield* refusal(create(account, { url: talk })), "OutOfCredits")
      const transcriptions = yield* Transcriptions
      assert.deepStrictEqual((yield* transcriptions.list(account, { limit: 20, order: "desc" })).data, [])
      assert.deepStrictEqual(yield* balance(account), { posted: 1, held: 0 })
    }).pipe(inWorld()),
  )

  it.effect("diarization, whole feeds and word-level export are locked until a purchase", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const feed = "https://a.example/feed?episodes=2&seconds=60"
      const { id } = yield* create(account, { url: talk })
      yield* withWorker(settle)
      const transcriptions = yield* Transcriptions
      const byWord = transcriptions.export(account, id, { format: "srt", wordLevel: true })
      assert.strictEqual(yield* refusal(create(account, { url: talk, diarize: true })), "FeatureLocked")
      assert.strictEqual(yield* refusal(transcribeFeed(account, { feed, episodes: "all" })), "FeatureLocked")
      assert.strictEqual(yield* refusal(byWord), "FeatureLocked")
      assert.strictEqual((yield* transcribeFeed(account, { feed })).total, 1)

      const paid = yield* newAccount({ paid: true })
      assert.strictEqual((yield* transcribeFeed(paid, { feed, episodes: "all" })).total, 2)
    }).pipe(inWorld()),
  )

  it.effect("a hundred requests with one key make one job, whose answer all of them get", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const transcriptions = yield* Transcriptions
      const idempotencyKey = IdempotencyKey.make("order-1")
      const request = transcriptions.create(account, bodyOf({ url: talk }), { idempotencyKey })
      const answers = yield* Effect.all(
        Array.from({ length: 100 }, () => request),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(new Set(answers.map(({ answer }) => answer.id)).size, 1)
      assert.strictEqual(answers.filter(({ replayed }) => !replayed).length, 1)
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 2 })
      const other = transcriptions.create(account, bodyOf({ url: `${talk}&x=1` }), { idempotencyKey })
      assert.strictEqual(yield* refusal(other), "IdempotencyKeyReused")
    }).pipe(inWorld()),
  )

  it.scoped("a repeat after the secrets key was changed makes nothing, and is told what to do", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(StoreMemory.layer)
      // Every world has a secrets key of its own.
      const world = inWorld({ store: Layer.succeedContext(stores) })
      const account = yield* world(newAccount())
      const idempotencyKey = IdempotencyKey.make("order-1")
      const repeat = Effect.flatMap(Transcriptions, (transcriptions) =>
        transcriptions.create(account, bodyOf({ url: talk }), { idempotencyKey }),
      )
      const { answer } = yield* world(repeat)
      assert.strictEqual(yield* world(refusal(repeat)), "IdempotencyAnswerLost")
      const jobs = yield* world(
        Effect.flatMap(Transcriptions, ({ list }) => list(account, { limit: 9, order: "desc" })),
      )
      assert.deepStrictEqual(
        jobs.data.map(({ id }) => id),
        [answer.id],
      )
    }),
  )

  it.effect("a refused request leaves its key free", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ credits: 0 })
      const transcriptions = yield* Transcriptions
      const context = { idempotencyKey: IdempotencyKey.make("k") }
      const request = transcriptions.create(
        account,
        bodyOf({ url: "https://a.example/b.mp3?refuse=feed_invalid" }),
        context,
      )
      assert.strictEqual(yield* refusal(request), "SourceRefused")
      assert.strictEqual(yield* refusal(request), "SourceRefused")
    }).pipe(inWorld()),
  )

  it.effect("a link whose server does not answer is tried by the worker, until its attempts are spent", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const { id, status } = yield* create(account, { url: `${talk}&later` })
      assert.strictEqual(status, "queued")
      yield* withWorker(pass("10 minutes"))
      const job = yield* get(account, id)
      assert.strictEqual(job.failure?.code, "download_failed")
      assert.strictEqual(job.failure?.attempts, 3)
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld()),
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

describe("whole feeds", () => {
  const feed = "https://a.example/feed?episodes=4&seconds=120"

  it.effect("holds are taken newest first as far as they fit; a top-up lets the others go on", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true, credits: 5 })
      const podcasts = yield* Podcasts
      const made = yield* transcribeFeed(account, { feed, episodes: "all" })
      assert.strictEqual(made.total, 4)
      const waiting = yield* podcasts.batch(account, made.batchId)
      assert.deepInclude(waiting, { queued: 4, waitingForCredits: 2 })
      assert.deepStrictEqual(yield* balance(account), { posted: 5, held: 4 })
      const [newest, , , oldest] = made.transcriptions
      assert.strictEqual((yield* get(account, newest?.id ?? "")).phase, "waiting")
      assert.strictEqual((yield* get(account, oldest?.id ?? "")).phase, "waiting_for_credits")
    }).pipe(inWorld()),
  )

  it.effect("a translation is refused before anything is heard where nothing translates", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const refused = yield* Effect.flip(create(account, { url: talk, translate_to: "de" }))
      if (refused._tag !== "RequestRefused") return assert.fail(refused._tag)
      assert.deepInclude(refused, { code: "language_unsupported", pointer: "#/translate_to" })
      assert.match(refused.detail, /^No translator is set up here\. Ask for the language of the recording/)
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
    }).pipe(inWorld({ translator: TranslatorNone.layer })),
  )

  it.effect("nothing is made when nothing is available, or when it would cost more than allowed", () =>
    Effect.gen(function* () {
      const poor = yield* newAccount({ paid: true, credits: 0 })
      assert.strictEqual(yield* refusal(transcribeFeed(poor, { feed, episodes: 2 })), "OutOfCredits")
      const account = yield* newAccount({ paid: true })
      const dear = transcribeFeed(account, { feed, episodes: "all", max_credits: 7 })
      const refused = yield* Effect.flip(dear)
      if (refused._tag !== "BudgetExceeded") return assert.fail(refused._tag)
      assert.match(problemOf(refused, "").detail, /Raise max_credits to 8, or take fewer episodes\.$/)
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 0 })
      assert.strictEqual((yield* transcribeFeed(account, { feed, episodes: "all", max_credits: 8 })).total, 4)
    }).pipe(inWorld()),
  )

  it.effect("a file that is there twice becomes one job; the other is listed as skipped", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const made = yield* transcribeFeed(account, { feed: `${feed}&twice`, episodes: "all" })
      assert.strictEqual(made.total, 2)
      assert.deepStrictEqual(
        made.skipped.map(({ reason }) => reason),
        ["duplicate", "duplicate"],
      )
    }).pipe(inWorld()),
  )

  it.effect("a plan of one minute says so", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const failure = yield* Effect.flip(create(account, { url: talk }))
      assert.include(failure.message, "The plan allows 1 minute; take a part with start_at and end_at")
    }).pipe(inWorld({ config: { maxMediaMinutes: 1 } })),
  )

  it.effect("a feed of which nothing can become a job is refused, and the code says why", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const podcasts = yield* Podcasts
      const refused = (body: Parameters<typeof feedBody>[0]) =>
        Effect.flip(podcasts.transcribe(account, feedBody(body)))
      const hidden = { feed: "https://10.0.0.1/feed?episodes=2&seconds=60", episodes: "all" }
      const long = { feed: "https://a.example/feed?episodes=1&seconds=700" }
      assert.deepInclude(yield* refused(hidden), {
        code: "blocked_address",
        detail: "None of the episodes can become a job: blocked_address",
      })
      assert.deepInclude(yield* refused(long), { code: "media_too_long" })
      // What is to be heard counts, not what is left out.
      const part = yield* transcribeFeed(account, { ...long, start_at: 500 })
      assert.deepInclude(part, { total: 1, skipped: [] })
    }).pipe(inWorld({ config: { maxMediaMinutes: 5 } })),
  )

  it.effect("a repeat with the same key gets the same batch", () =>
    Effect.gen(function* () {
      const account = yield* newAccount({ paid: true })
      const podcasts = yield* Podcasts
      const context = { idempotencyKey: IdempotencyKey.make("feed") }
      const request = podcasts.transcribe(account, feedBody({ feed, episodes: 2 }), context)
      const first = yield* request
      const second = yield* request
      assert.deepStrictEqual(second, { ...first, replayed: true })
      assert.deepStrictEqual(yield* balance(account), { posted: 60, held: 4 })
    }).pipe(inWorld()),
  )
})
