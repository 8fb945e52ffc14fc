import { type AccountId, JobId } from "@earmark/core/jobs"
import { IdempotencyKey } from "@earmark/core/requests"
import {
  Following,
  JobStore,
  Quotes,
  ScriptedReceiver,
  StoreMemory,
  Transcriptions,
  Webhooks,
} from "@earmark/service"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import {
  balance,
  bodyOf,
  create,
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
      // The time begins with the end.
      yield* pass("2 minutes")
      const waiting = yield* get(account, id)
      assert.deepInclude(waiting, { status: "queued", expiresAt: null })
      assert.notProperty(waiting.options, "deleteAfterSeconds")
      yield* withWorker(settle)
      const done = yield* get(account, id)
      assert.strictEqual(Number(done.expiresAt?.epochMillis), Number(done.completedAt?.epochMillis) + 60_000)
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

  it.effect("how long a text is kept makes no other request, and is of each job alone", () =>
    Effect.gen(function* () {
      const account = yield* newAccount()
      const lasting = yield* create(account, { url: talk })
      yield* withWorker(settle)
      const brief = yield* create(account, { url: talk, delete_after_seconds: 60 })
      const job = yield* get(account, brief.id)
      assert.deepInclude(job, { status: "done", cached: true })
      assert.strictEqual(Number(job.expiresAt?.epochMillis), Number(job.completedAt?.epochMillis) + 60_000)
      yield* pass("2 minutes")
      assert.strictEqual(yield* refusal(get(account, brief.id)), "JobExpired")
      assert.deepInclude(yield* get(account, lasting.id), { status: "done", expiresAt: null })
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
